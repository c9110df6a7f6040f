// MoveLog: the entities whose rows have moved, for caches of row positions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "../../core/memory_use.hpp"

namespace strata::detail {

/// Slot indices of entities whose row has moved or relates to another row than before; new entities are not
/// recorded. One reader takes the entries when it needs them. Recording never allocates. When the log is
/// full, it drops its entries and reports an overflow; the reader then has to rebuild what it derived.
class MoveLog {
 public:
  explicit MoveLog(std::pmr::memory_resource* memory) : entries_(memory) {}

  /// Makes the log large enough that, in a world of this size, it overflows only after a large part has
  /// moved.
  /// Errors: std::bad_alloc; nothing has changed then.
  void reserve(std::size_t entities);

  /// Frees room beyond what `reserve` makes for a world of this size.
  /// Errors: std::bad_alloc; nothing has changed then.
  void shrink(std::size_t entities);

  MemoryUse memory_use() const { return memory_use_of(entries_); }

  void record(std::uint32_t index) noexcept {
    // A full log stays full, so the overflow flag is only checked here.
    if (entries_.size() == entries_.capacity()) [[unlikely]] {
      overflowed_ = true;
    } else {
      entries_.push_back(index);
    }
  }

  bool empty() const { return entries_.empty() && !overflowed_; }

  /// Returns: whether entries have been dropped since `clear`.
  bool overflowed() const { return overflowed_; }
  std::span<const std::uint32_t> entries() const {
    return overflowed_ ? std::span<const std::uint32_t>() : std::span<const std::uint32_t>(entries_);
  }

  void clear() noexcept {
    entries_.clear();
    overflowed_ = false;
  }

 private:
  static constexpr std::size_t kLeast = 256;

  std::pmr::vector<std::uint32_t> entries_;
  bool overflowed_ = false;
};

}  // namespace strata::detail
