#include "block_cursor.hpp"

#include <algorithm>

namespace strata {
namespace {

constexpr std::size_t kTablesAhead = 8;
constexpr std::size_t kLinesAhead = 6;  // Header and first values; a single line was not enough.

}  // namespace

BlockCursor::BlockCursor(const Matcher& matcher, Order order) : matches_(matcher.matches()), order_(order) {
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
  look_ahead();
  return true;
}

/// Asks for the memory of a table that comes soon: of many small ones, each would otherwise be waited for.
void BlockCursor::look_ahead() const {
  if (table_ + kTablesAhead >= tables_.size()) return;
  const auto* const begin = reinterpret_cast<const std::byte*>(tables_[table_ + kTablesAhead]);
  for (std::size_t line = 0; line < kLinesAhead; ++line) __builtin_prefetch(begin + line * 64);
}

bool BlockCursor::next_list() {
  if (!started_) {
    started_ = true;
    return !matches_.empty() && rank_count_ != 0;
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
