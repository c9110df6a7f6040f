// GatheredRows: collects candidates from anywhere into batches of matching rows.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "../matching/matcher.hpp"
#include "candidates.hpp"
#include "row_places.hpp"
#include "side_terms.hpp"

namespace strata::detail {

/// Takes a run of entities, drops those that do not match, and hands out the rest as batches. The form of a
/// batch depends on where the values are:
/// - columns, if the values of each term are contiguous in a block or in a page of a pool
/// - columns with positions, if many values are in one block or page
/// - a pointer per value otherwise
///
/// Work goes term by term, not row by row: short loops of independent memory accesses find the values of all
/// entities. If no term uses tables, no slot, block or archetype is read.
/// Contract: no structural change while it is in use; the entities are alive.
class GatheredRows {
 public:
  static constexpr std::uint32_t kRun = Candidates::kMost;  ///< The most entities that one call takes.

  explicit GatheredRows(const Matcher& matcher);

  /// As SideTerms::leaders and SideTerms::led.
  std::span<const SparsePool* const> leaders() const { return side_.leaders(); }
  std::size_t leader_member_count() const { return side_.leader_member_count(); }
  bool impossible() const { return side_.impossible(); }

  /// Returns: whether a term uses tables for the entity itself, so that its row is needed.
  bool asks_tables() const { return asks_tables_; }

  // Each `take` drops the previous run.

  /// Takes entities with unknown places.
  void take(std::span<const Entity> entities);

  /// Takes `count` consecutive members of a leader, from position `first` on.
  void take_led(std::size_t leader, std::uint32_t first, std::uint32_t count);

  /// Takes neighbouring rows of a block whose archetype is a match.
  void take(const Block& block, std::uint32_t first, std::uint32_t count, std::size_t match);

  /// Takes entities with known places.
  void take(std::span<const VisitedRow> reached);

  /// Sets for each entity of the run whether it matches.
  void mark_matched(std::span<bool> matched) const;

  /// Fills a batch, of at least one row.
  /// Returns: false when all matching rows of the run have been handed out.
  /// Invalidates: the previous batch.
  bool next(Batch& batch);

  /// Fills a batch with all matching rows of a run of VisitedRow, with a pointer per value. The batch may be
  /// empty. `above` is the list that VisitedRow::above refers to: see ValuesAbove.
  void take_related(std::span<const VisitedRow> above, Batch& batch);

 private:
  void start(std::span<const Entity> entities);
  void find_places();
  void finish_run();
  void find_matches();
  void find_matches_one_by_one();
  void choose_access();
  void keep(std::span<const std::uint32_t> kept);
  std::size_t match_of(std::uint32_t row) const {
    return one_match_ ? static_cast<std::size_t>(recent_match_) : row_matches_[row];
  }
  void find_match(const Block& block);

  void point_at_columns(std::uint32_t end, Batch& batch);
  void point_at_values(Batch& batch);
  void find_column_values();
  void add_values(std::uint32_t begin, std::uint32_t end, std::size_t term, std::uint32_t prefix);

  const Matcher& matcher_;
  SideTerms side_;
  Candidates rows_;
  bool asks_tables_ = false;
  std::uint32_t next_ = 0;                      // First row that has not been handed out.
  bool by_block_ = false;                       // Hand out rows block by block.
  bool one_match_ = false;                      // All rows belong to the recent match.
  const BlockFormat* recent_format_ = nullptr;  // Neighbours often have the same archetype.
  std::ptrdiff_t recent_match_ = -1;
  std::span<const VisitedRow> reached_;  // The run, if its places were known.

  union {
    // Entities of that run; in a union, so that it is not initialised.
    std::array<Entity, kRun> reached_entities_;
  };

  std::uint32_t stretch_ = 0;  // First stretch that has not been handed out.

  // Of the remaining rows.
  RowPlaces places_;
  std::array<std::uint32_t, kRun> row_matches_;
  std::array<std::uint32_t, kRun> above_;  // See VisitedRow::above.
  SideTerms::Values values_;
  WalkMemo walks_;
};

}  // namespace strata::detail
