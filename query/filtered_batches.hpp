// FilteredBatches: a query's rows one by one, for terms that ask the side store.
#pragma once

#include <cstdint>
#include <span>

#include "block_cursor.hpp"
#include "gathered_rows.hpp"

namespace strata {

/// Yields every matching row once, its values behind pointers.
///
/// Without an order, the smallest required pool at the start leads: only its members are looked at, in the
/// order of the pool. Otherwise blocks are walked in order, and each of their rows is looked up in the pools.
/// Contract: no structural change while it is in use.
class FilteredBatches {
 public:
  FilteredBatches(const Matcher& matcher, Order order);

  /// Fills the next batch, of at least one row.
  /// Returns: false when there is none.
  /// Invalidates: the batch before.
  bool next(Batch& batch);

 private:
  bool next_source();

  BlockCursor blocks_;
  GatheredRows rows_;
  const SparsePool* leader_ = nullptr;  // Null: blocks are walked.
  std::span<const Entity> source_;      // The entities of the leader or of the current block.
  std::size_t next_row_ = 0;
};

}  // namespace strata
