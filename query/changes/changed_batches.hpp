// ChangedBatches: those of a query's rows that have been written since a moment.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "../batches/block_cursor.hpp"
#include "../filtering/gathered_rows.hpp"

namespace strata::detail {

/// Tells which rows of a block have been written, in any of several tracked components.
class ChangeFilter {
 public:
  /// Rows count that were written after `since`.
  /// Contract: at most kMaxTerms components.
  ChangeFilter(std::span<const ComponentId> ids, std::uint64_t since);

  /// Turns to a block.
  /// Returns: false when none of its rows has been written.
  /// Complexity: O(components).
  bool look_at(const Block& block);

  /// Returns: whether all rows of the block count, as it is not known which have been written.
  bool whole() const { return whole_; }

  /// Returns: whether a row of the block last looked at has been written.
  bool holds(std::uint32_t row) const {
    if (whole_) return true;
    for (std::size_t i = 0; i < column_count_; ++i) {
      if (columns_[i][row] > since_) return true;
    }
    return false;
  }

 private:
  struct Tracked {
    std::uint32_t position;
    std::uint32_t stamp_prefix;
  };

  void find_columns(const ColumnLayout& layout);

  std::array<ComponentId, kMaxTerms> ids_;
  std::size_t id_count_;
  std::uint64_t since_;
  const ColumnLayout* layout_ = nullptr;  // Neighbours have one archetype.
  std::array<Tracked, kMaxTerms> tracked_;
  std::size_t tracked_count_ = 0;  // Of that layout.
  bool whole_ = false;
  std::array<const std::uint64_t*, kMaxTerms> columns_;  // Stamps of rows, where their block's is new.
  std::size_t column_count_ = 0;
};

/// Yields the matching rows for which a filter holds. A block that was not written is passed over by its
/// stamps alone. Where a term asks the side store, rows are gathered, led by the smallest required pool.
/// Contract: no structural change while it is in use.
/// Complexity: O(blocks + rows of those written to, or members of the smallest required pool).
class ChangedBatches {
 public:
  ChangedBatches(const Matcher& matcher, const ChangeFilter& filter);

  /// Fills the next batch, of at least one row.
  /// Returns: false when there is none.
  /// Invalidates: the batch before.
  bool next(Batch& batch) { return matcher_.uses_side_store() ? next_gathered(batch) : next_run(batch); }

 private:
  /// Rows whose related values are gathered at a time: few enough to stay in the first-level cache.
  static constexpr std::uint32_t kRun = GatheredRows::kRun;

  bool next_run(Batch& batch);
  bool next_gathered(Batch& batch);
  bool next_block();
  std::size_t list_members();
  std::size_t list_rows();

  const Matcher& matcher_;
  ChangeFilter filter_;
  BlockCursor blocks_;
  GatheredRows gathered_;
  const SparsePool* leader_ = nullptr;  // Null: blocks are walked.
  std::span<const Entity> source_;      // The entities of the current block.
  std::uint32_t row_ = 0;               // The next one of them, or of the leader's members.
  std::array<Reached, kRun> written_;   // Those to be gathered.
  std::array<std::array<const void*, kRun>, kMaxTerms> related_;
  WalkMemo walks_;
};

}  // namespace strata::detail
