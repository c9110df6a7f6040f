// ForestOrder: checks a forest given by parent indices and computes its breadth-first order.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>

#include "../../core/scratch_array.hpp"
#include "built_hierarchy.hpp"

namespace strata::detail {

/// The breadth-first order of a forest that is given by the parent index of each node. Siblings are
/// neighbours in the order of their indices, and families follow the order of their parents. A position is an
/// index in this order; a node is an index in the input.
class ForestOrder {
 public:
  /// The children of one node. Their positions begin at the end of the previous family, or of the roots, and
  /// end at `end`.
  struct Family {
    std::uint32_t parent;  ///< Its position.
    std::uint32_t end;
  };

  /// Errors: std::bad_alloc.
  /// Complexity: O(nodes).
  ForestOrder(std::span<const std::uint32_t> parents, std::pmr::memory_resource* memory);

  /// Returns: a sentence that names the nodes that are not valid; empty if the input is a forest.
  /// `root_count`, `nodes` and `families` require a forest.
  const std::string& refusal() const { return refusal_; }

  std::uint32_t size() const { return size_; }
  std::uint32_t root_count() const { return root_count_; }

  /// Returns: the node at each position; null if the input is in breadth-first order already.
  const std::uint32_t* nodes() const { return nodes_.data(); }

  /// Returns: the families of all nodes that have children, in the order of their parents.
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
