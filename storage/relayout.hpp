// Relayout: lays the rows of a table out anew, in another order.
#pragma once

#include <cstdint>
#include <span>

#include "rows.hpp"

namespace strata {

/// Moves all rows of a table to new blocks, in the order in which they are given. Moves are not logged: readers that
/// remember where the rows were have to be told otherwise.
///
/// Contract: once a row has been taken, all rows of the table are, and then `finish` is called. Nothing else changes
/// the table meanwhile.
class Relayout {
 public:
  /// Makes new blocks with room for all rows.
  /// Errors: std::bad_alloc; nothing has changed then.
  Relayout(Rows& rows, Table& table);
  Relayout(const Relayout&) = delete;
  Relayout& operator=(const Relayout&) = delete;
  Relayout(Relayout&& other) noexcept
      : rows_(other.rows_), table_(other.table_), first_(other.first_), filling_(other.filling_) {
    other.first_ = nullptr;
  }
  /// Gives the new blocks back, unless `finish` was called.
  ~Relayout() { free_blocks(); }

  /// Moves the rows of entities, by slot index, to the next new rows.
  /// Contract: their rows are at `places`, in the table's old blocks.
  /// Complexity: O(columns * rows).
  void take(std::span<const std::uint32_t> entities, std::span<const Place> places) noexcept;

  /// Puts the new blocks in place of the old ones.
  /// Invalidates: pointers to the table's values.
  void finish() noexcept;

 private:
  void free_blocks() noexcept;
  void take_into_block(std::span<const std::uint32_t> entities, std::span<const Place> places) noexcept;

  Rows& rows_;
  Table& table_;
  Block* first_ = nullptr;    // Of the blocks to be freed: the new ones, or after `finish` the old ones.
  Block* filling_ = nullptr;  // The one that the next row goes to.
};

}  // namespace strata
