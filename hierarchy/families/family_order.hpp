// FamilyOrder: brings the rows of level tables into family order, within a budget.
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

/// Rows of a level drift out of order as entities come, go and move. In family order, families follow each other
/// as their parents do in the level above, and siblings as they are linked: a cascade streams through memory.
///
/// Levels are sorted from the top, those whose rows or whose parents' rows have changed (see Rows::changed_ranks). A
/// level for which the budget is large enough is laid out anew as a whole (LevelLayout). Otherwise the place of every row
/// is counted off along the parents, and rows are exchanged in place, which needs no memory for rows and may stop and
/// go on anywhere.
class FamilyOrder {
 public:
  FamilyOrder(Store& store, const Links& links, FamilyRows& families)
      : store_(store),
        links_(links),
        branches_(families.branches()),
        layout_(store, links, families),
        pending_(store.memory()),
        placed_(store.memory()) {}

  /// Sorts until all is in order or `budget` is used up: looking at a row costs 1, moving it kMoveCost, and beginning a
  /// level 1 and one more for kArchetypesPerUnit archetypes that have tables there.
  /// Returns: whether everything is in order.
  /// Errors: std::bad_alloc; the rows sorted so far stay sorted.
  /// Complexity: O(min(budget, rows of the levels that changed and of those below them)), and O(1) when none has.
  bool settle(std::size_t budget);

  /// Returns: whether a level is known to be in order.
  bool in_order(std::uint32_t rank) const {
    const ChangedRanks& changed = store_.rows().changed_ranks();
    return !changed.contains(rank) && !changed.contains(rank - 1) && !pending_.contains(rank) &&
           cursor_.rank != rank;
  }

  /// Returns: whether all levels are known to be in order, but for one that rows have yet to be created in.
  bool in_order() const;

  /// Notes that so many nodes have been created in breadth-first order, whose roots have no parent, where all levels were
  /// in order before. Levels of which it is not known by their tables alone that they still are, are left to `settle`.
  /// Complexity: O(nodes).
  void accept_built_levels(std::size_t nodes);

  /// Returns: what it costs to settle everything, in nanoseconds on a machine of 2020: the unit matters for
  /// comparisons with Settler::loss_of_jump alone.
  std::uint64_t price() const;

 private:
  static constexpr std::size_t kMoveCost = 4;
  static constexpr std::size_t kArchetypesPerUnit = 16;

  /// Where sorting goes on. Rows may change until then, so these are counts that are checked, not pointers.
  struct Cursor {
    std::uint32_t rank = 0;              ///< The level being sorted; 0 when none is.
    std::uint32_t archetype = 0;         ///< Of the parents, by its id.
    std::size_t table = 0;               ///< Of the parents, in the archetype's list for its rank.
    std::uint32_t row = 0;               ///< Of the parent, in its table.
    std::uint32_t child = Links::kNone;  ///< The next one of that parent; kNone: the first.
    bool changed = false;                ///< Rows have changed since the level was begun.

    void go_to(std::uint32_t next_archetype) {
      archetype = next_archetype;
      table = 0;
      row = 0;
    }
  };

  /// Where the next child's row belongs in the level's table of one archetype.
  struct Placed {
    std::uint64_t level = 0;  ///< FamilyOrder::begun_ when this was written: it is void for other levels.
    std::uint64_t call = 0;   ///< FamilyOrder::calls_ when `next` was written: rows may move between calls.
    Place next{nullptr, 0};   ///< Where that is.
    std::uint32_t rows = 0;   ///< Counted off since the level was begun.
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
  ChangedRanks pending_;  // Levels whose parents have other places than when the level was sorted.
  Cursor cursor_;
  std::pmr::vector<Placed> placed_;  // By archetype id.
  std::uint64_t begun_ = 0;          // How many levels have been.
  std::uint64_t calls_ = 0;          // Of `settle`.
  std::uint64_t last_changes_ = 0;   // Rows::changes at the end of the last call.
};

}  // namespace strata::detail
