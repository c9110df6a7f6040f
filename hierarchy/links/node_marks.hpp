// NodeMarks: which nodes of a world are in a subtree.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <vector>

#include "../../core/memory_use.hpp"

namespace strata::detail {

/// A byte for each node. Kept, so that taking a subtree down needs no memory.
class NodeMarks {
 public:
  explicit NodeMarks(std::pmr::memory_resource* memory) : marks_(memory) {}

  /// Makes room for `count` nodes.
  /// Errors: std::bad_alloc; nothing has changed then.
  void reserve(std::size_t count) {
    if (count > marks_.size()) marks_.resize(count, Mark::unknown);
  }

  /// Marks the nodes below `root`, and `root` itself. `parent_of(node)` leads upwards, to a number that is not
  /// below `size` from a root. Nodes are asked in their order, which is that of memory: most come after their
  /// parents, whose marks are known by then.
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

  /// Gives back the room for nodes from `count` on.
  void shrink(std::size_t count) noexcept {
    if (count < marks_.size()) marks_.resize(count);
    marks_.shrink_to_fit();
  }

  MemoryUse memory_use() const { return memory_use_of(marks_); }

  /// Takes all marks away.
  void clear() noexcept { marks_.assign(marks_.size(), Mark::unknown); }

 private:
  enum class Mark : std::uint8_t { unknown, inside, outside };

  std::pmr::vector<Mark> marks_;
};

}  // namespace strata::detail
