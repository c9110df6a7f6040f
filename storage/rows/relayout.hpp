// Relayout: lays the rows of a table out anew, in another order.
#pragma once

#include <cstdint>
#include <span>

#include "rows.hpp"

namespace strata::detail {

/// Gives a table new blocks, and moves rows to them in the order in which they are given: those of the table that are to stay
/// there, or those of other tables of its archetype that are to be an empty one's. Moves are not logged: readers that remember
/// where the rows were have to be told otherwise.
///
/// Contract: once a row has been taken, as many are as there is room for, and then `finish` is called. All rows of the table
/// itself have been taken then, by this relayout or another. Nothing else changes the tables meanwhile.
class Relayout {
 public:
  /// Makes new blocks with room for so many rows; a table that has rows may keep none of them.
  /// Errors: std::bad_alloc; nothing has changed then.
  Relayout(Rows& rows, Table& table, std::uint32_t count);
  Relayout(const Relayout&) = delete;
  Relayout& operator=(const Relayout&) = delete;
  Relayout(Relayout&& other) noexcept
      : rows_(other.rows_),
        table_(other.table_),
        count_(other.count_),
        first_(other.first_),
        filling_(other.filling_) {
    other.first_ = nullptr;
  }
  /// Gives the new blocks back, unless `finish` was called.
  ~Relayout();

  /// Moves the rows of entities, by slot index, to the next new rows.
  /// Contract: their rows are at `places`, in old blocks of tables of the same archetype.
  /// Complexity: O(columns * rows).
  void take(std::span<const std::uint32_t> entities, std::span<const Place> places) noexcept;

  /// Puts the new blocks in place of the old ones.
  /// Invalidates: pointers to the table's values.
  void finish() noexcept;

 private:
  void free_blocks() noexcept;
  void give_back() noexcept;
  void take_into_block(std::span<const std::uint32_t> entities, std::span<const Place> places) noexcept;

  Rows& rows_;
  Table& table_;
  std::uint32_t count_;       // How many rows the table is going to have.
  Block* first_ = nullptr;    // Of the blocks to be freed: the new ones, or after `finish` the old ones.
  Block* filling_ = nullptr;  // The one that the next row goes to.
};

}  // namespace strata::detail
