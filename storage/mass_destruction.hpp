// MassDestruction: destroys many entities at once, and clears a table as a whole if it loses all of its rows.
#pragma once

#include <cstdint>

#include "store.hpp"

namespace strata::detail {

/// Destroys many or all entities of a store at once. If a call destroys all rows of a table, the table is cleared as a
/// whole; from any other table, rows are removed in runs of adjacent rows. The functions allocate nothing.
///
/// Contract: the store outlives the object.
/// Threads: only the thread that changes the store may use the object.
class MassDestruction {
 public:
  explicit MassDestruction(Store& store) : store_(store) {}

  /// Destroys `count` live entities whose rows are adjacent in one block, from `first` on. Also removes them from all
  /// pools (sparse sets), and releases their slots (records of entity indices), so that their handles become stale.
  void destroy_run(Place first, std::uint32_t count) noexcept;

  /// Destroys the rows of all entities for which `leaves(Entity)` is true. Among the tables, those of deeper entities
  /// come first, so the rows of children are destroyed before those of their parents.
  /// Contract: these entities have been removed from all pools, and their slots have been released.
  /// Complexity: O(rows + depths * archetypes), of the whole store.
  template <class Leaves>
  void erase_rows_if(Leaves leaves) noexcept {
    for_each_table([&](Table& table) { store_.rows().erase_if(table, leaves); });
  }

  /// Destroys all entities: clears all pools and all tables, and releases the slots. Tables of deeper entities come
  /// first. Afterwards, new entities get the lowest indices first.
  /// Complexity: O(slots + tables + depths * archetypes), plus the values that have a destructor.
  void destroy_all() noexcept;

 private:
  /// Calls `visit(Table&)` for each table with rows, by descending rank (depth of its entities). `visit` may remove the
  /// rows of the table.
  template <class Visit>
  void for_each_table(Visit visit) noexcept {
    const Archetypes& archetypes = store_.archetypes();
    for (std::uint32_t rank = archetypes.rank_count(); rank-- > 0;) {
      for (const Archetype* archetype : archetypes.all()) {
        // The tables of a list are visited from the last to the first. If `visit` empties a table, the table leaves the
        // list. The last table of the list, which was visited before, takes its position.
        for (std::size_t i = archetype->at_rank(rank).size(); i-- > 0;) {
          visit(table_of(*archetype->at_rank(rank)[i]));
        }
      }
    }
  }

  Store& store_;
};

}  // namespace strata::detail
