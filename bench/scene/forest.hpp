// Forest: the trees of a scene as parallel arrays, and the transforms of their nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../hierarchy/payloads.hpp"

namespace scene {

using strata::bench::Affine;
using strata::bench::compose;

/// The column of an Affine that moves things; the three before it are the linear part.
inline constexpr int kTranslation = 3;

/// Where a root stands in a frame, given where it stands at rest: it bobs, so that no frame equals the one
/// before.
inline Affine moved(const Affine& rest, unsigned frame) {
  constexpr float kStep = 0.01F;
  constexpr unsigned kSteps = 64;
  Affine here = rest;
  here[kTranslation].y += kStep * static_cast<float>(frame % kSteps);
  return here;
}

/// Returns: whether every number of the transform is finite.
bool is_finite(const Affine& transform);

/// How far `actual` is from `expected`: the largest difference of an element, the linear part relative to its
/// own largest element, the translation relative to the largest element of all.
/// Returns: infinity if either is not finite.
double relative_difference(const Affine& expected, const Affine& actual);

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
