// What is done with the values of a row that moves alone, as most rows do.
#pragma once

#include <cstring>

#include "../core/column_layout.hpp"
#include "../core/slots.hpp"

namespace strata::detail {

/// Of a row that stays in its layout, every column is its own.
struct SameColumns {
  const Column* find(const Column& column) noexcept { return &column; }
};

/// What the addresses of a row's values are made from. Kept apart from the block, which the compiler would read again
/// after every value that is written.
class RowBase {
 public:
  explicit RowBase(const Place& place)
      : columns_(place.block->columns), capacity_(place.block->capacity), row_(place.row) {}

  std::byte* value(const Column& column) const {
    return columns_ + column.prefix * capacity_ + row_ * column.size;
  }

 private:
  std::byte* columns_;
  std::size_t capacity_;
  std::size_t row_;
};

/// Moves the values of a row to another row, whose values are uninitialised, and destroys those for which `columns`
/// finds no column there.
/// Complexity: O(columns).
template <class Columns>
[[gnu::always_inline]] inline void move_values(const Place& to, const Place& from, Columns columns) noexcept {
  const RowBase target(to);
  const RowBase source(from);
  for (const Column& column : from.block->layout->columns()) {
    std::byte* const value = source.value(column);
    const Column* const there = columns.find(column);
    if (there == nullptr) [[unlikely]] {
      column.component->destroy_values(value, 1);
      continue;
    }
    std::byte* const place = target.value(*there);
    // The sizes that most values have: copying a number of bytes that is known here costs less than any number.
    switch (column.plain_size) {
      case 4:
        std::memcpy(place, value, 4);
        break;
      case 8:
        std::memcpy(place, value, 8);
        break;
      case 12:
        std::memcpy(place, value, 12);
        break;
      case 16:
        std::memcpy(place, value, 16);
        break;
      default:
        column.relocate_values(place, value, 1);
    }
  }
}

}  // namespace strata::detail
