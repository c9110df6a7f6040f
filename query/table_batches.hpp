// TableBatches: a query's rows block by block, for terms that all live in tables.
#pragma once

#include <array>
#include <cstdint>

#include "block_cursor.hpp"

namespace strata {

/// Yields every matching row once, in the given order, as the columns lie in memory.
/// Contract: no structural change while it is in use; no term asks the side store.
class TableBatches {
 public:
  TableBatches(const Matcher& matcher, Order order) : matcher_(matcher), blocks_(matcher, order) {}

  /// Fills the next batch, of at least one row.
  /// Returns: false when there is none.
  /// Invalidates: the batch before.
  bool next(Batch& batch);

 private:
  /// Rows whose related values are gathered at a time: few enough to stay in the first-level cache.
  static constexpr std::uint32_t kRun = 128;

  void set_lanes(Batch& batch) const;
  bool set_shared(Batch& batch) const;
  void gather_related(Batch& batch);

  const Matcher& matcher_;
  BlockCursor blocks_;
  std::uint32_t row_ = 0;   // The next row of the current block, while its batches are runs.
  std::uint32_t rows_ = 0;  // The rows of that block.
  std::array<std::array<const void*, kRun>, kMaxTerms> related_;
};

}  // namespace strata
