// MassDestruction: destroys the rows of many entities, whole tables at once where it can.
#pragma once

#include <cstdint>

#include "store.hpp"

namespace strata::detail {

/// Destroys many entities of a store. A table that loses all of its rows is cleared as a whole, other rows are
/// removed in runs. Takes no memory.
///
/// Contract: the store outlives it.
/// Threads: a writer of the store.
class MassDestruction {
 public:
  explicit MassDestruction(Store& store) : store_(store) {}

  /// Destroys live entities whose rows are adjacent in a block.
  void destroy_run(Place first, std::uint32_t count) noexcept;

  /// Destroys the components of all entities for which `leaves` is true, higher ranks first. The caller has
  /// to release their slots next.
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
  Store& store_;
};

}  // namespace strata::detail
