// Block: one allocation that stores consecutive rows of a table, with a column for each component.
#pragma once

#include <cstddef>
#include <cstdint>

#include "component.hpp"
#include "entity.hpp"

namespace strata::detail {

class BlockFormat;

/// The header of a cache that is attached to a block. The cache contains data that were computed from the block's rows,
/// for example the position of the parent's row for each row (see Origins). The data follow this header in the same
/// allocation, which is freed with the block.
///
/// Adding rows to the block sets `valid` to false. All other changes leave `valid` as it is, so the code that uses the
/// cache has to detect them. The move log (see MoveLog) lists the rows that were moved and the entities that got
/// another parent. If the block has fewer rows than when the data were computed, rows were removed from its end.
struct BlockCache {
  std::uint32_t bytes;  ///< Size of the whole allocation.
  bool valid;           ///< False after rows were added, or if a reader has discarded the data.
};

/// A block is one allocation that stores consecutive rows of a table: a column of values for each component, and a
/// column of entities. A table has a list of blocks. This struct is the header of the allocation. Behind the header are
/// the time of the last write (a count of WriteClock) of each component whose writes are recorded (see Tracking), and
/// then the columns.
///
/// Rows [0, count) hold values. Each column has room for `capacity` values and starts at `columns + prefix * capacity`.
/// The prefix of a column is the number of bytes per row of all columns before it (see BlockFormat).
struct alignas(64) Block {
  /// A bit of the member `version`. While the bit is set, the next change of the block's rows adds the depth of the
  /// block's entities in the hierarchy to the set RowChanges::ranks, and clears the bit. RowChanges::watch sets it
  /// again. So readers that look for changed rows visit only the depths in that set.
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
  std::uint32_t label;    ///< Copied from the set of tables to which the table belongs (see Branch::label).

  /// Returns: an array with one time for each column of a component whose writes are recorded: the time of the last
  /// write to a value in that column (see WriteClock). The order is that of BlockFormat::tracked.
  std::uint64_t* stamps() { return reinterpret_cast<std::uint64_t*>(this + 1); }
  const std::uint64_t* stamps() const { return reinterpret_cast<const std::uint64_t*>(this + 1); }

  /// Returns: the first value of a column. `prefix` is the number of bytes per row of all columns before it (see
  /// BlockFormat).
  std::byte* column(std::uint32_t prefix) const { return columns + std::size_t{prefix} * capacity; }

  /// Returns: the value in row `row` of a column whose values have `size` bytes each. `prefix` is the number of
  /// bytes per row of all columns before it (see BlockFormat).
  std::byte* value(std::uint32_t prefix, std::uint32_t row, std::size_t size) const {
    return column(prefix) + std::size_t{row} * size;
  }
};
static_assert(sizeof(Block) == 64);

/// Returns: the first value of a column of the block; the values have type T. `prefix` is the number of bytes per row
/// of all columns before it (see BlockFormat).
template <class T>
T* column_of(const Block& block, std::uint32_t prefix) {
  return reinterpret_cast<T*>(block.column(prefix));
}

}  // namespace strata::detail
