// UnfinishedRows: the rows at the end of a table that are being made, which queries do not visit meanwhile.
#pragma once

#include <cstdint>

#include "../tables/table.hpp"

namespace strata::detail {

/// Takes the rows that are appended to a table from its making on out of its counts, and puts them back. Between the two,
/// the table may not change.
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
  /// Returns: the first block whose rows are all new; null when there is none.
  Block* first_new_block() const { return rows_before_ == 0 ? table_.first_block_ : last_before_->next; }

  Table& table_;
  std::uint32_t rows_before_;
  std::uint32_t count_before_ = 0;
  Block* last_before_;
  // While they are hidden, what the table said.
  std::uint32_t rows_ = 0;
  Block* last_ = nullptr;
  std::uint32_t count_ = 0;      // Of the last block of before,
  std::uint32_t new_count_ = 0;  // and of the first new one.
};

}  // namespace strata::detail
