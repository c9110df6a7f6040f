#include "block_cursor.hpp"

#include <algorithm>
#include <utility>

namespace strata::detail {
namespace {

constexpr std::size_t kTablesAhead = 8;

}  // namespace

BlockCursor::BlockCursor(const Matcher& matcher, const Selection& selection)
    : matcher_(matcher),
      order_(selection.order),
      ranks_(selection.depths.all() ? matcher.occupied() : std::span<Archetype* const>(), selection.order) {
  if (!selection.depths.all()) start_at(selection.depths);
}

bool BlockCursor::next_table() {
  ++table_;
  while (table_ >= tables_.size()) {
    block_ = nullptr;
    if (!next_tables()) return false;
    table_ = 0;
  }
  block_ = tables_[table_];
  if (table_ + kTablesAhead < tables_.size()) prefetch_table(*tables_[table_ + kTablesAhead]);
  return true;
}

/// Goes to the next list of tables in an order by rank (depth of the entities in the hierarchy): ascending for
/// Order::down, descending for Order::up. A list has the tables of one archetype and rank. Sets `tables_` to the list,
/// `rank_` to its rank, and `match_` to the index of its archetype in Matcher::matches.
/// Returns: false if no list is left.
bool BlockCursor::next_list() {
  if (std::exchange(started_, true) && !ranks_.at_end()) ranks_.next();
  if (ranks_.at_end()) return next_list_of_depths();
  match_ = matcher_.match_of_occupied(ranks_.archetype());
  rank_ = ranks_.rank();
  tables_ = ranks_.tables();
  return true;
}

/// Prepares a walk that visits only the tables of a range of depths. Such a walk goes depth by depth, and looks up the
/// archetypes of each depth. The range may be much longer than the hierarchy is deep, and looking up depths without
/// tables would be wasted. So a long range is first cut off at the greatest depth at which matching archetypes have
/// tables. Finding this depth takes a look at each matching archetype with rows. A range with no more depths than there
/// are such archetypes is not cut off, because walking through it takes no longer.
void BlockCursor::start_at(Depths depths) {
  if (depths.last - depths.first >= matcher_.occupied().size()) {
    std::uint32_t count = 0;
    for (const Archetype* const archetype : matcher_.occupied()) {
      count = std::max(count, archetype->rank_count());
    }
    if (depths.first >= count) return;
    depths.last = std::min(depths.last, count - 1);
  }
  depths_left_ = depths.last - depths.first + 1;
  rank_ = order_ == Order::up ? depths.last : depths.first;
  at_depth_ = matcher_.store().archetypes().at_rank(rank_);
}

/// Goes to the next list of tables of a cursor that visits only some depths, and sets the same members as `next_list`.
/// Returns: false if no list is left. `next_list` also calls this function at the end of a walk through all depths. In
/// that case, `depths_left_` is 0, so the result is false.
bool BlockCursor::next_list_of_depths() {
  while (depths_left_ != 0) {
    while (next_at_depth_ != at_depth_.size()) {
      const Archetype& archetype = *at_depth_[next_at_depth_++];
      const std::ptrdiff_t match = matcher_.find_match(archetype);
      tables_ = archetype.ranks().at(rank_);
      if (match < 0 || tables_.empty()) continue;
      match_ = static_cast<std::size_t>(match);
      return true;
    }
    if (--depths_left_ == 0) break;
    order_ == Order::up ? --rank_ : ++rank_;
    at_depth_ = matcher_.store().archetypes().at_rank(rank_);
    next_at_depth_ = 0;
  }
  return false;
}

/// Used for Order::any, which visits archetype by archetype. Goes to the next list of tables of the current archetype
/// (an archetype has one list for each depth of its entities). After the archetype's last list, goes to the first list
/// of the next matching archetype that has rows. Sets `tables_`, `rank_` and `match_` as `next_list` does.
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
