#include "block_cursor.hpp"

#include <utility>

namespace strata::detail {
namespace {

constexpr std::size_t kTablesAhead = 8;

}  // namespace

BlockCursor::BlockCursor(const Matcher& matcher, Order order)
    : matcher_(matcher), order_(order), ranks_(matcher.occupied(), order) {}

bool BlockCursor::next_table() {
  ++table_;
  while (table_ >= tables_.size()) {
    block_ = nullptr;
    if (!(order_ == Order::any ? next_list_of_match() : next_list())) return false;
    table_ = 0;
  }
  block_ = tables_[table_];
  if (table_ + kTablesAhead < tables_.size()) prefetch_table(*tables_[table_ + kTablesAhead]);
  return true;
}

/// Goes to the next list of tables, in the order of their rank (depth). Sets `tables_` to the list, `rank_`
/// to its rank, and `match_` to the index of its archetype in Matcher::matches.
/// Returns: false if no list is left.
bool BlockCursor::next_list() {
  if (std::exchange(started_, true) && !ranks_.at_end()) ranks_.next();
  if (ranks_.at_end()) return false;
  match_ = matcher_.match_of_occupied(ranks_.archetype());
  rank_ = ranks_.rank();
  tables_ = ranks_.tables();
  return true;
}

/// Goes to the next list of tables of the current archetype; after its last list, to the first one of the
/// next matching archetype that has rows. Sets `tables_`, `rank_` and `match_` as `next_list` does.
/// Returns: false if no list is left.
bool BlockCursor::next_list_of_match() {
  if (!lists_.at_end()) lists_.next();
  while (lists_.at_end()) {
    if (next_occupied_ == matcher_.occupied().size()) return false;
    match_ = matcher_.match_of_occupied(next_occupied_);
    lists_ = matcher_.occupied()[next_occupied_++]->ranks().first();
  }
  rank_ = lists_.rank();
  tables_ = lists_.tables();
  return true;
}

}  // namespace strata::detail
