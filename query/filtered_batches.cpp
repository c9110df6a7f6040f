#include "filtered_batches.hpp"

#include <algorithm>

namespace strata {

FilteredBatches::FilteredBatches(const Matcher& matcher, Selection selection)
    : matcher_(matcher), selection_(selection), rows_(matcher) {
  if (selection.of_family) return;
  if (selection.order == Order::any) leaders_ = rows_.leaders();
  if (leaders_.empty()) blocks_.emplace(matcher, selection.order);
}

bool FilteredBatches::next(Batch& batch) {
  if (selection_.of_family) return next_children(batch);
  while (!rows_.full() && !rows_.impossible() && (next_row_ != source_.size() || next_source())) {
    const std::size_t row = next_row_++;
    if (blocks_) {
      rows_.add(source_[row], blocks_->block(), static_cast<std::uint32_t>(row), blocks_->match());
    } else if (next_leader_ == 1 || !was_led(source_[row])) {
      rows_.add(source_[row]);
    }
  }
  rows_.take(batch);
  return batch.count != 0;
}

bool FilteredBatches::next_children(Batch& batch) {
  std::array<Reached, kListed> children;
  std::array<bool, kListed> matched;
  do {
    const std::size_t count = matcher_.relation()->list_children(selection_.parent, last_child_, children);
    if (count == 0) return false;
    last_child_ = children[count - 1].entity;
    rows_.add(std::span(children).first(count), matched.data());
    rows_.take(batch);
  } while (batch.count == 0);
  return true;
}

bool FilteredBatches::next_source() {
  next_row_ = 0;
  source_ = {};
  if (blocks_) {
    if (!blocks_->next()) return false;
    const Block& block = blocks_->block();
    source_ = {block.layout->entities(block), block.count};
    return true;
  }
  while (source_.empty() && next_leader_ != leaders_.size()) source_ = leaders_[next_leader_++]->entities();
  return !source_.empty();
}

/// Returns: whether an entity of the current leader was a member of one before it.
bool FilteredBatches::was_led(Entity entity) const {
  const auto before = leaders_.first(next_leader_ - 1);
  return std::any_of(before.begin(), before.end(),
                     [&](const SparsePool* pool) { return pool->contains(entity); });
}

}  // namespace strata
