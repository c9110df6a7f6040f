// NodeMarks: marks an entity and all entities below it, in order to destroy them.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "../../core/memory_use.hpp"
#include "../../core/plain_list.hpp"

namespace strata::detail {

/// Marks an entity and all entities below it, in order to destroy them. An entity is called a node here, and is given
/// by its slot index. There is one byte for each node of the world. These bytes are reserved in advance, so that
/// destroying entities allocates no memory.
class NodeMarks {
 public:
  explicit NodeMarks(std::pmr::memory_resource* memory) : marks_(memory) {}

  /// Reserves memory for the marks of all nodes whose index is less than `count`.
  /// Errors: std::bad_alloc; nothing has changed then.
  void reserve(std::size_t count);

  /// Marks `root` and the nodes below it. `size` is the number of nodes of the world. `parent_of(node)` returns the
  /// parent of a node; for a node without a parent, a number that is not less than `size`. Goes through all nodes by
  /// ascending index, and records for each whether it is below `root`: it is if its parent is `root` or below `root`.
  /// For most nodes, this is already recorded for the parent, which has a lower index. For each other node, goes up to
  /// the nearest ancestor for which it is recorded.
  /// Contract: `reserve` was called for `size`; nothing is marked.
  /// Complexity: O(size).
  template <class ParentOf>
  void mark_subtree(std::uint32_t root, std::uint32_t size, ParentOf parent_of) noexcept {
    marks_[root] = Mark::inside;
    for (std::uint32_t node = 0; node < size; ++node) {
      if (marks_[node] != Mark::unknown) continue;
      std::uint32_t known = node;
      do {
        known = parent_of(known);
      } while (known < size && marks_[known] == Mark::unknown);
      const Mark mark = known < size ? marks_[known] : Mark::outside;
      for (std::uint32_t at = node; at != known && at < size; at = parent_of(at)) marks_[at] = mark;
    }
  }

  bool is_marked(std::uint32_t node) const noexcept {
    return node < marks_.size() && marks_[node] == Mark::inside;
  }

  /// Frees the memory of the marks of nodes with index `count` and above.
  void shrink(std::size_t count) noexcept;

  MemoryUse memory_use() const { return memory_use_of(marks_); }

  /// Removes the marks of all nodes.
  void clear() noexcept;

 private:
  enum class Mark : std::uint8_t { unknown, inside, outside };

  PlainList<Mark> marks_;
};

}  // namespace strata::detail
