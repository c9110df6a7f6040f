// What defragmenting takes, and what frames take in worlds that defragment by themselves or when they are told to.
#include <limits>
#include <memory>
#include <optional>

#include "edits.hpp"
#include "subject.hpp"

namespace strata::bench::defragmentation {
namespace {

constexpr std::size_t kFrames = 100;
constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

/// When a world defragments.
struct Policy {
  const char* name;
  std::size_t first_budget = 0;  ///< Of the first frame.
  std::size_t budget = 0;        ///< Of each later one.
  Defragmentation defragmentation = Defragmentation::manual;
};
constexpr Policy kByItself{.name = "", .defragmentation = Defragmentation::automatic};
constexpr Policy kNever{"never"};
constexpr Policy kAtOnce{"at_once", kAll};
constexpr Policy kEachFrame{"each_frame", kAll, kAll};
constexpr Policy kWithBudget{"budget_20000", 20'000, 20'000};

/// In each frame, one of so many nodes goes below a random node that stands before it in the arrays, or comes home.
template <std::size_t one_of>
struct EditedFrames : EditData {
  explicit EditedFrames(const Subject& subject) : EditData(subject) {
    add_random_rounds(17, kFrames / 2, tree.parents.size() / one_of);
  }
};

/// A step of the limit is so many steps of `Frame`.
template <class Frame, class Data>
Work frames_of_arrays(Data& data) {
  const auto frame = std::make_shared<Frame>(data);
  return {.step = [frame] {
    for (std::size_t i = 0; i < kFrames; ++i) frame->step();
  }};
}

/// A step is so many frames in a scene that is new each time.
template <class Frames, class Data>
Work frames_of_scene(Layout layout, const Policy& policy, Data& data) {
  using State = std::optional<Frames>;
  return work_on(
      std::make_shared<State>(),
      [policy](State& frames) {
        for (std::size_t frame = 0; frame < kFrames; ++frame) {
          frames->re_parent();
          const std::size_t budget = frame == 0 ? policy.first_budget : policy.budget;
          if (budget != 0) frames->world().defragment(budget);
          frames->update();
        }
      },
      [](State& frames) { return frames->check(); },
      [layout, policy, &data](State& frames) { frames.emplace(layout, data, policy.defragmentation); });
}

/// The forest that has been created one by one, built at once.
Work build_at_once(TreeData<Affine>& data) {
  struct Forest {
    TreeColumns columns;
    std::optional<World> world;
  };
  const auto forest = std::make_shared<Forest>(Forest{{data.tree, data.script.creation.nodes}, {}});
  return work_on(
      forest, [](Forest& f) { (void)f.columns.build(*f.world); },
      [](Forest& f) { return f.world->size() == f.columns.parents.size() ? "" : "nodes are missing"; },
      [](Forest& f) { f.world.emplace(); });
}

Work defragment_built_scene(Layout layout, TreeData<Affine>& data) {
  using State = std::optional<TreeScene<TreeData<Affine>>>;
  return work_on(
      std::make_shared<State>(), [](State& scene) { scene->world().defragment(); },
      [&data](State& scene) { return scene->wrong_node(data.arrays); },
      [layout, &data](State& scene) { scene.emplace(layout, data, Defragmentation::manual); });
}

/// What a world that defragments by itself may take, of the best of the policies that are chosen by hand.
Bar bar_at_rest(const Subject&, Layout) {
  return Bar::at_most_of_others(1.5);
}
Bar bar_of_edited(const Subject&, Layout) {
  return Bar::at_most_of_others(1.1);
}

/// Asks about frames of a world that defragments by itself, and by each of the policies that are chosen by hand.
template <class Data, class ArrayFrame, class SceneFrames>
void ask_frames(Suite& suite, TreeQuestion<Data> question, std::initializer_list<Policy> by_hand) {
  question.limit = frames_of_arrays<ArrayFrame, Data>;
  question.answer = [](Layout layout, Data& data) {
    return frames_of_scene<SceneFrames>(layout, kByItself, data);
  };
  question.items = [](const Data& data) { return data.tree.parents.size() * kFrames; };
  question.usual = Usual::none;
  for (const Policy& policy : by_hand) {
    question.more_answers.emplace_back(policy.name, [policy](Data& data) {
      return frames_of_scene<SceneFrames>(Layout::adaptive, policy, data);
    });
  }
  ask_about_trees(suite, question);
}

template <class Value>
void ask_frames_at_rest(Suite& suite, const char* name) {
  using Data = TreeData<Value>;
  ask_frames<Data, ArraysAtRest<Data>, SceneAtRest<Data>>(suite, {.name = name, .bar = bar_at_rest},
                                                          {kNever, kAtOnce});
}

template <std::size_t one_of>
void ask_edited_frames(Suite& suite, const char* name) {
  ask_frames<EditedFrames<one_of>, EditedArrays, Updated<EditedScene>>(
      suite, {.name = name, .bar = bar_of_edited}, {kNever, kAtOnce, kEachFrame, kWithBudget});
}

const Family kFamily([](Suite& suite) {
  ask_about_trees<TreeData<Affine>>(suite, {.name = "defragment",
                                            .limit = build_at_once,
                                            .answer = defragment_built_scene,
                                            .at_most = 1.2,
                                            .usual = Usual::none});
  ask_frames_at_rest<Affine>(suite, "frames_affine");
  ask_frames_at_rest<Position>(suite, "frames_pos");
  ask_edited_frames<1000>(suite, "frames_edits_01pct");
  ask_edited_frames<100>(suite, "frames_edits_1pct");
});

}  // namespace
}  // namespace strata::bench::defragmentation
