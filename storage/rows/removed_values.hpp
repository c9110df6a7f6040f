// RemovedValues: the values that a row has lost with its components, until they are destroyed.
#pragma once

#include <cstddef>
#include <memory_resource>
#include <utility>

#include "../changes/swap_space.hpp"

namespace strata::detail {

/// The values of one row that have no column in its new table. They are where they would be in a block of one row of the
/// old table.
class RemovedValues {
 public:
  explicit RemovedValues(std::pmr::memory_resource* memory) : space_(memory) {}

  /// Makes room for the values of a row of that format.
  /// Errors: std::bad_alloc; nothing has changed then.
  void reserve(const BlockFormat& format) { space_.reserve(format.row_bytes(), format.alignment()); }

  /// Takes a value over, if it has to be destroyed.
  void take(const Column& column, void* value) noexcept {
    if (column.component->destroy != nullptr) column.relocate_values(value_of(column), value, 1);
  }

  /// Notes that a row has moved from one format to another, after `take` of the values that have no column there.
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
