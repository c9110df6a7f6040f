// FamilyOrder: sorts the rows of level tables into family order, within a budget.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <vector>

#include "../../storage/changes/changed_ranks.hpp"
#include "../../storage/store.hpp"
#include "../links/links.hpp"
#include "branches.hpp"
#include "family_rows.hpp"
#include "level_layout.hpp"

namespace strata::detail {

/// Sorts rows into family order, and keeps track of which levels are sorted. A level is the rows of entities
/// of one depth in tables that several families share; a family is the children of one parent. In family
/// order, families follow the order of their parents in the level above, and siblings follow the order of
/// their links. Then a cascade, which visits level by level, reads memory sequentially. Rows get out of order
/// as entities are created, move and are destroyed.
///
/// Levels are sorted from the top. A level is sorted if its rows or its parents' rows have changed (see
/// RowChanges::ranks). If the budget is large enough for the level, LevelLayout rewrites it as a whole.
/// Otherwise the position of every row is counted along the parents, and rows are swapped in place. That
/// needs no memory for rows, and it can stop and continue at any row.
class FamilyOrder {
 public:
  FamilyOrder(Store& store, const Links& links, FamilyRows& families)
      : store_(store),
        links_(links),
        branches_(families.branches()),
        layout_(store, links, families),
        pending_(store.memory()),
        placed_(store.memory()) {}

  /// Sorts until all is in order or `budget` is used up. Examining a row costs 1, moving it kMoveCost.
  /// Beginning a level costs 1, plus 1 for each kArchetypesPerUnit archetypes with tables there.
  /// Returns: whether everything is in order.
  /// Errors: std::bad_alloc; the rows sorted so far stay sorted.
  /// Complexity: O(min(budget, rows of the levels that changed and of those below them)); O(1) if none has
  /// changed.
  bool defragment(std::size_t budget);

  /// Returns: whether a level is known to be in order.
  bool in_order(std::uint32_t rank) const {
    const ChangedRanks& changed = store_.rows().changes().ranks();
    return !changed.contains(rank) && !changed.contains(rank - 1) && !pending_.contains(rank) &&
           cursor_.rank != rank;
  }

  /// Returns: whether all levels are known to be in order. A level in which no row was created yet does not
  /// count.
  bool in_order() const;

  /// Called after `nodes` nodes were created in breadth-first order, with new roots, while all levels were in
  /// order. Marks the levels as sorted that must be in order according to their tables alone; the others are
  /// left to `defragment`.
  /// Complexity: O(nodes).
  void mark_built_levels_ordered(std::size_t nodes);

  /// Returns: the estimated time to sort all levels from the first unsorted one on, in nanoseconds on a
  /// machine of 2020. The unit only matters for comparisons with Defragmenter::loss_of_jump.
  std::uint64_t price() const;

 private:
  static constexpr std::size_t kMoveCost = 4;
  static constexpr std::size_t kArchetypesPerUnit = 16;

  /// The position at which sorting continues. It consists of numbers that are checked, not of pointers,
  /// because rows may change between calls.
  struct Cursor {
    std::uint32_t rank = 0;       ///< Level being sorted; 0: none.
    std::uint32_t archetype = 0;  ///< Id of the parents' archetype.
    std::size_t table = 0;        ///< Index of the parents' table in the archetype's list for its rank.
    std::uint32_t row = 0;        ///< Row of the parent in its table.
    std::uint32_t child = Links::kNone;  ///< Next child of that parent; kNone: the first.
    bool changed = false;                ///< Rows have changed since the level was begun.

    void go_to(std::uint32_t next_archetype) {
      archetype = next_archetype;
      table = 0;
      row = 0;
    }
  };

  /// The place for the next child's row, in the level's table of one archetype.
  struct Placed {
    std::uint64_t level = 0;  ///< FamilyOrder::begun_ at the last update; if it has changed, this is void.
    /// FamilyOrder::calls_ at the last update of `next`; rows may move between calls.
    std::uint64_t call = 0;
    Place next{nullptr, 0};  ///< The place.
    std::uint32_t rows = 0;  ///< Number of rows counted since the level was begun.
  };

  void read_changes();
  std::uint32_t next_level() const;
  void begin_level(std::uint32_t rank);
  void end_level();
  void accept_changes(std::uint32_t rank);
  std::size_t count_tables(std::uint32_t rank) const;
  bool sort_at_once(std::size_t& budget);
  bool sort_level(std::size_t& budget);
  bool place_families(const Table& parents, std::size_t& budget);
  bool place_family(std::uint32_t parent, std::size_t& budget);
  std::size_t place_child(std::uint32_t child);

  Store& store_;
  const Links& links_;
  Branches& branches_;
  LevelLayout layout_;
  ChangedRanks pending_;  // Levels whose parents' rows have moved since the level was sorted.
  Cursor cursor_;
  std::pmr::vector<Placed> placed_;  // By archetype id.
  std::uint64_t begun_ = 0;          // Number of levels begun.
  std::uint64_t calls_ = 0;          // Number of calls of `defragment`.
  std::uint64_t last_changes_ = 0;   // RowChanges::count at the end of the last call.
};

}  // namespace strata::detail
