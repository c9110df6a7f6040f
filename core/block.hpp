// Block: one allocation that holds all columns of a run of rows.
#pragma once

#include <cstddef>
#include <cstdint>

#include "component.hpp"
#include "entity.hpp"

namespace strata::detail {

class BlockFormat;

/// The header of data that a reader caches for the rows of a block. The data follow the header; the block
/// frees both. The reader defines their format. New rows make the cache invalid. The reader learns of moved
/// rows, and of rows related to moved rows, from the move log. It detects rows removed from the end by their
/// count.
struct BlockCache {
  std::uint32_t bytes;  ///< Size of the whole allocation.
  bool valid;           ///< False after a change that the reader cannot learn from the move log.
};

/// The header in front of a block's stamps (if it has any) and columns. Rows [0, count) hold values. Each
/// column has room for `capacity` values, so it starts at `columns + prefix * capacity` for every capacity.
struct alignas(64) Block {
  /// The bit of `version` that requests a record of the next change (see RowChanges::watch).
  static constexpr std::uint32_t kWatched = 1u << 31;

  const BlockFormat* format;
  std::byte* columns;
  void* owner;  ///< The table that owns the rows.
  Block* next;
  Block* previous;
  BlockCache* cache;
  std::uint32_t capacity;
  std::uint32_t count;
  std::uint32_t version;  ///< Changes whenever another entity takes or leaves a row.
  std::uint32_t label;    ///< The label of the branch of the rows.

  /// Returns: the stamp of the last write to each tracked column, in the order of BlockFormat::tracked.
  std::uint64_t* stamps() { return reinterpret_cast<std::uint64_t*>(this + 1); }
  const std::uint64_t* stamps() const { return reinterpret_cast<const std::uint64_t*>(this + 1); }

  /// Returns: the first value of the column with this prefix (see BlockFormat).
  std::byte* column(std::uint32_t prefix) const { return columns + std::size_t{prefix} * capacity; }

  /// Returns: the value of `size` bytes in this row of the column with this prefix.
  std::byte* value(std::uint32_t prefix, std::uint32_t row, std::size_t size) const {
    return column(prefix) + std::size_t{row} * size;
  }
};
static_assert(sizeof(Block) == 64);

/// Returns: the values of type T in the column with this prefix.
template <class T>
T* column_of(const Block& block, std::uint32_t prefix) {
  return reinterpret_cast<T*>(block.column(prefix));
}

}  // namespace strata::detail
