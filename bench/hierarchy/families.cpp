#include "families.hpp"

#include <algorithm>

namespace strata::bench {
namespace {

std::uint32_t size_of(const Tree& tree) {
  return static_cast<std::uint32_t>(tree.parents.size());
}

template <class Wanted>
NodeList nodes_that(const Tree& tree, Wanted wanted) {
  NodeList nodes;
  for (std::uint32_t node = 0; node < size_of(tree); ++node) {
    if (wanted(node)) nodes.push_back(node);
  }
  return nodes;
}

}  // namespace

ChildRanges::ChildRanges(const Tree& tree) : first(tree.parents.size() + 1) {
  const auto roots = std::count(tree.parents.begin(), tree.parents.end(), Tree::kNoParent);
  first[0] = static_cast<std::uint32_t>(roots);
  for (const std::uint32_t parent : tree.parents) {
    if (parent != Tree::kNoParent) ++first[parent + 1];
  }
  for (std::size_t node = 1; node < first.size(); ++node) first[node] += first[node - 1];
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
  for (std::uint32_t node = 0; node < size_of(tree); ++node) {
    const std::uint32_t parent = tree.parents[node];
    if (parent != Tree::kNoParent) depths[node] = depths[parent] + 1;
  }
  return depths;
}

NodeList subtree_sizes_of(const Tree& tree) {
  NodeList sizes(tree.parents.size(), 1);
  for (std::uint32_t node = size_of(tree); node-- > 0;) {
    const std::uint32_t parent = tree.parents[node];
    if (parent != Tree::kNoParent) sizes[parent] += sizes[node];
  }
  return sizes;
}

}  // namespace strata::bench
