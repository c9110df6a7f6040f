// GatheredRows: finds the entities of a list that match a query, and hands out their rows as batches.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "../../core/compiler.hpp"
#include "../matching/matcher.hpp"
#include "../matching/pair_conditions.hpp"
#include "above_filter.hpp"
#include "candidates.hpp"
#include "row_places.hpp"
#include "side_terms.hpp"

namespace strata::detail {

/// Receives a list of entities (a run) in one of the functions `take`, removes those that do not match a query, and
/// hands out the others as batches. A batch has one of these forms:
/// - Columns: if the values of each term are contiguous in a block of a table or in a page of a pool (sparse set).
/// - Columns, and the rows' positions in them: if the values are not contiguous, but all values of a pool are in one
///   page, and the rows are in one block. The rows may also be in several blocks that have at least 8 of the rows on
///   average; then each block gets a batch.
/// - One pointer per value: otherwise, and whenever a value has to be hidden because its component is switched off for
///   the entity.
///
/// Work goes term by term, not row by row: for each term, a short loop finds the values of all entities, so that the
/// processor does not wait for one memory access before it starts the next. If `uses_tables()` is false, the slots (the
/// records of where the rows of entities are), blocks and archetypes are not read.
/// Contract: no structural change while this object is in use; the entities are alive.
class GatheredRows {
 public:
  static constexpr std::uint32_t kRun = Candidates::kMost;  ///< The most entities for one call of `take`.

  /// `pairs` has further conditions of the query, on the pairs of entities (links to target entities, by a relation);
  /// null if there are none. Searches for ancestors keep their results in `memory`; if it is null, they keep them in
  /// the memory of the world.
  STRATA_API explicit GatheredRows(const Matcher& matcher, const PairConditions* pairs = nullptr,
                                   std::pmr::memory_resource* memory = nullptr);

  /// The next functions return what the functions of SideTerms with the same names return. `leaders` returns pools
  /// (sparse sets) such that every matching entity is a member of one of them, and `leader_member_count` the number of
  /// their members. `impossible` returns whether no entity can match, and `excludes` whether no entity of the archetype
  /// with this format can match because of a component that the query excludes.
  std::span<const SparsePool* const> leaders() const { return side_.leaders(); }
  std::size_t leader_member_count() const { return side_.leader_member_count(); }
  bool impossible() const { return side_.impossible(); }
  bool excludes(const BlockFormat& format) const { return side_.excludes(format); }

  /// Returns: whether this object has to find the rows of the entities. That is so if a term tests or reads a component
  /// of the entity itself that is stored in tables. It is also so if entities in a state such as Disabled, which no
  /// term names, have to be left out.
  bool uses_tables() const { return uses_tables_; }

  // Each call of a function `take` or `take_led` starts a new run, that is, a list of entities to test. The new run
  // replaces the previous one.

  /// Starts a new run (list of entities to test) with `entities`. If `uses_tables` returns true, looks up their rows.
  /// `next` then hands out the rows of those that match the query.
  STRATA_API void take(std::span<const Entity> entities);

  /// Starts a new run (list of entities to test) with `count` members of a pool (sparse set), from position `first` on.
  /// `leader` is the index of the pool in `leaders()`. `next` then hands out the rows of those that match the query.
  void take_led(std::size_t leader, std::uint32_t first, std::uint32_t count);

  /// Starts a new run (list of entities to test) with the entities in `count` rows of a block, from row `first` on.
  /// `match` is the index of the block's archetype in Matcher::matches. `next` then hands out the rows of those that
  /// match the query.
  void take(const Block& block, std::uint32_t first, std::uint32_t count, std::size_t match);

  /// Starts a new run (list of entities to test) with the entities in `reached`, which also gives the block and row of
  /// each. `next` or `take_related` then hands out the rows of those that match the query.
  void take(std::span<const VisitedRow> reached);

  /// Sets each `matched[i]` to whether entity number i of the list passed to the last `take` matches the query.
  /// Contract: `matched` has one element for each entity of that list.
  void mark_matched(std::span<bool> matched) const;

  /// Fills `batch` with the next matching rows, at least one.
  /// Returns: false if all matching rows of the last `take` have been handed out; in that case, `batch` must
  /// not be used.
  /// Invalidates: the previous batch.
  STRATA_API bool next(Batch& batch);

  /// Fills `batch` with all matching rows of the last `take(std::span<const VisitedRow>)`, with a pointer to each
  /// value. The batch may be empty. `above` has the rows of parents that were visited before; the values of these
  /// parents are read there. VisitedRow::above of an entity is the index of its parent in `above`; if it is
  /// VisitedRow::kNone, the parent is looked up.
  void take_related(std::span<const VisitedRow> above, Batch& batch);

 private:
  void start(std::span<const Entity> entities);
  void filter_further();
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
  const PairConditions* pairs_;
  bool filters_further_;  // Whether parents, ancestors or pairs are tested.
  Candidates rows_;
  bool uses_tables_ = false;
  std::uint32_t next_ = 0;                      // First row that has not been handed out.
  bool by_block_ = false;                       // Each batch has rows of one block.
  bool one_match_ = false;                      // All rows are of the archetype `recent_match_`.
  const BlockFormat* recent_format_ = nullptr;  // Last format looked up; neighbours often share an archetype.
  std::ptrdiff_t recent_match_ = -1;
  std::span<const VisitedRow> reached_;  // The run, if `take` received VisitedRows.

  union {
    // The entities that `take` received as VisitedRows. In a union, so that the constructor does not clear the array.
    std::array<Entity, kRun> reached_entities_;
  };

  std::uint32_t stretch_ = 0;  // The first stretch (see RowPlaces) to hand out: entities of one block.

  // Data of the entities that match, by their index in `rows_`. `places_` has their blocks and rows.
  // `row_matches_` has the index of their archetype in Matcher::matches; it is set only if not `one_match_`.
  RowPlaces places_;
  std::array<std::uint32_t, kRun> row_matches_;
  std::array<std::uint32_t, kRun> above_;  // See VisitedRow::above.
  SideTerms::Values values_;
  WalkMemo walks_;
};

}  // namespace strata::detail
