// FilteredBatches: a query's rows run by run, for terms that ask the side store and for the children of an
// entity.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "block_cursor.hpp"
#include "gathered_rows.hpp"
#include "selection.hpp"

namespace strata {

/// Returns: whether rows are looked at one by one, instead of handed out as they lie in tables.
inline bool gathers(const Matcher& matcher, const Selection& selection) {
  return matcher.uses_side_store() || selection.of_family;
}

/// Yields every matching row once.
///
/// Without an order, the smallest required pool at the start leads, or the pools of a group of alternatives
/// one after the other if they have fewer members: only those are looked at, in their order, unless it is
/// faster to go by the tables (see Lead). The children of an entity are looked at in theirs. Otherwise blocks
/// are walked in order, and each of their rows is looked up in the pools.
/// Contract: no structural change while it is in use.
class FilteredBatches {
 public:
  FilteredBatches(const Matcher& matcher, Selection selection);
  FilteredBatches(const FilteredBatches&) = delete;
  FilteredBatches& operator=(const FilteredBatches&) = delete;

  /// Fills the next batch, of at least one row.
  /// Returns: false when there is none.
  /// Invalidates: the batch before.
  bool next(Batch& batch);

 private:
  /// Children that are listed at a time.
  static constexpr std::size_t kListed = 64;
  static_assert(kListed <= GatheredRows::kRun);

  bool take_next();
  bool take_children();
  bool take_members();
  bool take_rows();

  const Matcher& matcher_;
  Selection selection_;
  std::optional<BlockCursor> blocks_;  // None: leaders or children are looked at.
  GatheredRows rows_;
  std::size_t leader_ = 0;  // The number of the leader whose members are looked at.
  std::uint32_t next_ = 0;  // The next member of that leader, or row of the block.
  Entity last_child_;       // Of those listed.
};

}  // namespace strata
