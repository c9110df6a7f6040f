// FilteredBatches: visits the rows that match a query with components in the side store (sparse sets).
#pragma once

#include <cstdint>
#include <optional>

#include "../batches/block_cursor.hpp"
#include "gathered_rows.hpp"

namespace strata::detail {

/// For queries with terms for components in the side store (sparse sets): hands out each row that matches the query
/// once, as batches. There are two ways. The constructor chooses one, usually the faster one; see
/// choose_iteration_source.
/// - Going through the members of the leading pools: sparse sets that together contain every matching entity (see
///   SideTerms::leaders).
/// - Walking the blocks of matching tables, and looking up the entity of each row in the pools of the terms. This is
///   the only way if the query has no leading pool, or asks for an order by depth.
/// Contract: no structural change while this object is in use.
class FilteredBatches {
 public:
  FilteredBatches(const Matcher& matcher, const Selection& selection);
  FilteredBatches(const FilteredBatches&) = delete;
  FilteredBatches& operator=(const FilteredBatches&) = delete;

  /// Fills `batch` with the next matching rows, at least one.
  /// Returns: false if no matching row is left.
  /// Invalidates: the previous batch.
  bool next(Batch& batch);

 private:
  bool take_next() { return blocks_ ? take_rows() : take_members(); }
  bool take_members();
  bool take_rows();

  std::optional<BlockCursor> blocks_;  // None: goes through members of GatheredRows::leaders.
  GatheredRows rows_;
  std::size_t leader_ = 0;  // Index in GatheredRows::leaders of the current pool.
  std::uint32_t next_ = 0;  // Next member of that pool, or next row of the current block.
};

}  // namespace strata::detail
