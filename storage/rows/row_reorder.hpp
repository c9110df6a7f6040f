// RowReorder: moves the rows of a table to new blocks, in another order.
#pragma once

#include <cstdint>
#include <span>

#include "rows.hpp"

namespace strata::detail {

/// Gives a table new blocks, and moves rows into them in the given order. These are the rows of the table
/// itself, or rows of other tables of the same archetype that go to an empty table. The moves are not logged:
/// the caller has to notify readers that cache row positions.
///
/// Contract: once a row has been taken, all reserved rows are filled and then `finish` is called. By then,
/// this or another row_reorder has taken all rows of the table itself. Nothing else changes the tables
/// meanwhile.
class RowReorder {
 public:
  /// Allocates new blocks for `count` rows. If the table has rows, none of them may stay.
  /// Errors: std::bad_alloc; nothing has changed then.
  RowReorder(Rows& rows, Table& table, std::uint32_t count);
  RowReorder(const RowReorder&) = delete;
  RowReorder& operator=(const RowReorder&) = delete;
  RowReorder(RowReorder&& other) noexcept
      : rows_(other.rows_),
        table_(other.table_),
        count_(other.count_),
        first_(other.first_),
        filling_(other.filling_) {
    other.first_ = nullptr;
  }
  /// Frees the new blocks, unless `finish` was called.
  ~RowReorder();

  /// Moves the rows of these entities (slot indices) to the next new rows.
  /// Contract: their rows are at `places`, in old blocks of tables of the same archetype.
  /// Complexity: O(columns * rows).
  void take(std::span<const std::uint32_t> entities, std::span<const Place> places) noexcept;

  /// Replaces the old blocks by the new ones.
  /// Invalidates: pointers to the table's values.
  void finish() noexcept;

 private:
  void free_blocks() noexcept;
  void give_back() noexcept;
  void take_into_block(std::span<const std::uint32_t> entities, std::span<const Place> places) noexcept;

  Rows& rows_;
  Table& table_;
  std::uint32_t count_;       // The new number of rows of the table.
  Block* first_ = nullptr;    // Of the blocks to free: the new ones; after `finish`, the old ones.
  Block* filling_ = nullptr;  // The block of the next row.
};

}  // namespace strata::detail
