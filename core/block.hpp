// Block: one allocation that stores consecutive rows of a table, with a column for each component.
#pragma once

#include <cstddef>
#include <cstdint>

#include "component.hpp"
#include "entity.hpp"

namespace strata::detail {

class BlockFormat;

/// The header of a cache that is attached to a block: data that a reader computed from the block's rows, such as
/// the location of the parent of each row's entity (see Origins). The data follow this header in the same
/// allocation, which is freed with the block.
///
/// Adding rows to the block sets `valid` to false. The reader has to detect other changes itself: the move log
/// (see MoveLog) lists the rows that were moved and the entities that got another parent, and a lower row count
/// shows that rows were removed from the end.
struct BlockCache {
  std::uint32_t bytes;  ///< Size of the whole allocation.
  bool valid;           ///< False after rows were added, or if a reader has discarded the data.
};

/// A block is one allocation that stores consecutive rows of a table: a column of values for each component,
/// and a column of entities. A table has a list of blocks. This is the header of the allocation. Behind it
/// follow the stamps of tracked components (the times of their last writes, see Tracking), if there are any,
/// and the columns.
///
/// Rows [0, count) hold values. Each column has room for `capacity` values. It starts at `columns + prefix *
/// capacity`, where its prefix is the number of bytes per row of all columns before it (see BlockFormat).
struct alignas(64) Block {
  /// A bit of `version`. If it is set, the next change of the block's rows adds the rank of the block's table
  /// (the depth of its entities in the hierarchy, see Branch) to the set of changed ranks; see RowChanges::watch.
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
  std::uint32_t label;    ///< A copy of the label of the table's branch (see Branch::label).

  /// Returns: an array with one time for each column of a tracked component, in the order of
  /// BlockFormat::tracked: when a value in the column was last written (see WriteClock).
  std::uint64_t* stamps() { return reinterpret_cast<std::uint64_t*>(this + 1); }
  const std::uint64_t* stamps() const { return reinterpret_cast<const std::uint64_t*>(this + 1); }

  /// Returns: the first value of the column with this prefix, the number of bytes per row of all columns before
  /// it (see BlockFormat).
  std::byte* column(std::uint32_t prefix) const { return columns + std::size_t{prefix} * capacity; }

  /// Returns: the value in row `row` of a column whose values have `size` bytes each. `prefix` is the number of
  /// bytes per row of all columns before it (see BlockFormat).
  std::byte* value(std::uint32_t prefix, std::uint32_t row, std::size_t size) const {
    return column(prefix) + std::size_t{row} * size;
  }
};
static_assert(sizeof(Block) == 64);

/// Returns: the first value, of type T, of the block's column with this prefix, the number of bytes per row of
/// all columns before it (see BlockFormat).
template <class T>
T* column_of(const Block& block, std::uint32_t prefix) {
  return reinterpret_cast<T*>(block.column(prefix));
}

}  // namespace strata::detail
