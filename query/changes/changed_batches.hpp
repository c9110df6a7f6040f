// ChangedBatches: visits the matching rows whose values were written after a given time.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "../../core/compiler.hpp"
#include "../batches/block_cursor.hpp"
#include "../filtering/gathered_rows.hpp"

namespace strata::detail {

/// Tells which rows of a block were written after a given time. Only writes to certain components count: those that the
/// constructor receives and whose writes are recorded (see Tracking).
class ChangeFilter {
 public:
  /// Makes a filter that accepts rows in which a component of `ids` was written after the time `since`. Times are
  /// numbers from WriteClock, a counter.
  /// Contract: at most kMaxTerms components.
  STRATA_API ChangeFilter(std::span<const ComponentId> ids, std::uint64_t since);

  /// Selects the block to which `whole` and `holds` apply.
  /// Returns: whether the block may have rows that were written after the time `since` that the constructor received;
  /// false if no such write was recorded in the block.
  /// Complexity: O(components).
  bool look_at(const Block& block);

  /// Returns: whether all rows of the block selected by `look_at` count as written. That is so if a component with
  /// Tracking::blocks was written in the block: for such a component, only the time of the block's last write is
  /// recorded.
  bool whole() const { return whole_; }

  /// Returns: whether this row of the block selected by `look_at` was written after the time that the
  /// constructor received; true for every row if `whole()`.
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

  void find_columns(const BlockFormat& format);

  std::array<ComponentId, kMaxTerms> ids_;
  std::size_t id_count_;
  std::uint64_t since_;
  const BlockFormat* format_ = nullptr;  // Format of the selected block, often that of the next one, too.
  std::array<Tracked, kMaxTerms> tracked_;
  std::size_t tracked_count_ = 0;  // Number of tracked components in that format.
  bool whole_ = false;
  // For each component with Tracking::rows that was written in the selected block after the time `since_`: the column
  // that has the time of each row's last write.
  std::array<const std::uint64_t*, kMaxTerms> columns_;
  std::size_t column_count_ = 0;
};

/// Hands out the rows that match a query and that a ChangeFilter accepts, as batches. Skips a block without looking at
/// its rows if no write after the filter's time was recorded in the block. If the query has exactly one leading pool (a
/// sparse set that contains all matching entities, see SideTerms::leaders), and `selection` asks for no order by depth,
/// goes through the members of that pool instead of blocks.
/// Contract: no structural change while this object is in use.
/// Complexity: O(blocks + rows of written blocks), or O(members of the leading pool).
class ChangedBatches {
 public:
  STRATA_API ChangedBatches(const Matcher& matcher, const ChangeFilter& filter, const Selection& selection);

  /// Fills `batch` with the next rows that match the query and that the ChangeFilter accepts, at least one.
  /// Returns: false if no matching row is left.
  /// Invalidates: the previous batch.
  bool next(Batch& batch) { return matcher_.filters_rows() ? next_filtered(batch) : next_run(batch); }

 private:
  /// Pointers to values of rows, or to values of their parents, are collected for at most this number of rows before
  /// these rows are visited. The number is so small that the pointers stay in the first-level cache.
  static constexpr std::uint32_t kRun = GatheredRows::kRun;

  STRATA_API bool next_run(Batch& batch);
  STRATA_API bool next_filtered(Batch& batch);
  bool next_gathered(Batch& batch);
  bool next_run_below(Batch& batch);
  void take_rows(std::uint32_t end, Batch& batch);
  bool next_block();
  std::size_t list_members();
  std::size_t list_rows();

  const Matcher& matcher_;
  ChangeFilter filter_;
  BlockCursor blocks_;
  GatheredRows gathered_;
  const SparsePool* leader_ = nullptr;    // The leading pool; null: goes through blocks.
  std::span<const Entity> source_;        // The entities of the current block.
  std::uint32_t row_ = 0;                 // The next entity of source_, or the leader's next member.
  std::array<VisitedRow, kRun> written_;  // Written rows; `gathered_` finds those that match.
  std::array<std::array<const void*, kRun>, kMaxTerms> related_;
  WalkMemo walks_;
  AboveFilter above_;
};

}  // namespace strata::detail
