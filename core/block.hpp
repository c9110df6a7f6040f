// Block: one allocation that holds all columns of a run of rows.
#pragma once

#include <cstddef>
#include <cstdint>

#include "component.hpp"
#include "entity.hpp"

namespace strata::detail {

class BlockFormat;

/// The header of a cache that is attached to a block: data that a reader derived from the block's rows, such
/// as the position of each row's parent (see Origins). The reader defines the data, which follow this header
/// in one allocation. The allocation is freed with the block.
///
/// New rows set `valid` to false. The reader itself finds out about other changes: it reads moved rows, and
/// rows that relate to another row than before, from the move log, and it compares counts to detect rows
/// removed from the end.
struct BlockCache {
  std::uint32_t bytes;  ///< Size of the whole allocation.
  bool valid;           ///< False after a change that the move log does not contain.
};

/// A block is one allocation that stores consecutive rows of a table: a column of values for each component,
/// and a column of entities. A table has a list of blocks. This is the header of the allocation. Behind it
/// follow the stamps (the times of the last writes) of tracked components, if there are any, and the columns.
///
/// Rows [0, count) hold values. Each column has room for `capacity` values. It starts at `columns + prefix *
/// capacity`, where its prefix is the number of bytes per row of all columns before it (see BlockFormat).
struct alignas(64) Block {
  /// A bit of `version`. It is set to have the next change of the block's rows recorded: RowChanges::watch.
  static constexpr std::uint32_t kWatched = 1u << 31;

  const BlockFormat* format;
  std::byte* columns;
  void* owner;  ///< The table that owns the rows.
  Block* next;
  Block* previous;
  BlockCache* cache;
  std::uint32_t capacity;
  std::uint32_t count;
  std::uint32_t version;  ///< Changes whenever a row gets another entity or loses its entity.
  std::uint32_t label;    ///< A copy of Branch::label, of the branch to which the table belongs.

  /// Returns: an array with the time of the last write to each tracked column, in the order of
  /// BlockFormat::tracked.
  std::uint64_t* stamps() { return reinterpret_cast<std::uint64_t*>(this + 1); }
  const std::uint64_t* stamps() const { return reinterpret_cast<const std::uint64_t*>(this + 1); }

  /// Returns: the first value of the column with this prefix (see BlockFormat).
  std::byte* column(std::uint32_t prefix) const { return columns + std::size_t{prefix} * capacity; }

  /// Returns: the value in row `row` of the column with this prefix, whose values have `size` bytes each.
  std::byte* value(std::uint32_t prefix, std::uint32_t row, std::size_t size) const {
    return column(prefix) + std::size_t{row} * size;
  }
};
static_assert(sizeof(Block) == 64);

/// Returns: the first value, of type T, of the block's column with this prefix.
template <class T>
T* column_of(const Block& block, std::uint32_t prefix) {
  return reinterpret_cast<T*>(block.column(prefix));
}

}  // namespace strata::detail
