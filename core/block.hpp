// Block: one allocation that holds all columns of a run of rows.
#pragma once

#include <cstddef>
#include <cstdint>

#include "component.hpp"
#include "entity.hpp"

namespace strata::detail {

class ColumnLayout;

/// What a reader has derived from the rows of a block, kept with the block and freed with it; what follows this
/// header is the reader's business. New rows void it. Of rows that move, and of what relates to them, the reader
/// learns by the log of moves, and it knows by itself that rows at the end are gone.
struct Companion {
  std::uint32_t bytes;  ///< Of the whole allocation.
  bool valid;           ///< Nothing has happened but what the reader learns of.
};

/// The header in front of a block's stamps, if it has any, and columns. Rows [0, count) hold values; each column is
/// `capacity` values long, so that it starts at `columns + prefix * capacity` whatever the capacity.
struct alignas(64) Block {
  /// The bit of `version` that says that the next change is to be noted (see Rows::watch).
  static constexpr std::uint32_t kWatched = 1u << 31;

  const ColumnLayout* layout;
  std::byte* columns;
  void* owner;  ///< The table whose rows these are.
  Block* next;
  Block* previous;
  Companion* companion;
  std::uint32_t capacity;
  std::uint32_t count;
  std::uint32_t version;  ///< Changes whenever another entity takes or leaves a row.
  std::uint32_t label;    ///< That of the branch where the rows sit.

  /// Returns: when values of each tracked column were last written (see ColumnLayout::tracked), in their order.
  std::uint64_t* stamps() { return reinterpret_cast<std::uint64_t*>(this + 1); }
  const std::uint64_t* stamps() const { return reinterpret_cast<const std::uint64_t*>(this + 1); }

  /// Returns: the first value of the column with that prefix (see ColumnLayout).
  std::byte* column(std::uint32_t prefix) const { return columns + std::size_t{prefix} * capacity; }

  /// Returns: a row's value, of `size` bytes, in the column with that prefix.
  std::byte* value(std::uint32_t prefix, std::uint32_t row, std::size_t size) const {
    return column(prefix) + std::size_t{row} * size;
  }
};
static_assert(sizeof(Block) == 64);

/// The values of T in `block`'s column with that prefix.
template <class T>
T* column_of(const Block& block, std::uint32_t prefix) {
  return reinterpret_cast<T*>(block.column(prefix));
}

}  // namespace strata::detail
