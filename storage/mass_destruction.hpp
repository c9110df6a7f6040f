// MassDestruction: destroys the rows of many entities, whole tables at once where it can.
#pragma once

#include <cstdint>

#include "store.hpp"

namespace strata::detail {

/// Destroys entities of a store in two steps. First, each of their rows is announced. Then they are destroyed:
/// a table that loses all of its rows is cleared as a whole, other rows are removed in runs. Takes no memory.
///
/// Contract: the store outlives it. No other structural change happens between the two steps.
/// Threads: a writer of the store.
class MassDestruction {
 public:
  explicit MassDestruction(Store& store) : store_(store) {}

  /// Returns: the counts of announced rows. Rows are announced by PendingTableClears::reserve.
  PendingTableClears& announced() { return announced_; }

  /// Destroys the rows of tables that lose all of their rows, table by table in reverse order of
  /// announcement. Before that, calls `visit(index)` for each row.
  template <class Visit>
  void destroy_whole_tables(Visit visit) noexcept {
    while (Table* const table = announced_.take()) destroy_rows(*table, visit);
  }

  /// Destroys announced entities whose rows are adjacent in a block; the whole table if all of its rows are
  /// announced.
  void destroy_run(Place first, std::uint32_t count) noexcept;

  /// Destroys the components of all entities for which `leaves` is true, higher ranks first. They need not be
  /// announced. The caller has to release their slots next.
  /// Complexity: O(rows + side-store members + ranks * archetypes).
  template <class Leaves>
  void destroy_rows_if(Leaves leaves) noexcept {
    store_.side().erase_if(leaves);
    const Archetypes& archetypes = store_.archetypes();
    for (std::uint32_t rank = archetypes.rank_count(); rank-- > 0;) {
      for (const Archetype* archetype : archetypes.all()) {
        // From the back: the last table of the list takes the place of a removed one.
        for (std::size_t i = archetype->at_rank(rank).size(); i-- > 0;) {
          store_.rows().erase_if(table_of(*archetype->at_rank(rank)[i]), leaves);
        }
      }
    }
  }

 private:
  template <class Visit>
  void destroy_rows(Table& table, Visit visit) noexcept {
    constexpr std::uint32_t kAhead = 8;
    Slots& slots = store_.slots();
    SideStore& side = store_.side();
    for (const Block* block = table.first_block(); block != nullptr; block = block->next) {
      const Entity* const entities = block->format->entities(*block);
      for (std::uint32_t row = 0; row < block->count; ++row) {
        if (row + kAhead < block->count) slots.prefetch(entities[row + kAhead].index());
        side.erase(entities[row]);
        slots.release(entities[row].index());
        visit(entities[row].index());
      }
    }
    store_.rows().clear(table);
  }

  Store& store_;
  PendingTableClears announced_;
};

}  // namespace strata::detail
