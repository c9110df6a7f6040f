// Subtrees that leave a world, and come to another one.
#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "subject.hpp"

namespace strata::bench {
namespace {

/// A tree with two components in breadth-first order.
struct MovedTree {
  explicit MovedTree(const Subject& subject) : parents(make_tree(subject.shape, subject.nodes).parents) {
    for (std::uint32_t node = 0; node < parents.size(); ++node) {
      locals.push_back({local_of<Affine>(node)});
      worlds.push_back({local_of<Affine>(node)});
    }
  }

  NodeList parents;
  std::vector<LocalOf<Affine>> locals;
  std::vector<WorldOf<Affine>> worlds;
};

/// A world with one entity, below which the tree is.
struct Place {
  explicit Place(Layout layout) : world(WorldOptions{.layout = layout}), top(world.create()) {}

  void build(const MovedTree& tree) {
    const BuiltHierarchy built = world.build_hierarchy(
        child_of(top), std::span<const std::uint32_t>(tree.parents),
        std::span<const LocalOf<Affine>>(tree.locals), std::span<const WorldOf<Affine>>(tree.worlds));
    fault = built.outcome.message();
  }
  void leave() {
    ExtractedPart taken = extract(world, top);
    fault = taken.outcome.message();
    part = std::move(taken.part);
  }

  World world;
  Entity top;
  WorldPart part;
  Complaint fault;
};

Complaint check_size(const Complaint& fault, std::size_t size, std::size_t expected) {
  return fault.empty() && size != expected ? "nodes are missing" : fault;
}

/// The limit: building the same tree.
Work build_moved(MovedTree& tree) {
  using State = std::optional<Place>;
  return work_on(
      std::make_shared<State>(), [&tree](State& place) { place->build(tree); },
      [&tree](State& place) {
        return check_size(place->fault, place->world.size(), tree.parents.size() + 1);
      },
      [](State& place) { place.emplace(Layout::adaptive); });
}

Work extract_tree(Layout layout, MovedTree& tree) {
  using State = std::optional<Place>;
  return work_on(
      std::make_shared<State>(), [](State& place) { place->leave(); },
      [&tree](State& place) { return check_size(place->fault, place->part.size(), tree.parents.size() + 1); },
      [layout, &tree](State& place) {
        place.emplace(layout);
        place->build(tree);
      });
}

Work insert_tree(Layout layout, MovedTree& tree) {
  struct Places {
    std::optional<Place> from, to;
  };
  return work_on(
      std::make_shared<Places>(),
      [](Places& places) {
        places.to->fault = insert(places.to->world, places.from->part, places.to->top).outcome.message();
      },
      [&tree](Places& places) {
        return check_size(places.to->fault, places.to->world.size(), tree.parents.size() + 2);
      },
      [layout, &tree](Places& places) {
        places.from.emplace(layout);
        places.from->build(tree);
        places.from->leave();
        places.to.emplace(layout);
      });
}

/// The limit is a tree in the default layout, so a table per family has none.
Bar bar_of(const Subject&, Layout layout) {
  return layout != Layout::per_parent ? Bar::at_most(2) : Bar{};
}

void ask_extract(Suite& suite, const Subject& subject) {
  constexpr TreeQuestion<MovedTree> kQuestion{
      .name = "extract", .limit = build_moved, .answer = extract_tree, .bar = bar_of};
  ask(suite, kQuestion, subject, subject.is_typical());
}

void ask_insert(Suite& suite, const Subject& subject) {
  constexpr TreeQuestion<MovedTree> kQuestion{
      .name = "insert", .limit = build_moved, .answer = insert_tree, .bar = bar_of};
  ask(suite, kQuestion, subject, subject.is_typical());
}

void ask_moving(Suite& suite) {
  ask_for_trees(suite, {ask_extract, ask_insert});
}

const Family kFamily(ask_moving);

}  // namespace
}  // namespace strata::bench
