// GatheredRows: entities that may match a query, wherever their rows are, collected into batches.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "../matching/matcher.hpp"
#include "candidates.hpp"
#include "row_places.hpp"
#include "side_terms.hpp"

namespace strata::detail {

/// Takes a run of entities, leaves out those that do not match, and hands out the others: as columns where their
/// values lie side by side, in a block and on a page of each pool; as columns and the positions to pick where
/// many values lie in one; as places where they lie in several blocks alike; and otherwise with each value
/// behind a pointer.
///
/// A run is gone through term by term and not row by row: what it takes to get from entities to values are
/// short loops of accesses that do not wait for each other. Where no term asks tables, no slot, block or
/// archetype is looked at.
/// Contract: no structural change while it is in use; entities that it takes are alive.
class GatheredRows {
 public:
  static constexpr std::uint32_t kRun = Candidates::kMost;  ///< How many can be taken at a time.

  explicit GatheredRows(const Matcher& matcher);

  /// Returns: see SideTerms.
  std::span<const SparsePool* const> leaders() const { return side_.leaders(); }
  std::size_t led() const { return side_.led(); }
  bool impossible() const { return side_.impossible(); }

  /// Returns: whether a term asks tables about an entity itself, and so where its row is.
  bool asks_tables() const { return asks_tables_; }

  // What was taken before is forgotten.

  /// Takes entities that may be anywhere.
  void take(std::span<const Entity> entities);

  /// Takes members of the leader with that number, side by side from a position on.
  void take_led(std::size_t leader, std::uint32_t first, std::uint32_t count);

  /// Takes neighbouring rows of a block, of an archetype that is a match.
  void take(const Block& block, std::uint32_t first, std::uint32_t count, std::size_t match);

  /// Takes entities whose places are known.
  void take(std::span<const Reached> reached);

  /// Says of each that was taken whether it matches.
  void tell_matched(std::span<bool> matched) const;

  /// Fills a batch, of at least one row.
  /// Returns: false when all that match of what was taken have been handed out.
  /// Invalidates: the batch before.
  bool next(Batch& batch);

  /// Fills a batch, which may be of none, with all that match of what was taken as reached, each value behind
  /// a pointer. What they relate to is in `above`, the list that their positions are of: see ValuesAbove.
  void take_related(std::span<const Reached> above, Batch& batch);

 private:
  void start(std::span<const Entity> entities);
  void find_places();
  bool try_places(const Block& block);
  void go_on();
  void find_matches();
  void find_matches_one_by_one();
  void choose_access();
  void keep(std::span<const std::uint32_t> kept);
  std::size_t match_of(std::uint32_t row) const {
    return one_match_ ? static_cast<std::size_t>(recent_match_) : row_matches_[row];
  }
  void find_match(const Block& block);

  void point_at_columns(std::uint32_t end, Batch& batch);
  void point_at_places(Batch& batch);
  void point_at_values(Batch& batch);
  void find_column_values();
  void add_values(std::uint32_t begin, std::uint32_t end, std::size_t term, std::uint32_t prefix);

  const Matcher& matcher_;
  SideTerms side_;
  Candidates rows_;
  bool asks_tables_ = false;
  bool placeable_ = false;                       // All values are in columns.
  std::uint32_t next_ = 0;                       // The first row that has not been handed out.
  bool by_block_ = false;                        // Rows are handed out block by block.
  bool by_place_ = false;                        // Rows are handed out as places.
  bool one_match_ = false;                       // All rows are of the recent match.
  const ColumnLayout* recent_layout_ = nullptr;  // Neighbours often have one archetype.
  std::ptrdiff_t recent_match_ = -1;
  std::span<const Reached> reached_;  // The run as it was taken, if its places were known.

  union {
    std::array<Entity, kRun> reached_entities_;  // Of that run; in a union, so that it is not filled.
  };

  std::uint32_t stretch_ = 0;  // The first that has not been handed out.

  // Of the rows that are left.
  RowPlaces places_;
  std::array<std::uint32_t, kRun> row_matches_;
  std::array<std::uint32_t, kRun> above_;  // See Reached::above.
  SideTerms::Values values_;
  WalkMemo walks_;
};

}  // namespace strata::detail
