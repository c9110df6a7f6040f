// FilteredBatches: a query's rows run by run, for terms that ask the side store.
#pragma once

#include <cstdint>
#include <optional>

#include "../batches/block_cursor.hpp"
#include "gathered_rows.hpp"

namespace strata::detail {

/// Yields every matching row once.
///
/// Without an order, the smallest required pool at the start leads, or the pools of a group of alternatives
/// one after the other if they have fewer members: only those are looked at, in their order, unless it is
/// faster to go by the tables (see Lead). Otherwise blocks are walked in order, and each of their rows is looked up in
/// the pools.
/// Contract: no structural change while it is in use.
class FilteredBatches {
 public:
  FilteredBatches(const Matcher& matcher, Order order);
  FilteredBatches(const FilteredBatches&) = delete;
  FilteredBatches& operator=(const FilteredBatches&) = delete;

  /// Fills the next batch, of at least one row.
  /// Returns: false when there is none.
  /// Invalidates: the batch before.
  bool next(Batch& batch);

 private:
  bool take_next() { return blocks_ ? take_rows() : take_members(); }
  bool take_members();
  bool take_rows();

  std::optional<BlockCursor> blocks_;  // None: leaders are looked at.
  GatheredRows rows_;
  std::size_t leader_ = 0;  // The number of the leader whose members are looked at.
  std::uint32_t next_ = 0;  // The next member of that leader, or row of the block.
};

}  // namespace strata::detail
