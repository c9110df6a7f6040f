#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "edits.hpp"
#include "subject.hpp"
#include "support/random.hpp"

namespace strata::bench {
namespace {

constexpr std::size_t kFrames = 100;
constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

/// When a world defragments.
struct Policy {
  Defragmentation defragmentation = Defragmentation::manual;
  std::size_t first_budget = 0;  ///< Of the first frame.
  std::size_t budget = 0;        ///< Of each later one.
};
constexpr Policy kByItself{.defragmentation = Defragmentation::automatic};

struct NamedPolicy {
  const char* name;
  Policy policy;
};
constexpr NamedPolicy kNever{"never", {}};
constexpr NamedPolicy kAtOnce{"at_once", {.first_budget = kAll}};
constexpr NamedPolicy kEachFrame{"each_frame", {.first_budget = kAll, .budget = kAll}};
constexpr NamedPolicy kWithBudget{"budget_20000", {.first_budget = 20'000, .budget = 20'000}};

/// In each frame, one of so many nodes goes below a random node that stands before it in the arrays, or comes home.
template <std::size_t one_of>
struct EditedFrames : EditData {
  explicit EditedFrames(const Subject& subject) : EditData(subject) {
    std::mt19937 random(17);
    const NodeList children = children_of(tree);
    for (std::size_t round = 0; round < kFrames / 2; ++round) {
      Excursions<std::uint32_t>& excursions = rounds.emplace_back();
      for (const std::uint32_t node : chosen(random, children, tree.parents.size() / one_of)) {
        excursions.push_back({node, below(random, node), tree.parents[node]});
      }
    }
  }
};

/// Without edits, of any value.
template <class Value>
struct Frames : TreeData<Value> {
  using TreeData<Value>::TreeData;
};

template <class Value>
Work frames_of_arrays(Frames<Value>& data) {
  return {.step = [&data] {
    for (std::size_t frame = 0; frame < kFrames; ++frame) data.arrays.update();
  }};
}

template <std::size_t one_of>
Work frames_of_arrays(EditedFrames<one_of>& data) {
  const Work work = edit_arrays(data);
  return {.step = [work] {
    for (std::size_t frame = 0; frame < kFrames; ++frame) work.step();
  }};
}

void defragment(World& world, const Policy& policy, std::size_t frame) {
  const std::size_t budget = frame == 0 ? policy.first_budget : policy.budget;
  if (budget != 0) world.defragment(budget);
}

/// Builds a scene as the layout and the policy say.
template <class Value>
void rebuild(std::shared_ptr<Scene<Value>>& scene, Layout layout, const Policy& policy,
             const TreeData<Value>& data) {
  scene.reset();
  scene = built_scene(layout, data.script, policy.defragmentation);
}

template <class Value>
Work frames_of_scene(Layout layout, const Policy& policy, Frames<Value>& data) {
  using State = std::shared_ptr<Scene<Value>>;
  return work_on(
      std::make_shared<State>(),
      [policy](State& scene) {
        for (std::size_t frame = 0; frame < kFrames; ++frame) {
          defragment(scene->world(), policy, frame);
          scene->update();
        }
      },
      [&data](State& scene) { return scene->wrong_value(data.script, data.arrays); },
      [layout, policy, &data](State& scene) { rebuild(scene, layout, policy, data); });
}

Work frames_of_scene(Layout layout, const Policy& policy, const EditData& data) {
  using State = std::optional<EditedScene>;
  return work_on(
      std::make_shared<State>(),
      [policy](State& scene) {
        for (std::size_t frame = 0; frame < kFrames; ++frame) {
          scene->re_parent();
          defragment(scene->world(), policy, frame);
          scene->update();
        }
      },
      [](State& scene) { return scene->wrong_update(); },
      [layout, policy, &data](State& scene) { scene.emplace(layout, data, policy.defragmentation); });
}

template <class Data>
Work by_itself(Layout layout, Data& data) {
  return frames_of_scene(layout, kByItself, data);
}

template <class Data>
std::size_t rows_of_frames(const Data& data) {
  return data.tree.parents.size() * kFrames;
}

/// The forest that has been created one by one, built at once.
Work build_at_once(TreeData<Affine>& data) {
  struct Forest {
    std::vector<LocalOf<Affine>> locals;
    std::vector<WorldOf<Affine>> worlds;
    std::optional<World> world;
  };
  const auto forest = std::make_shared<Forest>();
  for (const Affine& local : data.script.locals) {
    forest->locals.push_back({local});
    forest->worlds.push_back({local});
  }
  return work_on(
      forest,
      [&data](Forest& f) {
        const std::vector<std::uint32_t>& parents = data.script.creation.parents;
        (void)f.world->build_hierarchy(std::span<const std::uint32_t>(parents),
                                       std::span<const LocalOf<Affine>>(f.locals),
                                       std::span<const WorldOf<Affine>>(f.worlds));
      },
      [&data](Forest& f) { return f.world->size() == data.script.locals.size() ? "" : "nodes are missing"; },
      [](Forest& f) { f.world.emplace(); });
}

Work defragment_built_scene(Layout layout, TreeData<Affine>& data) {
  using State = std::shared_ptr<Scene<Affine>>;
  return work_on(
      std::make_shared<State>(), [](State& scene) { scene->world().defragment(); },
      [&data](State& scene) { return scene->wrong_node(data.script, data.tree); },
      [layout, &data](State& scene) { rebuild(scene, layout, Policy{}, data); });
}

/// What a world that defragments by itself may take, of the best of the policies that are chosen by hand.
Bar bar(const Subject&, Layout) {
  return Bar::at_most_of_others(1.5);
}
Bar bar_of_edited(const Subject&, Layout) {
  return Bar::at_most_of_others(1.1);
}

/// Asks about frames of a world that defragments by itself, and by each of the policies that are chosen by hand.
template <class Data>
void ask_frames(Suite& suite, const Subject& subject, const char* name, Bar (*most)(const Subject&, Layout),
                std::initializer_list<NamedPolicy> by_hand) {
  const TreeQuestion<Data> question{.name = name,
                                    .limit = frames_of_arrays,
                                    .answer = by_itself<Data>,
                                    .bar = most,
                                    .items = rows_of_frames<Data>};
  auto& asked = ask(suite, question, subject, false);
  for (const auto& [policy_name, policy] : by_hand) {
    asked.answer(policy_name,
                 [policy = policy](Data& data) { return frames_of_scene(Layout::adaptive, policy, data); });
  }
}

void ask_about_frames(Suite& suite, const Subject& subject) {
  constexpr TreeQuestion<TreeData<Affine>> kDefragment{
      .name = "defragment", .limit = build_at_once, .answer = defragment_built_scene, .at_most = 1.2};
  ask(suite, kDefragment, subject, false);
  const auto at_rest = {kNever, kAtOnce};
  ask_frames<Frames<Affine>>(suite, subject, "frames_affine", bar, at_rest);
  ask_frames<Frames<Position>>(suite, subject, "frames_pos", bar, at_rest);
  const auto edited = {kNever, kAtOnce, kEachFrame, kWithBudget};
  ask_frames<EditedFrames<1000>>(suite, subject, "frames_edits_01pct", bar_of_edited, edited);
  ask_frames<EditedFrames<100>>(suite, subject, "frames_edits_1pct", bar_of_edited, edited);
}

void ask_defragmentation(Suite& suite) {
  ask_for_trees(suite, {ask_about_frames});
}

const Family kFamily(ask_defragmentation);

}  // namespace
}  // namespace strata::bench
