// UnfinishedRows: hides new rows at the end of a table from queries until their values are constructed.
#pragma once

#include <cstdint>

#include "../../core/compiler.hpp"
#include "../tables/table.hpp"
#include "row_changes.hpp"

namespace strata::detail {

/// Hides those rows of a table that were appended since this object was constructed. `hide` subtracts these rows from
/// the counts of the table and its blocks, so that queries do not visit them. `show` and the destructor add them again.
/// The table must not change while rows are hidden.
class UnfinishedRows {
 public:
  /// `show` records a change in `changes`, because a query that ran while the rows were hidden may have cached data
  /// about the table, and these data lack the hidden rows.
  UnfinishedRows(Table& table, RowChanges& changes)
      : table_(table), changes_(changes), rows_before_(table.row_count_), last_before_(table.last_block_) {
    if (last_before_ != nullptr) count_before_ = last_before_->count;
  }
  UnfinishedRows(const UnfinishedRows&) = delete;
  UnfinishedRows& operator=(const UnfinishedRows&) = delete;
  ~UnfinishedRows() { show(); }

  STRATA_API void hide() noexcept;
  STRATA_API void show() noexcept;

 private:
  /// Returns: the first block of the table that contains only rows to hide; null when there is none.
  Block* first_new_block() const { return rows_before_ == 0 ? table_.first_block_ : last_before_->next; }

  Table& table_;
  RowChanges& changes_;
  std::uint32_t rows_before_;
  std::uint32_t count_before_ = 0;
  Block* last_before_;
  // The values that `hide` saves before it changes them, and that `show` restores: the number of rows of the table, its
  // last block, and the numbers of rows of two blocks. If `last_` is null, no rows are hidden.
  std::uint32_t rows_ = 0;
  Block* last_ = nullptr;
  std::uint32_t count_ = 0;      // The rows of the block that was the last one when this object was made.
  std::uint32_t new_count_ = 0;  // The rows of the block that `first_new_block` returns.
};

}  // namespace strata::detail
