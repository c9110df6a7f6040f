// AboveFilteredBatches: visits the rows that match a query with terms that filter by components of the parent or an
// ancestor.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "../batches/table_batches.hpp"
#include "above_filter.hpp"

namespace strata::detail {

/// For queries with terms that filter by components of the parent or an ancestor (see AboveFilter): hands out each
/// row that matches the query once, as batches of neighbouring rows whose values are in columns. If all rows of a
/// table have the same parent, the table is visited or skipped as a whole, after one test.
/// Contract: no structural change while this object is in use; no term uses the side store (sparse sets) for the
/// visited entity itself.
class AboveFilteredBatches {
 public:
  AboveFilteredBatches(const Matcher& matcher, const Selection& selection)
      : matcher_(matcher),
        blocks_(matcher, selection),
        walks_(matcher.store().memory()),
        filter_(matcher, walks_) {
    matcher.prepare_above();
  }
  AboveFilteredBatches(const AboveFilteredBatches&) = delete;
  AboveFilteredBatches& operator=(const AboveFilteredBatches&) = delete;

  /// Fills `batch` with the next matching rows, at least one.
  /// Returns: false if no matching row is left.
  /// Errors: std::bad_alloc, when a search passes many ancestors, because its result is then stored for other rows.
  /// Invalidates: the previous batch.
  bool next(Batch& batch);

 private:
  static constexpr std::uint32_t kRun = AboveFilter::kRun;

  bool next_block();
  void test_tables();
  bool passes(std::uint32_t row) { return is_shared_ || filter_.passes(blocks_.block(), row); }

  const Matcher& matcher_;
  BlockCursor blocks_;
  WalkMemo walks_;
  AboveFilter filter_;
  std::uint32_t row_ = 0;   // Next row of the current block.
  std::uint32_t rows_ = 0;  // Number of rows of the current block.
  bool is_shared_ = false;  // All rows of the current block have one parent, and match.

  // `differing_` and `passing_` describe up to Relation::kMostBlocks tables of the list BlockCursor::tables that begins
  // at `tested_of_`. Bit i stands for the table at index `tested_from_ + i` of this list.
  Block* const* tested_of_ = nullptr;
  std::size_t tested_from_ = 0;
  std::uint32_t differing_ = 0;  // The tables whose rows have different parents.
  std::uint32_t passing_ = 0;    // The tables whose rows have one parent and match.

  std::array<std::array<const void*, kRun>, kMaxTerms> related_;  // By term: pointers for a batch's rows.
};

}  // namespace strata::detail
