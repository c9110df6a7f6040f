// ForestOrder: checks that the parent indices of nodes form a forest, and finds the breadth-first order of the nodes.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>

#include "../../core/scratch_array.hpp"
#include "built_hierarchy.hpp"

namespace strata::detail {

/// The breadth-first order of a forest. The input is the index of each node's parent. Roots come first, then
/// the nodes of depth 1 in the order of their parents, and so on; siblings keep the order of the input. A
/// position is an index in this order; a node is an index in the input.
class ForestOrder {
 public:
  /// The children of one node. Their positions are consecutive: from the `end` of the previous family (for the first
  /// family, from `root_count`) up to, and not including, `end`.
  struct Family {
    std::uint32_t parent;  ///< Position of the node that has these children.
    std::uint32_t end;
  };

  /// Finds the breadth-first order. `parents[i]` is the index of the parent of node i, or kNoParent if node i is a
  /// root. If the nodes do not form a forest, `refusal` says why.
  /// Errors: std::bad_alloc.
  /// Contract: fewer than kNoParent nodes.
  /// Complexity: O(nodes).
  ForestOrder(std::span<const std::uint32_t> parents, std::pmr::memory_resource* memory);

  /// Returns: an empty string if the input is a forest; otherwise a message that names the nodes that are wrong. Then
  /// `root_count`, `nodes` and `families` must not be called.
  const std::string& refusal() const { return refusal_; }

  std::uint32_t size() const { return size_; }
  std::uint32_t root_count() const { return root_count_; }

  /// Returns: an array with the node at each position in breadth-first order; null if the input has this order already,
  /// so that node i is at position i.
  const std::uint32_t* nodes() const { return nodes_.data(); }

  /// Returns: one Family for each node that has children, in the order of these nodes' positions.
  std::span<const Family> families() const { return {families_.data(), family_count_}; }

 private:
  using Indices = std::span<const std::uint32_t>;

  void take_as_given(Indices parents);
  void sort(Indices parents);
  std::uint32_t walk(std::uint32_t first_root, const std::uint32_t* first, const std::uint32_t* next);

  std::uint32_t size_;
  std::uint32_t root_count_ = 0;
  std::uint32_t family_count_ = 0;
  ScratchArray<std::uint32_t> nodes_;
  ScratchArray<Family> families_;
  std::string refusal_;
};

}  // namespace strata::detail
