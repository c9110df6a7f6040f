// Functions that move the values of one row to another row, possibly of another archetype.
#pragma once

#include <cstddef>
#include <cstring>

#include "../../core/block_format.hpp"
#include "../../core/compiler.hpp"
#include "../../core/slots.hpp"

namespace strata::detail {

/// A look-up of columns for a row that moves between blocks of one format (column layout): `find` returns the column
/// that it is given. Used instead of SharedColumns, which finds the columns that two formats share.
struct SameColumns {
  explicit SameColumns(const BlockFormat&) {}
  const Column* find(const Column& column) noexcept { return &column; }
};

/// The data from which the addresses of one row's values are computed, copied from the row's block. Without a copy, the
/// compiler would have to assume that each write of a value changes the data in the block, and read them again.
class RowBase {
 public:
  explicit RowBase(const Place& place)
      : columns_(place.block->columns), capacity_(place.block->capacity), row_(place.row) {}

  /// Returns: the address of the value of a column in this row.
  std::byte* value(const Column& column) const { return value_at(column, offset_of(column)); }

  /// The two steps of `value`: `offset_of` returns the offset of the column in the block, and `value_at` the address of
  /// the row's value for that offset. All full-size blocks of a table have the same capacity, so an offset that was
  /// found for one of them is valid for the others.
  std::size_t offset_of(const Column& column) const { return column.prefix * capacity_; }
  std::byte* value_at(const Column& column, std::size_t offset) const {
    return columns_ + offset + row_ * column.size;
  }

 private:
  std::byte* columns_;
  std::size_t capacity_;
  std::size_t row_;
};

/// Copies `bytes` bytes from `from` to `to`. If an address `follower` is given, then copies the same number of bytes
/// from `follower` to `from`, because another row fills the place of the moved one. A copy takes less time if the size
/// is known at compile time.
template <std::size_t bytes, class... Follower>
STRATA_ALWAYS_INLINE inline void move_bytes(std::byte* to, std::byte* from, Follower... follower) noexcept {
  std::memcpy(to, from, bytes);
  (std::memcpy(from, follower, bytes), ...);
}

/// Moves a value of a column from `from` to `to`. If an address `follower` is given, then moves the value at `follower`
/// to `from`. Called by `move_value` for values that are not plain bytes or have other sizes than 4, 8, 12 and 16
/// bytes. This function has fast paths for 48 and 64 bytes, which are common sizes of transforms (matrices).
template <class... Follower>
STRATA_NOINLINE inline void move_large_value(const Column& column, std::byte* to, std::byte* from,
                                             Follower... follower) noexcept {
  switch (column.plain_size) {
    case 48:
      return move_bytes<48>(to, from, follower...);
    case 64:
      return move_bytes<64>(to, from, follower...);
    default:
      column.relocate_values(to, from, 1);
      (column.relocate_values(from, follower, 1), ...);
  }
}

/// Moves a value of a column from `from` to `to`. If an address `follower` is given, then moves the value at `follower`
/// to `from`.
template <class... Follower>
STRATA_ALWAYS_INLINE inline void move_value(const Column& column, std::byte* to, std::byte* from,
                                            Follower... follower) noexcept {
  switch (column.plain_size) {
    case 4:
      return move_bytes<4>(to, from, follower...);
    case 8:
      return move_bytes<8>(to, from, follower...);
    case 12:
      return move_bytes<12>(to, from, follower...);
    case 16:
      return move_bytes<16>(to, from, follower...);
    default:
      return move_large_value(column, to, from, follower...);
  }
}

/// Moves the values of the row `last` to the row `hole` of the same table. `hole` has no values before the call, and
/// `last` has none afterwards.
/// Complexity: O(columns).
inline void fill_hole(const Place& hole, const Place& last) noexcept {
  const RowBase target(hole);
  const RowBase source(last);
  for (const Column& column : hole.block->format->columns()) {
    const std::size_t offset = target.offset_of(column);
    move_value(column, target.value_at(column, offset), source.value_at(column, offset));
  }
}

/// A function to pass to `move_values` as `remove`: it destroys the value.
struct DestroyRemoved {
  void operator()(const Column& column, void* value) const noexcept {
    column.component->destroy_values(value, 1);
  }
};

/// A function to pass to `move_values` as `remove`: it does nothing, for values that need no destructor.
struct LeaveRemoved {
  void operator()(const Column&, void*) const noexcept {}
};

/// Moves the values of the row at `from` to the row at `to`, whose values are uninitialised. `columns.find(column)`
/// returns the column of the new row for a column of the old one; null if there is none. For each value without a
/// column in the new row, calls `remove(column, value)`, which has to end the lifetime of the value. If `fills` is
/// true, then fills the row at `from` with the values of the row at `last`, another row of the old table. Both moves
/// are done in one loop over the columns, because finding the columns takes most of the time. If `fills` is false,
/// moves nothing from `last`, which may be any row of the old block.
/// Complexity: O(columns).
template <bool fills, class Columns, class Remove = DestroyRemoved>
STRATA_ALWAYS_INLINE inline void move_values(const Place& to, const Place& from, const Place& last,
                                             Columns columns, Remove remove = {}) noexcept {
  const RowBase target(to);
  const RowBase source(from);
  const RowBase filler(last);
  for (const Column& column : from.block->format->columns()) {
    const std::size_t offset = source.offset_of(column);
    std::byte* const value = source.value_at(column, offset);
    std::byte* const follower = filler.value_at(column, offset);
    const Column* const there = columns.find(column);
    if (there == nullptr) [[unlikely]] {
      remove(column, value);
      if constexpr (fills) move_value(column, value, follower);
    } else if constexpr (fills) {
      move_value(column, target.value(*there), value, follower);
    } else {
      move_value(column, target.value(*there), value);
    }
  }
}

/// Calls `move_values` with a new `Columns` object (SameColumns or SharedColumns) for the format of the row at `to`.
/// This function is not inlined, so that the loop in `move_values` does not share registers with the caller's code.
template <bool fills, class Columns, class Remove>
STRATA_NOINLINE void move_values_apart(Place to, Place from, Place last, Remove remove) noexcept {
  move_values<fills>(to, from, last, Columns(*to.block->format), remove);
}

/// Moves the values of the row at `from` to the row at `to` in another table. Then moves the values of the row at
/// `last`, the last row of the old table, to `from`, unless `from` is the row at `last`. Calls `remove(column, value)`
/// for each value that has no column in the new table. `Columns` is SameColumns if the formats of the tables are the
/// same, otherwise SharedColumns.
template <class Columns, class Remove>
void move_row(Place to, Place from, Place last, Remove remove) noexcept {
  if (last.block == from.block && last.row == from.row) {
    move_values_apart<false, Columns>(to, from, last, remove);
  } else {
    move_values_apart<true, Columns>(to, from, last, remove);
  }
}

}  // namespace strata::detail
