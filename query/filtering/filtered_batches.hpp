// FilteredBatches: the rows of a query run by run, for queries with side-store terms.
#pragma once

#include <cstdint>
#include <optional>

#include "../batches/block_cursor.hpp"
#include "gathered_rows.hpp"

namespace strata::detail {

/// Yields every matching row once.
///
/// Without an order, it goes through the members of the leader, which is the smallest required pool, or
/// through the pools of a group of alternatives one after the other if they have fewer members. If walking
/// the tables is faster (see IterationSource), or with an order, it walks blocks in order and looks each row up in the
/// pools. The leader is chosen at the start.
/// Contract: no structural change while it is in use.
class FilteredBatches {
 public:
  FilteredBatches(const Matcher& matcher, Order order);
  FilteredBatches(const FilteredBatches&) = delete;
  FilteredBatches& operator=(const FilteredBatches&) = delete;

  /// Fills the next batch, of at least one row.
  /// Returns: false at the end.
  /// Invalidates: the previous batch.
  bool next(Batch& batch);

 private:
  bool take_next() { return blocks_ ? take_rows() : take_members(); }
  bool take_members();
  bool take_rows();

  std::optional<BlockCursor> blocks_;  // None: goes through the leaders' members.
  GatheredRows rows_;
  std::size_t leader_ = 0;  // Index of the current leader.
  std::uint32_t next_ = 0;  // Next member of that leader, or next row of the block.
};

}  // namespace strata::detail
