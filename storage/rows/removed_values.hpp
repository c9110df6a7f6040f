// RemovedValues: the values that a row has lost with its components, until they are destroyed.
#pragma once

#include <cstddef>
#include <memory_resource>
#include <utility>

#include "../changes/swap_space.hpp"

namespace strata::detail {

/// Values of one row that the row lost by moving to another archetype, kept until their destructors may
/// run. They are stored as in a block of one row of the old format.
class RemovedValues {
 public:
  explicit RemovedValues(std::pmr::memory_resource* memory) : space_(memory) {}

  /// Makes room for the values of a row of this format.
  /// Errors: std::bad_alloc; nothing has changed then.
  void reserve(const BlockFormat& format) { space_.reserve(format.row_bytes(), format.alignment()); }

  /// Moves a value of this column from `value` to the memory of this object, if it has a destructor;
  /// otherwise does nothing.
  void take(const Column& column, void* value) noexcept {
    if (column.component->destroy != nullptr) column.relocate_values(value_of(column), value, 1);
  }

  /// Records that a row has moved from one format to another, after `take` was called for each value that
  /// has no column there.
  /// Returns: whether there are values to destroy.
  bool mark_moved(const BlockFormat& from, const BlockFormat& to) noexcept {
    for (const Column& column : from.columns()) {
      if (column.component->destroy == nullptr || to.contains(column.id)) continue;
      from_ = &from;
      to_ = &to;
      return true;
    }
    return false;
  }

  /// Destroys the stored values; does nothing if there are none.
  void destroy() noexcept {
    const BlockFormat* const from = std::exchange(from_, nullptr);
    if (from == nullptr) return;
    for (const Column& column : from->columns()) {
      if (!to_->contains(column.id)) column.component->destroy_values(value_of(column), 1);
    }
  }

 private:
  std::byte* value_of(const Column& column) const {
    return static_cast<std::byte*>(space_.value()) + column.prefix;
  }

  SwapSpace space_;
  const BlockFormat* from_ = nullptr;  // Null: there are no values.
  const BlockFormat* to_ = nullptr;
};

}  // namespace strata::detail
