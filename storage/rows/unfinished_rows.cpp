#include "unfinished_rows.hpp"

#include "../tables/archetype.hpp"

namespace strata::detail {

void UnfinishedRows::hide() noexcept {
  rows_ = table_.row_count_;
  if (rows_ == rows_before_) return;
  last_ = table_.last_block_;
  table_.row_count_ = rows_before_;
  if (Block* const block = first_new_block()) {
    new_count_ = block->count;
    block->count = 0;  // Readers stop at a block without rows.
  }
  if (rows_before_ == 0) return table_.archetype().leave_rank_for_now(table_);
  count_ = last_before_->count;
  last_before_->count = count_before_;
  table_.last_block_ = last_before_;
}

void UnfinishedRows::show() noexcept {
  if (last_ == nullptr) return;
  if (rows_before_ == 0) {
    table_.archetype().enter_rank(table_);
    changes_.add_one();
  } else {
    last_before_->count = count_;
    if (last_before_->cache != nullptr) last_before_->cache->valid = false;
    changes_.touch(*last_before_);
  }
  if (Block* const block = first_new_block()) block->count = new_count_;
  table_.row_count_ = rows_;
  table_.last_block_ = last_;
  last_ = nullptr;
}

}  // namespace strata::detail
