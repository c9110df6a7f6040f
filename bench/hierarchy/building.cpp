// Trees that are created node by node, or in one go from nodes in any order, and the memory that they take.
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>

#include "subject.hpp"
#include "support/counting_memory.hpp"
#include "support/random.hpp"

namespace strata::bench {
namespace {

/// The limit is built breadth-first: that order is what the arrays need.
Work build_arrays(TreeData<Affine>& data) {
  return work_on(
      std::make_shared<Arrays<Affine>>(),
      [&data](Arrays<Affine>& arrays) {
        const std::uint32_t n = data.arrays.size();
        for (std::uint32_t node = 0; node < n; ++node) {
          arrays.append(data.arrays.parent(node), data.arrays.local(node));
        }
      },
      [&data](Arrays<Affine>& arrays) {
        return arrays.size() == data.arrays.size() ? "" : "nodes are missing";
      },
      [](Arrays<Affine>& arrays) { arrays = {}; });
}

Work build_scene(Layout layout, TreeData<Affine>& data) {
  using State = std::optional<Scene<Affine>>;
  return work_on(
      std::make_shared<State>(), [&data](State& scene) { scene->build(data.script); },
      [&data](State& scene) { return scene->wrong_node(data.script, data.tree); },
      [layout, &data](State& scene) {
        scene.emplace(layout);
        scene->expect(data.script.locals.size());
      });
}

/// The nodes in random order: a parent may come after its children.
struct ForestInput {
  explicit ForestInput(const Subject& subject) {
    const Tree tree = make_tree(subject.shape, subject.nodes);
    std::mt19937 random(13);
    NodeList nodes(subject.nodes);
    std::iota(nodes.begin(), nodes.end(), 0u);
    nodes = chosen(random, nodes, nodes.size());
    NodeList places(nodes.size());
    for (std::uint32_t place = 0; place < nodes.size(); ++place) places[nodes[place]] = place;
    for (const std::uint32_t node : nodes) {
      const std::uint32_t parent = tree.parents[node];
      parents.push_back(parent == Tree::kNoParent ? parent : places[parent]);
      locals.push_back({local_of<Affine>(node)});
      worlds.push_back({local_of<Affine>(node)});
    }
  }

  NodeList parents;
  std::vector<LocalOf<Affine>> locals;
  std::vector<WorldOf<Affine>> worlds;
};

/// The limit: presized arrays in breadth-first order.
class OrderedArrays {
 public:
  explicit OrderedArrays(std::size_t n)
      : size_(n),
        nodes_(std::make_unique_for_overwrite<std::uint32_t[]>(n)),
        parents_(std::make_unique_for_overwrite<std::uint32_t[]>(n)),
        locals_(std::make_unique_for_overwrite<LocalOf<Affine>[]>(n)),
        worlds_(std::make_unique_for_overwrite<WorldOf<Affine>[]>(n)) {}

  void fill(const ForestInput& data) {
    find_order(data.parents);
    for (std::size_t place = 0; place < size_; ++place) {
      locals_[place] = data.locals[nodes_[place]];
      worlds_[place] = data.worlds[nodes_[place]];
    }
  }

  /// Every node stands where its local value says, after the node that its parent's place names.
  Complaint wrong_place(const ForestInput& data) const {
    for (std::size_t place = 0; place < size_; ++place) {
      const std::uint32_t node = nodes_[place];
      const std::uint32_t parent = parents_[place];
      const bool root = data.parents[node] == Tree::kNoParent;
      if (root != (parent == Tree::kNoParent) ||
          (!root && (parent >= place || nodes_[parent] != data.parents[node]))) {
        return "node " + std::to_string(node) + " has the wrong parent";
      }
      if (locals_[place].value != data.locals[node].value) {
        return "node " + std::to_string(node) + " has the wrong value";
      }
    }
    return "";
  }

 private:
  /// Chains the children of each node, then takes roots and children in turn.
  void find_order(const NodeList& parents) {
    NodeList first(size_, Tree::kNoParent);
    NodeList next(size_);
    std::size_t count = 0;
    for (auto node = static_cast<std::uint32_t>(size_); node-- > 0;) {
      const std::uint32_t parent = parents[node];
      if (parent == Tree::kNoParent) {
        place(count++, node, parent);
      } else {
        next[node] = first[parent];
        first[parent] = node;
      }
    }
    for (std::uint32_t turn = 0; turn < count; ++turn) {
      for (std::uint32_t child = first[nodes_[turn]]; child != Tree::kNoParent; child = next[child]) {
        place(count++, child, turn);
      }
    }
  }

