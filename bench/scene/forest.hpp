// Forest: the trees of a scene as parallel arrays, and what can be said of them without a world.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "transform.hpp"

namespace scene {

using NodeIndex = std::uint32_t;

/// The parent of a root.
inline constexpr NodeIndex kNoParent = 0xFFFF'FFFF;

/// One entry per node, in any order: a parent may come after its children.
struct Forest {
  std::vector<Affine> locals;      ///< Relative to the parent.
  std::vector<NodeIndex> parents;  ///< kNoParent: a root.

  std::size_t size() const { return locals.size(); }
};

/// Returns: the nodes without a parent, in node order.
std::vector<NodeIndex> roots_of(std::span<const NodeIndex> parents);

/// Returns: the nodes level by level, families together, in the order of their parents. A node on a cycle, or
/// below one, is missing.
/// Complexity: O(n), n nodes.
std::vector<NodeIndex> breadth_first_order(std::span<const NodeIndex> parents);

/// Returns: the nodes in their own order, except that each node's ancestors come before it.
/// Complexity: O(n), n nodes.
std::vector<NodeIndex> ancestors_first_order(std::span<const NodeIndex> parents);

/// Copies a forest side by side on a square grid: node `n` of copy `c` becomes node `c * forest.size() + n`.
Forest instanced(const Forest& forest, std::size_t copies);

}  // namespace scene
