// PendingTableClears: the tables that lose all of their rows when a subtree is destroyed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "../tables/table.hpp"

namespace strata::detail {

/// Counts the rows to be erased, by table. Tables that lose all of their rows can be cleared as a whole,
/// without a visit to each row. This needs no memory: such tables are chained by the link of their first
/// block to the previous block, which is not used otherwise.
class PendingTableClears {
 public:
  /// Counts a row of the table that is going to be erased.
  void reserve(Table& table) noexcept {
    if (++table.leaving_rows_ != table.row_count_) return;
    table.first_block_->previous = last_;
    last_ = table.first_block_;
    rows_ += table.row_count_;
  }

  /// Subtracts rows that have been erased.
  static void mark_erased(Table& table, std::uint32_t count) noexcept {
    table.leaving_rows_ -= std::min(table.leaving_rows_, count);
  }

  /// Resets the count of a table. The table stays in the chain if it is there.
  static void forget(Table& table) noexcept { table.leaving_rows_ = 0; }

  /// Returns: whether all rows of the table are going to be erased.
  static bool all_leave(const Table& table) { return table.leaving_rows_ == table.row_count_; }

  /// Returns: the number of rows in the tables that lose all of their rows.
  std::size_t rows() const { return rows_; }

  /// Removes and returns the last table of the chain; null when it is empty.
  Table* take() noexcept {
    if (last_ == nullptr) return nullptr;
    Block& block = *std::exchange(last_, last_->previous);
    block.previous = nullptr;
    rows_ -= table_of(block).row_count_;
    return &table_of(block);
  }

  /// Empties the chain. The rows of its tables are then erased one by one.
  void unchain() noexcept {
    while (take() != nullptr) {
    }
  }

 private:
  Block* last_ = nullptr;  // The first block of the table that `take` returns next.
  std::size_t rows_ = 0;   // In the tables of the chain.
};

}  // namespace strata::detail