  void place(std::size_t at, std::uint32_t node, std::uint32_t parent) {
    nodes_[at] = node;
    parents_[at] = parent;
  }

  std::size_t size_;
  std::unique_ptr<std::uint32_t[]> nodes_;
  std::unique_ptr<std::uint32_t[]> parents_;
  std::unique_ptr<LocalOf<Affine>[]> locals_;
  std::unique_ptr<WorldOf<Affine>[]> worlds_;
};

Work build_ordered_arrays(ForestInput& data) {
  using State = std::optional<OrderedArrays>;
  return work_on(
      std::make_shared<State>(), [&data](State& arrays) { arrays.emplace(data.parents.size()).fill(data); },
      [&data](State& arrays) { return arrays->wrong_place(data); }, [](State& arrays) { arrays.reset(); });
}

/// A world, and the handles of the forest that was built in it.
struct Built {
  explicit Built(Layout layout) : world(WorldOptions{.layout = layout}) {}

  void build(const ForestInput& data) {
    BuiltHierarchy built = world.build_hierarchy(std::span<const std::uint32_t>(data.parents),
                                                 std::span<const LocalOf<Affine>>(data.locals),
                                                 std::span<const WorldOf<Affine>>(data.worlds));
    refusal = built.outcome.message();
    entities = std::move(built.entities);
  }

  Complaint wrong_node(const ForestInput& data) const {
    if (!refusal.empty()) return refusal;
    if (world.size() != data.parents.size()) return "nodes are missing";
    for (std::size_t node = 0; node < entities.size(); ++node) {
      const std::uint32_t parent = data.parents[node];
      if (world.parent(entities[node]) != (parent == Tree::kNoParent ? Entity() : entities[parent])) {
        return "node " + std::to_string(node) + " has the wrong parent";
      }
      if (world.get<LocalOf<Affine>>(entities[node]).value != data.locals[node].value) {
        return "node " + std::to_string(node) + " has the wrong value";
      }
    }
    const Outcome outcome = world.validate();
    return outcome.message();
  }

  World world;
  std::vector<Entity> entities;
  Complaint refusal;
};

Work build_world(Layout layout, ForestInput& data) {
  using State = std::optional<Built>;
  return work_on(
      std::make_shared<State>(), [&data](State& built) { built->build(data); },
      [&data](State& built) { return built->wrong_node(data); },
      [layout](State& built) { built.emplace(layout); });
}

/// Bytes per node beyond the two components.
Amounts extra_bytes(const Subject& subject, Layout layout) {
  const TreeData<Affine> data(subject);
  CountingMemory memory;
  Scene<Affine> scene(layout, &memory);
  scene.expect(subject.nodes);
  scene.build(data.script);
  scene.update();  // What a cascade keeps for itself counts as well.
  const double nodes = subject.nodes;
  constexpr double kComponents = sizeof(LocalOf<Affine>) + sizeof(WorldOf<Affine>);
  return {static_cast<double>(memory.bytes()) / nodes - kComponents,
          static_cast<double>(data.arrays.bytes()) / nodes - kComponents};
}

/// Returns: the bar in bytes per node; 0: none.
double most_bytes(const Subject& subject, Layout layout) {
  if (subject.nodes != 1'000'000) return 0;
  if (subject.shape != Shape::bushy && subject.shape != Shape::many_small) return 0;
  if (layout != Layout::per_parent) return 56;
  return subject.shape == Shape::bushy ? 100 : 160;
}

void ask_build(Suite& suite, const Subject& subject) {
  constexpr TreeQuestion<TreeData<Affine>> kQuestion{
      .name = "build", .limit = build_arrays, .answer = build_scene, .at_most = 2};
  ask(suite, kQuestion, subject, subject.is_typical());
}

void ask_build_hierarchy(Suite& suite, const Subject& subject) {
  constexpr TreeQuestion<ForestInput> kQuestion{
      .name = "build_hierarchy", .limit = build_ordered_arrays, .answer = build_world, .at_most = 1.2};
  ask(suite, kQuestion, subject, subject.is_typical());
}

void ask_memory(Suite& suite, const Subject& subject) {
  for (const auto& [layout, name] : kLayouts) {
    suite.count({.path = subject.path("memory") + "/" + name,
                 .items = subject.nodes,
                 .take = [subject, layout = layout] { return extra_bytes(subject, layout); },
                 .most = most_bytes(subject, layout),
                 .on_demand = !subject.is_typical()});
  }
}

void ask_building(Suite& suite) {
  ask_for_trees(suite, {ask_build, ask_build_hierarchy, ask_memory});
}

const Family kFamily(ask_building);

}  // namespace
}  // namespace strata::bench
