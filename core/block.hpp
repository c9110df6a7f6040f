// Block: one allocation that holds all columns of a run of rows.
#pragma once

#include <cstddef>
#include <cstdint>

#include "component.hpp"
#include "entity.hpp"

namespace strata {

class ColumnLayout;

/// The header in front of a block's columns. Rows [0, count) hold values; the columns follow the header, each
/// `capacity` values long, so that a column starts at `columns + prefix * capacity` whatever the capacity.
struct alignas(64) Block {
  const ColumnLayout* layout;
  std::byte* columns;
  void* owner;  ///< The table whose rows these are.
  Block* next;
  Block* previous;
  std::uint32_t capacity;
  std::uint32_t count;
  std::size_t bytes;  ///< Of the whole allocation, header included.

  /// Returns: the first value of the column with that prefix (see ColumnLayout).
  std::byte* column(std::uint32_t prefix) const { return columns + std::size_t{prefix} * capacity; }

  /// Returns: a row's value, of `size` bytes, in the column with that prefix.
  std::byte* value(std::uint32_t prefix, std::uint32_t row, std::size_t size) const {
    return column(prefix) + std::size_t{row} * size;
  }
};

/// The values of T in `block`'s column with that prefix.
template <class T>
T* column_of(const Block& block, std::uint32_t prefix) {
  return reinterpret_cast<T*>(block.column(prefix));
}

}  // namespace strata
