// FamilyOrder: sorts rows into the order of their parents' rows, a limited number at a time.
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

/// Sorts the rows of tables that the children of several parents share, and keeps track of which of these tables are
/// sorted. All such tables for entities of one depth are called a level; a rank is the depth of the entities of a
/// table. A level is in family order if its rows are in the order of their parents' rows in the level above, and rows
/// of siblings are in the order of the list of children in Links. Then an iteration by depth reads memory sequentially.
/// Rows get out of order as entities are created, move and are destroyed.
///
/// Levels are sorted in the order of depth. A level is sorted again if its rows or the rows of the parents have changed
/// (see RowChanges::ranks). There are two ways to sort a level:
/// - If the budget of the call (see `defragment`) is large enough for the whole level, and many rows are out of order,
///   LevelLayout moves all rows of the level to new blocks (pieces of memory).
/// - Otherwise, a loop over the parents finds the position of each child's row by counting rows, and swaps the row to
///   that position. That needs no memory for rows, and can stop and continue at any row.
class FamilyOrder {
 public:
  FamilyOrder(Store& store, const Links& links, FamilyRows& families)
      : store_(store),
        links_(links),
        branches_(families.branches()),
        layout_(store, links, families),
        pending_(store.memory()),
        placed_(store.memory()) {}

  /// Sorts until all rows are in order or `budget` is used up. Examining a row costs 1 of the budget, and moving a row
  /// costs 4 (kMoveCost). Starting with the rows of another depth costs 1, plus 1 for each 16 (kArchetypesPerUnit)
  /// archetypes that have tables of that depth. The next call continues where this call has stopped.
  /// Returns: true if the rows of all depths are in order now; false if the budget was used up before.
  /// Errors: std::bad_alloc; the rows sorted so far stay sorted.
  /// Complexity: O(min(budget, rows of the depths that changed and of greater depths)); O(1) if none has
  /// changed.
  bool defragment(std::size_t budget);

  /// Returns: whether the rows of depth `rank` in tables that several parents share are known to be in the
  /// order of their parents' rows.
  /// Contract: `rank` is not 0.
  bool in_order(std::uint32_t rank) const {
    const ChangedRanks& changed = store_.rows().changes().ranks();
    return !changed.contains(rank) && !changed.contains(rank - 1) && !pending_.contains(rank) &&
           cursor_.rank != rank;
  }

  /// Returns: whether the rows of all depths are known to be in the order of their parents' rows. A depth in
  /// which no row was ever created does not matter.
  bool in_order() const;

  /// Records at which depths the rows are still in order after `nodes` entities were created in breadth-first order, as
  /// new roots and entities below these roots. Rows that are created in this order are in the order of their parents'
  /// rows if all rows of the depth above are in one table. Begins with the first depth, and stops at a depth whose rows
  /// may be out of order, or whose tables are too many to examine in O(nodes). That depth and the greater ones are left
  /// to `defragment`.
  /// Contract: all rows were in order before the entities were created.
  /// Complexity: O(nodes).
  void mark_built_levels_ordered(std::size_t nodes);

  /// Returns: an estimate of the time to sort the rows of the first depth that is not in order, and of all greater
  /// depths, in nanoseconds on a machine of 2020. The estimate is only compared with those of
  /// Defragmenter::loss_of_jump, which assume the same machine.
  std::uint64_t price() const;

 private:
  static constexpr std::size_t kMoveCost = 4;
  static constexpr std::size_t kArchetypesPerUnit = 16;

  /// Where sorting continues in the next call of `defragment`. Cursor consists of numbers, not pointers, because tables
  /// and rows may change between calls. If a number is out of range in the next call, sorting goes on with the next
  /// table or archetype.
  struct Cursor {
    std::uint32_t rank = 0;       ///< Level being sorted; 0: none.
    std::uint32_t archetype = 0;  ///< Id of the parents' archetype.
    std::size_t table = 0;        ///< Index of the parents' table in the archetype's list for its rank.
    std::uint32_t row = 0;        ///< Row of the parent in its table.
    std::uint32_t child = Links::kNone;  ///< Next child of that parent; kNone: the first.
    bool changed = false;                ///< Rows have changed since sorting of the level began.

    void go_to(std::uint32_t next_archetype) {
      archetype = next_archetype;
      table = 0;
      row = 0;
    }
  };

  /// For one archetype, while the rows of one depth are sorted by swaps: the place in the archetype's table to which
  /// the row of the next child belongs.
  struct Placed {
    std::uint64_t level = 0;  ///< Value of `begun_` for which the other members are valid.
    /// The number of the call of `defragment` (see `calls_`) in which `next` was set. In another call, `next` is not
    /// valid, because rows may have moved between the calls.
    std::uint64_t call = 0;
    Place next{nullptr, 0};  ///< The block and row where the next child's row belongs.
    std::uint32_t rows = 0;  ///< Number of rows placed since sorting of the level began.
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
  ChangedRanks pending_;  // Levels to sort, in addition to those in RowChanges::ranks.
  Cursor cursor_;
  std::pmr::vector<Placed> placed_;  // By archetype id.
  std::uint64_t begun_ = 0;          // How often sorting of a level has begun.
  std::uint64_t calls_ = 0;          // Number of calls of `defragment`.
  std::uint64_t last_changes_ = 0;   // RowChanges::count at the end of the last call.
};

}  // namespace strata::detail
