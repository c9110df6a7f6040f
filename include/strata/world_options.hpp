// WorldOptions: the options of a new world.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "../../core/slots.hpp"
#include "../../hierarchy/links/policies.hpp"

namespace strata {

/// The options of a new world: how it lays out rows, and how many entities it may have.
///
/// With Defragmentation::automatic, the default, a cascade (a query that visits level by level) of a
/// non-const World may move rows of entities that have a parent. Such a cascade invalidates pointers to their
/// values, and counts as a writer for thread safety. A cascade inside another iteration never moves rows.
struct WorldOptions {
  Layout layout = Layout::adaptive;  ///< Which tables hold the rows of children.
  /// Allocates all entities, values and tables, and must outlive the world; null: new and delete.
  std::pmr::memory_resource* memory = nullptr;
  std::uint32_t max_entities = detail::Slots::kDefaultLimit;  ///< The greatest number of slots in use.
  /// With Layout::adaptive, the children of a parent with more children than this get tables of their own.
  std::uint32_t large_family = 256;
  Defragmentation defragmentation =
      Defragmentation::automatic;  ///< Whether cascades may move rows; see World::defragment.
  /// From 1 to 255: worlds with different numbers have different handles, and treat each other's as stale.
  /// Such a world retires a slot after 2^24 uses. Worlds with the same number issue equal handles, so each
  /// accepts handles of the other; this also holds for number 0. A world with number 0 accepts a handle of a
  /// numbered world only if it has used that slot at least 2^24 times.
  std::uint32_t world_number = 0;
};

}  // namespace strata

namespace strata::detail {

/// Returns: the memory resource of the options; that of new and delete if they have none.
inline std::pmr::memory_resource* memory_of(const WorldOptions& options) {
  return options.memory != nullptr ? options.memory : std::pmr::new_delete_resource();
}

}  // namespace strata::detail
