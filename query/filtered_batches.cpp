#include "filtered_batches.hpp"

#include "../storage/store.hpp"

namespace strata {

FilteredBatches::FilteredBatches(const Matcher& matcher, Order order)
    : matcher_(matcher), blocks_(matcher, order) {
  find_pools();
  if (order != Order::any) leader_ = nullptr;
  if (leader_ != nullptr) source_ = leader_->entities();
}

void FilteredBatches::find_pools() {
  const std::span<const Term> terms = matcher_.terms();
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (!matcher_.in_side_store(i)) continue;
    pools_[i] = matcher_.store().side().find(terms[i].id);
    if (!is_required(terms[i])) continue;
    if (pools_[i] == nullptr) {
      impossible_ = true;
    } else if (leader_ == nullptr || pools_[i]->size() < leader_->size()) {
      leader_ = pools_[i];
    }
  }
}

bool FilteredBatches::next(Batch& batch) {
  std::uint32_t count = 0;
  for (Candidate candidate; count < kRun && next_candidate(candidate);) {
    if (!accept(candidate, count)) continue;
    entities_[count] = candidate.entity;
    ++count;
  }
  batch.access = Access::gathered;
  batch.count = count;
  batch.entities = entities_.data();
  const std::span<const Term> terms = matcher_.terms();
  for (std::size_t i = 0; i < terms.size(); ++i) {
    batch.lanes[i] = values_[i].data();
    if (terms[i].role == Role::related && count != 0) {
      matcher_.relation()->find_each({entities_.data(), count}, terms[i].id, values_[i].data());
    }
  }
  return count != 0;
}

bool FilteredBatches::next_candidate(Candidate& candidate) {
  while (!impossible_) {
    if (next_row_ == source_.size() && !next_source()) return false;
    const std::size_t row = next_row_++;
    const Entity entity = source_[row];
    if (leader_ == nullptr) {
      candidate = {entity, &blocks_.block(), static_cast<std::uint32_t>(row), blocks_.match()};
      return true;
    }
    if (locate(entity, candidate)) return true;
  }
  return false;
}

bool FilteredBatches::next_source() {
  if (leader_ != nullptr || !blocks_.next()) return false;
  const Block& block = blocks_.block();
  source_ = {block.layout->entities(block), block.count};
  next_row_ = 0;
  return true;
}

bool FilteredBatches::locate(Entity member, Candidate& candidate) {
  const Place place = matcher_.store().slots().place_of(member.index());
  if (place.block->layout != recent_layout_) {
    recent_layout_ = place.block->layout;
    recent_match_ = matcher_.find_match(table_of(*place.block).archetype());
  }
  candidate = {member, place.block, place.row, static_cast<std::size_t>(recent_match_)};
  return recent_match_ >= 0;
}

bool FilteredBatches::accept(const Candidate& candidate, std::uint32_t position) {
  const std::span<const Term> terms = matcher_.terms();
  const std::span<const std::uint32_t> prefixes = matcher_.prefixes(candidate.match);
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const void* value = nullptr;
    if (matcher_.in_side_store(i)) {
      const SparsePool* const pool = pools_[i];
      const std::uint32_t member =
          pool != nullptr ? pool->position_of(candidate.entity) : SparsePool::kAbsent;
      const bool present = member != SparsePool::kAbsent;
      if (terms[i].role != Role::optional && present == (terms[i].role == Role::without)) return false;
      if (present) value = pool->value_at(member);
    } else if (prefixes[i] != ColumnLayout::kAbsent) {
      value = candidate.block->value(prefixes[i], candidate.row, matcher_.value_size(i));
    }
    values_[i][position] = value;
  }
  return true;
}

}  // namespace strata
