// UnfinishedRows: hides new rows at the end of a table from queries until their values are constructed.
#pragma once

#include <cstdint>

#include "../tables/table.hpp"

namespace strata::detail {

/// Hides the rows that are appended to a table after its construction. `hide` subtracts them from the
/// counts of the table and its blocks, so that queries do not visit them, and `show` adds them again, as
/// does the destructor. The table must not change while they are hidden.
class UnfinishedRows {
 public:
  explicit UnfinishedRows(Table& table)
      : table_(table), rows_before_(table.row_count_), last_before_(table.last_block_) {
    if (last_before_ != nullptr) count_before_ = last_before_->count;
  }
  UnfinishedRows(const UnfinishedRows&) = delete;
  UnfinishedRows& operator=(const UnfinishedRows&) = delete;
  ~UnfinishedRows() { show(); }

  void hide() noexcept;
  void show() noexcept;

 private:
  /// Returns: the first block that contains only rows appended since the construction; null when there is
  /// none.
  Block* first_new_block() const { return rows_before_ == 0 ? table_.first_block_ : last_before_->next; }

  Table& table_;
  std::uint32_t rows_before_;
  std::uint32_t count_before_ = 0;
  Block* last_before_;
  // The counts of the table while rows are hidden.
  std::uint32_t rows_ = 0;
  Block* last_ = nullptr;
  std::uint32_t count_ = 0;      // Of the block that was the last one before,
  std::uint32_t new_count_ = 0;  // and of the first new block.
};

}  // namespace strata::detail
