#include "filtered_batches.hpp"

namespace strata {

FilteredBatches::FilteredBatches(const Matcher& matcher, Order order)
    : blocks_(matcher, order), rows_(matcher) {
  if (order != Order::any) return;
  leader_ = rows_.smallest_pool();
  if (leader_ != nullptr) source_ = leader_->entities();
}

bool FilteredBatches::next(Batch& batch) {
  while (!rows_.full() && !rows_.impossible() && (next_row_ != source_.size() || next_source())) {
    const std::size_t row = next_row_++;
    if (leader_ != nullptr) {
      rows_.add(source_[row]);
    } else {
      rows_.add(source_[row], blocks_.block(), static_cast<std::uint32_t>(row), blocks_.match());
    }
  }
  rows_.take(batch);
  return batch.count != 0;
}

bool FilteredBatches::next_source() {
  if (leader_ != nullptr || !blocks_.next()) return false;
  const Block& block = blocks_.block();
  source_ = {block.layout->entities(block), block.count};
  next_row_ = 0;
  return true;
}

}  // namespace strata
