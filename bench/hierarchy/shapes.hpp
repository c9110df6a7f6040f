// Shapes: the trees that hierarchy benches run on, the order in which their nodes are created, and what can be read off them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace strata::bench {

enum class Shape {
  wide,       ///< Families of 1,000.
  bushy,      ///< Families of 10.
  binary,     ///< Families of 2.
  chain,      ///< Chains of 1,000 nodes, side by side.
  mixed,      ///< A random recursive tree: each node below a random earlier one.
  many_small  ///< Roots with 7 nodes each below, in 3 levels of 1, 2 and 4.
};

inline constexpr Shape kShapes[] = {Shape::wide,  Shape::bushy, Shape::binary,
                                    Shape::chain, Shape::mixed, Shape::many_small};

std::string to_string(Shape shape);

using NodeList = std::vector<std::uint32_t>;

/// A forest: for each node the index of its parent.
struct Tree {
  static constexpr std::uint32_t kNoParent = 0xFFFF'FFFF;

  NodeList parents;
};

/// Returns: `n` nodes in breadth-first order: all roots first, each family together, in its parents' order.
Tree make_tree(Shape shape, std::uint32_t n);

/// The nodes of a tree in a random order in which they can be created one by one: each after its parent.
struct Creation {
  NodeList nodes;    ///< Which node of the tree comes at this turn.
  NodeList parents;  ///< At which turn its parent came; Tree::kNoParent for a root.
};

/// Returns: the same for the same tree at every call.
Creation creation_of(const Tree& tree);

/// Returns: where each node stands in a list of all nodes.
NodeList places_in(const NodeList& nodes);

/// Where the children of each node stand in a tree in breadth-first order: those of `node` from
/// `first[node]` up to `first[node + 1]`. The children of a run of nodes are a run as well, so a subtree is
/// one run per level.
struct ChildRanges {
  explicit ChildRanges(const Tree& tree);

  bool is_leaf(std::uint32_t node) const { return first[node] == first[node + 1]; }

  NodeList first;
};

/// Calls `visit(begin, end)` for the run of nodes that the subtree of `root` has on each level, from the top.
template <class Visit>
void for_each_level(const ChildRanges& children, std::uint32_t root, Visit&& visit) {
  std::uint32_t begin = root;
  std::uint32_t end = root + 1;
  while (begin != end) {
    visit(begin, end);
    begin = children.first[begin];
    end = children.first[end];
  }
}

/// Returns: the nodes from 0 up to n.
NodeList first_nodes(std::uint32_t n);

/// Returns: the nodes without children that are not roots.
NodeList leaves_of(const Tree& tree);

/// Returns: the nodes with children.
NodeList inner_nodes_of(const Tree& tree);

/// Returns: the nodes that have a parent.
NodeList children_of(const Tree& tree);

/// Returns: for each node the number of its ancestors.
NodeList depths_of(const Tree& tree);

/// Returns: for each node the number of nodes in its subtree, itself included.
NodeList subtree_sizes_of(const Tree& tree);

}  // namespace strata::bench
