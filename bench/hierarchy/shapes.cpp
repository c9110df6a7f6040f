#include "shapes.hpp"

#include <numeric>
#include <random>
#include <utility>

#include "support/random.hpp"

namespace strata::bench {
namespace {

template <class IsWanted>
NodeList nodes_that(const Tree& tree, IsWanted is_wanted) {
  NodeList nodes;
  for (std::uint32_t node = 0; node < tree.parents.size(); ++node) {
    if (is_wanted(node)) nodes.push_back(node);
  }
  return nodes;
}

/// Node i is below `parent_of(i)`.
template <class ParentOf>
Tree tree_of(std::uint32_t n, ParentOf parent_of) {
  Tree tree;
  for (std::uint32_t i = 0; i < n; ++i) tree.parents.push_back(parent_of(i));
  return tree;
}

/// Renumbers a forest, whatever its order, breadth-first.
Tree breadth_first(const Tree& forest) {
  constexpr std::uint32_t kNone = 0xFFFF'FFFF;  // No child, no sibling.
  // The children of a node are chained from the first one, in the order of the forest.
  NodeList first_child(forest.parents.size(), kNone);
  NodeList next_sibling(forest.parents.size(), kNone);
  for (auto node = static_cast<std::uint32_t>(forest.parents.size()); node-- > 0;) {
    const std::uint32_t parent = forest.parents[node];
    if (parent == Tree::kNoParent) continue;
    next_sibling[node] = first_child[parent];
    first_child[parent] = node;
  }
  NodeList queue =
      nodes_that(forest, [&](std::uint32_t node) { return forest.parents[node] == Tree::kNoParent; });
  Tree tree{NodeList(queue.size(), Tree::kNoParent)};
  for (std::uint32_t turn = 0; turn < queue.size(); ++turn) {
    for (std::uint32_t child = first_child[queue[turn]]; child != kNone; child = next_sibling[child]) {
      queue.push_back(child);
      tree.parents.push_back(turn);
    }
  }
  return tree;
}

/// One root, and each inner node with `fan_out` children.
Tree regular(std::uint32_t n, std::uint32_t fan_out) {
  return tree_of(n, [=](std::uint32_t i) { return i == 0 ? Tree::kNoParent : (i - 1) / fan_out; });
}

Tree chains(std::uint32_t n) {
  constexpr std::uint32_t kLength = 1000;
  const std::uint32_t count = (n + kLength - 1) / kLength;
  return tree_of(n, [=](std::uint32_t i) { return i < count ? Tree::kNoParent : i - count; });
}

Tree random_recursive(std::uint32_t n) {
  std::mt19937 random(2026);
  return breadth_first(
      tree_of(n, [&](std::uint32_t i) { return i == 0 ? Tree::kNoParent : below(random, i); }));
}

Tree small_trees(std::uint32_t n) {
  // Below the root a child, and below it a binary tree's next two levels: 1 + 1 + 2 + 4 nodes.
  constexpr std::uint32_t kAbove[] = {0, 0, 1, 1, 2, 2, 3, 3};
  return breadth_first(tree_of(n, [&](std::uint32_t i) {
    const std::uint32_t place = i % 8;
    return place == 0 ? Tree::kNoParent : i - place + kAbove[place];
  }));
}

/// Each turn takes a random node among those whose parents have had their turn.
NodeList shuffled_nodes(const Tree& tree) {
  std::mt19937 random(7);
  const ChildRanges children(tree);
  NodeList open = first_nodes(children.first[0]);
  NodeList nodes;
  while (!open.empty()) {
    std::swap(open[below(random, static_cast<std::uint32_t>(open.size()))], open.back());
    const std::uint32_t node = open.back();
    open.pop_back();
    nodes.push_back(node);
    for (std::uint32_t child = children.first[node]; child < children.first[node + 1]; ++child) {
      open.push_back(child);
    }
  }
  return nodes;
}

}  // namespace

std::string to_string(Shape shape) {
  constexpr const char* kNames[] = {"wide", "bushy", "binary", "chain", "mixed", "many_small"};
  return kNames[static_cast<std::size_t>(shape)];
}

Tree make_tree(Shape shape, std::uint32_t n) {
  switch (shape) {
    case Shape::wide:
      return regular(n, 1000);
    case Shape::bushy:
      return regular(n, 10);
    case Shape::binary:
      return regular(n, 2);
    case Shape::chain:
      return chains(n);
    case Shape::mixed:
      return random_recursive(n);
    case Shape::many_small:
      return small_trees(n);
  }
  return {};
}

Creation creation_of(const Tree& tree) {
  Creation creation{shuffled_nodes(tree), {}};
  const NodeList turns = places_in(creation.nodes);
  for (const std::uint32_t node : creation.nodes) {
    const std::uint32_t parent = tree.parents[node];
    creation.parents.push_back(parent == Tree::kNoParent ? parent : turns[parent]);
  }
  return creation;
}

NodeList places_in(const NodeList& nodes) {
  NodeList places(nodes.size());
  for (std::uint32_t place = 0; place < nodes.size(); ++place) places[nodes[place]] = place;
  return places;
}

NodeList first_nodes(std::uint32_t n) {
  return numbers_below(n);
}

ChildRanges::ChildRanges(const Tree& tree) : first(tree.parents.size() + 1) {
  for (const std::uint32_t parent : tree.parents) ++first[parent == Tree::kNoParent ? 0 : parent + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
}

NodeList leaves_of(const Tree& tree) {
  const ChildRanges children(tree);
  return nodes_that(tree, [&](std::uint32_t node) {
    return children.is_leaf(node) && tree.parents[node] != Tree::kNoParent;
  });
}

NodeList inner_nodes_of(const Tree& tree) {
  const ChildRanges children(tree);
  return nodes_that(tree, [&](std::uint32_t node) { return !children.is_leaf(node); });
}

NodeList children_of(const Tree& tree) {
  return nodes_that(tree, [&](std::uint32_t node) { return tree.parents[node] != Tree::kNoParent; });
}

NodeList depths_of(const Tree& tree) {
  NodeList depths(tree.parents.size());
  for (std::uint32_t node = 0; node < depths.size(); ++node) {
    const std::uint32_t parent = tree.parents[node];
    if (parent != Tree::kNoParent) depths[node] = depths[parent] + 1;
  }
  return depths;
}

NodeList subtree_sizes_of(const Tree& tree) {
  NodeList sizes(tree.parents.size(), 1);
  for (std::size_t node = sizes.size(); node-- > 0;) {
    const std::uint32_t parent = tree.parents[node];
    if (parent != Tree::kNoParent) sizes[parent] += sizes[node];
  }
  return sizes;
}

}  // namespace strata::bench
