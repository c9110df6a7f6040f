// Families: what can be read off a tree in breadth-first order.
#pragma once

#include <cstdint>
#include <vector>

#include "shapes.hpp"

namespace strata::bench {

using NodeList = std::vector<std::uint32_t>;

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
