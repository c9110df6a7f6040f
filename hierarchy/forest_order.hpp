// ForestOrder: checks a forest that is given by parent indices, and finds its breadth-first order.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <vector>

namespace strata {

/// The parent index of a root.
inline constexpr std::uint32_t kNoParent = 0xFFFF'FFFF;

/// The nodes of a forest, level by level: a family lies together, families in the order of their parents,
/// siblings in the order of their indices. A position counts in that order, a node in the order given.
class ForestOrder {
 public:
  /// Errors: std::bad_alloc.
  /// Complexity: O(nodes).
  ForestOrder(std::span<const std::uint32_t> parents, std::pmr::memory_resource* memory);

  /// Returns: what is wrong with the parents, as a sentence that names the nodes; empty when it is a forest.
  /// The questions below are for a forest alone.
  const std::string& refusal() const { return refusal_; }

  std::uint32_t size() const { return size_; }
  std::uint32_t root_count() const { return first_children_.front(); }

  /// Returns: the node at each position; null when the order given is breadth-first already.
  const std::uint32_t* nodes() const { return nodes_.empty() ? nullptr : nodes_.data(); }

  /// Returns: the position of the first child of the node at `position`; those of the next position's begin
  /// behind its last one.
  std::uint32_t first_child(std::uint32_t position) const { return first_children_[position]; }
  std::uint32_t child_count(std::uint32_t position) const {
    return first_children_[position + 1] - first_children_[position];
  }

  /// Returns: the number of nodes that have children.
  std::uint32_t family_count() const { return family_count_; }

 private:
  void take_as_given(std::span<const std::uint32_t> parents);
  void sort(std::span<const std::uint32_t> parents);
  void walk(std::span<const std::uint32_t> begins, std::span<const std::uint32_t> children);

  std::uint32_t size_;
  std::uint32_t family_count_ = 0;
  std::pmr::vector<std::uint32_t> nodes_;
  std::pmr::vector<std::uint32_t> first_children_;  // One more than there are positions.
  std::string refusal_;
};

}  // namespace strata
