// RemovedValues: keeps the values of components that were removed from an entity, until they are destroyed.
#pragma once

#include <cstddef>
#include <memory_resource>
#include <utility>

#include "../changes/swap_space.hpp"

namespace strata::detail {

/// The values that one row lost when it moved to another archetype. They are kept until the current change ends;
/// `destroy` runs their destructors then (see Rows::destroy_dead). Each value is stored at the offset that it would
/// have in a block of the old archetype with room for one row.
class RemovedValues {
 public:
  explicit RemovedValues(std::pmr::memory_resource* memory) : space_(memory) {}

  /// Makes room for the values of one row. `format` is the column layout of the row's block.
  /// Errors: std::bad_alloc; nothing has changed then.
  void reserve(const BlockFormat& format) { space_.reserve(format.row_bytes(), format.alignment()); }

  /// Moves the value at `value`, which belongs to the row's column `column`, to the memory of this object. Does nothing
  /// if the component has no destructor.
  /// Contract: `reserve` was called for the row's format, and this object stores no value of another row.
  void take(const Column& column, void* value) noexcept {
    if (column.component->destroy != nullptr) column.relocate_values(value_of(column), value, 1);
  }

  /// Called after a row has moved from a block with the column layout `from` to a block with the layout `to`, and
  /// `take` was called for each value that has no column in `to`. Remembers both layouts for `destroy`.
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
  const BlockFormat* from_ = nullptr;  // The old format of the row; null if there are no values.
  const BlockFormat* to_ = nullptr;
};

}  // namespace strata::detail
