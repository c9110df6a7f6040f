// TableBatches: a query's rows block by block, for terms that all live in tables.
#pragma once

#include <array>
#include <cstdint>

#include "block_cursor.hpp"

namespace strata {

/// Describes `count` rows of the cursor's block, from `row` on, as a batch of columns; related lanes are left
/// alone.
void take_columns(const Matcher& matcher, const BlockCursor& blocks, std::uint32_t row, std::uint32_t count,
                  Batch& batch);

/// Yields every matching row once, in the given order, as the columns lie in memory. Related values are the same
/// for a whole table, or lie where the block's origins say, or are gathered row by row where neither is known.
/// Contract: no structural change while it is in use; no term asks the side store.
class TableBatches {
 public:
  TableBatches(const Matcher& matcher, Order order)
      : matcher_(matcher), blocks_(matcher, order), walks_(matcher.store().memory()) {}

  /// Fills the next batch, of at least one row.
  /// Returns: false when there is none.
  /// Invalidates: the batch before.
  bool next(Batch& batch) {
    if (row_ == rows_) {
      if (!blocks_.next()) return false;
      row_ = 0;
      rows_ = blocks_.block().count;
    }
    if (!matcher_.has_related()) {
      take(batch, rows_);
      return true;
    }
    next_related(batch);
    return true;
  }

 private:
  /// Rows whose related values are gathered at a time: few enough to stay in the first-level cache.
  static constexpr std::uint32_t kRun = 128;

  void take(Batch& batch, std::uint32_t count);
  void next_related(Batch& batch);
  bool take_shared(Batch& batch);
  void find_shared();
  void find_shared_nearest(std::span<Block* const> tables, std::uint32_t term);
  bool point_at(const Block& origin, Batch& batch) const;
  void gather(Batch& batch);

  const Matcher& matcher_;
  BlockCursor blocks_;
  std::uint32_t row_ = 0;   // The next row of the current block.
  std::uint32_t rows_ = 0;  // The rows of that block.

  const Origins* origins_ = nullptr;  // Of that block, if they are known.
  std::uint32_t segment_ = 0;         // The next one of them.
  std::uint32_t gather_to_ = 0;       // Rows before it have to be asked one by one.

  // What the rows of a table share, for the tables from `shared_from_` on of the list `shared_of_`.
  Block* const* shared_of_ = nullptr;
  std::size_t shared_from_ = 0;
  std::uint32_t differing_ = 0;  // A bit for each table whose rows do not.
  OriginGroup whole_{};          // A block whose rows do.
  WalkMemo walks_;
  std::array<std::array<const void*, Relation::kMostBlocks>, kMaxTerms> shared_;
  std::array<std::array<const void*, kRun>, kMaxTerms> related_;
};

}  // namespace strata
