// LeavingTables: the tables that all rows are going to leave, while a subtree is taken down.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "../tables/table.hpp"

namespace strata::detail {

/// Counts the rows that are announced to leave, table by table. Tables that all of their rows leave can be cleared
/// as a whole, without looking at their rows. Takes no memory: such tables are chained by their first blocks,
/// which have none before them.
class LeavingTables {
 public:
  /// Announces that a row of the table is going to be erased.
  void reserve(Table& table) noexcept {
    if (++table.leaving_rows_ != table.row_count_) return;
    table.first_block_->previous = last_;
    last_ = table.first_block_;
    rows_ += table.row_count_;
  }

  /// Notes that announced rows have been erased.
  static void note_erased(Table& table, std::uint32_t count) noexcept {
    table.leaving_rows_ -= std::min(table.leaving_rows_, count);
  }

  /// Takes all announcements for a table back, but for its place in the chain of those that all rows leave.
  static void forget(Table& table) noexcept { table.leaving_rows_ = 0; }

  /// Returns: whether the erasure of all rows of the table has been announced.
  static bool all_leave(const Table& table) { return table.leaving_rows_ == table.row_count_; }

  /// Returns: how many rows are in the tables that all of their rows leave.
  std::size_t rows() const { return rows_; }

  /// Returns: the last such table, each once; null when there is none left.
  Table* take() noexcept {
    if (last_ == nullptr) return nullptr;
    Block& block = *std::exchange(last_, last_->previous);
    block.previous = nullptr;
    rows_ -= table_of(block).row_count_;
    return &table_of(block);
  }

  /// Forgets which tables those are: their rows are erased with the others that were announced.
  void unchain() noexcept {
    while (take() != nullptr) {
    }
  }

 private:
  Block* last_ = nullptr;  // The first block of the table that is taken next.
  std::size_t rows_ = 0;   // In the tables of the chain.
};

}  // namespace strata::detail
