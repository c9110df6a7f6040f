// FilteredBatches: a query's rows one by one, for terms that ask the side store.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "block_cursor.hpp"

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
  static constexpr std::uint32_t kRun = 128;  // Rows of a batch: the pointers stay in the first-level cache.

  /// A row of a table that may match.
  struct Candidate {
    Entity entity;
    const Block* block;
    std::uint32_t row;
    std::size_t match;
  };

  void find_pools();
  bool next_source();
  bool next_candidate(Candidate& candidate);
  bool locate(Entity member, Candidate& candidate);
  bool accept(const Candidate& candidate, std::uint32_t position);

  const Matcher& matcher_;
  BlockCursor blocks_;
  const SparsePool* leader_ = nullptr;  // Null: blocks are walked.
  bool impossible_ = false;             // A required pool does not exist.
  std::span<const Entity> source_;      // The entities of the leader or of the current block.
  std::size_t next_row_ = 0;
  const ColumnLayout* recent_layout_ = nullptr;  // A leader's members often have one archetype.
  std::ptrdiff_t recent_match_ = -1;
  std::array<const SparsePool*, kMaxTerms> pools_{};  // By term; null where it asks no pool.
  std::array<Entity, kRun> entities_;
  std::array<std::array<const void*, kRun>, kMaxTerms> values_;
};

}  // namespace strata
