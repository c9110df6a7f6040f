// Trees that are created node by node, or in one go from nodes in any order, the memory that they take, and subtrees that
// move to another world.
#include <memory>
#include <optional>

#include "subject.hpp"
#include "support/counting_memory.hpp"
#include "support/random.hpp"

namespace strata::bench::building {
namespace {

/// The limit is built breadth-first: that order is what the arrays need.
Work build_arrays(TreeData<Affine>& data) {
  return work_on(
      std::make_shared<Arrays<Affine>>(),
      [&data](Arrays<Affine>& arrays) {
        const std::uint32_t n = data.arrays.size();
        for (std::uint32_t node = 0; node < n; ++node) {
          arrays.append(data.arrays.parents[node], data.arrays.locals[node]);
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
      [&data](State& scene) { return scene->wrong_node(data.script.creation, data.arrays); },
      [layout, &data](State& scene) {
        scene.emplace(layout);
        scene->expect(data.script.locals.size());
      });
}

/// The nodes in random order: a parent may come after its children.
struct ShuffledColumns : TreeColumns {
  explicit ShuffledColumns(const Subject& subject)
      : TreeColumns(make_tree(subject.shape, subject.nodes), shuffled(first_nodes(subject.nodes))) {}

  static NodeList shuffled(const NodeList& nodes) {
    std::mt19937 random(13);
    return chosen(random, nodes, nodes.size());
  }
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

  void fill(const TreeColumns& data) {
    find_order(data.parents);
    for (std::size_t place = 0; place < size_; ++place) {
      locals_[place] = data.locals[nodes_[place]];
      worlds_[place] = data.worlds[nodes_[place]];
    }
  }

  /// Every node stands where its local value says, after the node that its parent's place names.
  Complaint wrong_place(const TreeColumns& data) const {
    return first_fault(size_, "in the order has the wrong parent or value", [&](std::uint32_t place) {
      const std::uint32_t node = nodes_[place];
      const std::uint32_t parent = parents_[place];
      const bool is_root = data.parents[node] == Tree::kNoParent;
      return is_root == (parent == Tree::kNoParent) &&
             (is_root || (parent < place && nodes_[parent] == data.parents[node])) &&
             locals_[place].value == data.locals[node].value;
    });
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

Work build_ordered_arrays(ShuffledColumns& data) {
  using State = std::optional<OrderedArrays>;
  return work_on(
      std::make_shared<State>(), [&data](State& arrays) { arrays.emplace(data.parents.size()).fill(data); },
      [&data](State& arrays) { return arrays->wrong_place(data); }, [](State& arrays) { arrays.reset(); });
}

/// A world in which columns are built.
struct Built {
  explicit Built(Layout layout) : world(WorldOptions{.layout = layout}) {}

  void build(const TreeColumns& data) {
    BuiltHierarchy built = data.build(world);
    refusal = built.outcome.message();
    entities = std::move(built.entities);
  }

  Complaint wrong_node(const TreeColumns& data) const {
    if (!refusal.empty()) return refusal;
    return wrong_tree<Affine>(world, entities, data.parents, data.locals);
  }

  World world;
  std::vector<Entity> entities;
  Complaint refusal;
};

Work build_world(Layout layout, ShuffledColumns& data) {
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

/// The nodes in breadth-first order.
struct OrderedColumns : TreeColumns {
  explicit OrderedColumns(const Subject& subject)
      : TreeColumns(make_tree(subject.shape, subject.nodes), first_nodes(subject.nodes)) {}
};

/// A world with one entity, below which the tree is.
struct Place {
  explicit Place(Layout layout) : world(WorldOptions{.layout = layout}), top(world.create()) {}

  void build(const TreeColumns& tree) {
    const BuiltHierarchy built = tree.build(world, child_of(top));
    refusal = built.outcome.message();
  }
  void leave() {
    ExtractedPart taken = extract(world, top);
    refusal = taken.outcome.message();
    part = std::move(taken.part);
  }
  Complaint wrong_size(std::size_t size, std::size_t expected) const {
    return refusal.empty() && size != expected ? "nodes are missing" : refusal;
  }

  World world;
  Entity top;
  WorldPart part;
  Complaint refusal;
};

/// The limit: building the same tree.
Work build_moved(OrderedColumns& tree) {
  using State = std::optional<Place>;
  return work_on(
      std::make_shared<State>(), [&tree](State& place) { place->build(tree); },
      [&tree](State& place) { return place->wrong_size(place->world.size(), tree.parents.size() + 1); },
      [](State& place) { place.emplace(Layout::adaptive); });
}

Work extract_tree(Layout layout, OrderedColumns& tree) {
  using State = std::optional<Place>;
  return work_on(
      std::make_shared<State>(), [](State& place) { place->leave(); },
      [&tree](State& place) { return place->wrong_size(place->part.size(), tree.parents.size() + 1); },
      [layout, &tree](State& place) {
        place.emplace(layout);
        place->build(tree);
      });
}

Work insert_tree(Layout layout, OrderedColumns& tree) {
  struct Places {
    std::optional<Place> from, to;
  };
  return work_on(
      std::make_shared<Places>(),
      [](Places& places) {
        places.to->refusal = insert(places.to->world, places.from->part, places.to->top).outcome.message();
      },
      [&tree](Places& places) {
        return places.to->wrong_size(places.to->world.size(), tree.parents.size() + 2);
      },
      [layout, &tree](Places& places) {
        places.from.emplace(layout);
        places.from->build(tree);
        places.from->leave();
        places.to.emplace(layout);
      });
}

/// The limit is a tree in the default layout, so a table per family has none.
Bar moving_bar(const Subject&, Layout layout) {
  return layout != Layout::per_parent ? Bar::at_most(2) : Bar{};
}

const Family kFamily([](Suite& suite) {
  ask_about_trees<TreeData<Affine>>(
      suite, {.name = "build", .limit = build_arrays, .answer = build_scene, .at_most = 2});
  ask_about_trees<ShuffledColumns>(
      suite,
      {.name = "build_hierarchy", .limit = build_ordered_arrays, .answer = build_world, .at_most = 1.2});
  for_each_subject([&](const Subject& subject) {
    for (const auto& [layout, name] : kLayouts) {
      suite.count({.path = subject.path("memory") + "/" + name,
                   .items = subject.nodes,
                   .take = [subject, layout = layout] { return extra_bytes(subject, layout); },
                   .most = most_bytes(subject, layout),
                   .on_demand = !subject.is_usual(Usual::two_shapes)});
    }
  });
  ask_about_trees<OrderedColumns>(
      suite, {.name = "extract", .limit = build_moved, .answer = extract_tree, .bar = moving_bar});
  ask_about_trees<OrderedColumns>(
      suite, {.name = "insert", .limit = build_moved, .answer = insert_tree, .bar = moving_bar});
});

}  // namespace
}  // namespace strata::bench::building
