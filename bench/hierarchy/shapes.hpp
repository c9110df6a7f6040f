// Shapes: the trees that hierarchy benches run on, and the order in which their nodes are created.
#pragma once

#include <cstddef>
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

/// A forest: for each node the index of its parent.
struct Tree {
  static constexpr std::uint32_t kNoParent = 0xFFFF'FFFF;

  std::vector<std::uint32_t> parents;
};

/// Returns: `n` nodes in breadth-first order: all roots first, each family together, in its parents' order.
Tree make_tree(Shape shape, std::uint32_t n);

/// The nodes of a tree in a random order in which they can be created one by one: each after its parent.
struct Creation {
  std::vector<std::uint32_t> nodes;    ///< Which node of the tree comes at this turn.
  std::vector<std::uint32_t> parents;  ///< At which turn its parent came; Tree::kNoParent for a root.
};

/// Returns: the same for the same tree at every call.
Creation creation_of(const Tree& tree);

/// Returns: at which turn each node of the tree is created.
std::vector<std::uint32_t> turns_of(const Creation& creation);

}  // namespace strata::bench
