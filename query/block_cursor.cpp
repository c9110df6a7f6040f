#include "block_cursor.hpp"

#include <algorithm>

namespace strata {
namespace {

constexpr std::size_t kTablesAhead = 8;

}  // namespace

BlockCursor::BlockCursor(const Matcher& matcher, Order order) : matches_(matcher.matches()), order_(order) {
  if (order == Order::any) return;
  for (const Archetype* archetype : matches_) rank_count_ = std::max(rank_count_, archetype->rank_count());
  if (order == Order::up && rank_count_ != 0) rank_ = rank_count_ - 1;
}

bool BlockCursor::next_table() {
  ++table_;
  while (table_ >= tables_.size()) {
    block_ = nullptr;
    ended_ = ended_ || !next_list();
    if (ended_) return false;
    tables_ = matches_[match_]->at_rank(rank_);
    table_ = 0;
  }
  block_ = tables_[table_];
  if (table_ + kTablesAhead < tables_.size()) prefetch_table(*tables_[table_ + kTablesAhead]);
  return true;
}

bool BlockCursor::next_list() {
  if (!started_) {
    started_ = true;
    return !matches_.empty() && (order_ == Order::any || rank_count_ != 0);
  }
  if (order_ != Order::any) return next_list_of_rank();
  if (++rank_ < matches_[match_]->rank_count()) return true;
  rank_ = 0;
  return ++match_ < matches_.size();
}

bool BlockCursor::next_list_of_rank() {
  if (++match_ < matches_.size()) return true;
  match_ = 0;
  if (order_ == Order::up) return rank_-- != 0;
  return ++rank_ < rank_count_;
}

}  // namespace strata
