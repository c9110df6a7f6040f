// WorldOptions: the options of a new world.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "../../core/slots.hpp"
#include "../../hierarchy/links/policies.hpp"

namespace strata {

/// How a world lays out rows, and how many entities it may have. With Defragmentation::automatic, the default, a
/// cascade of a query of a non-const World may move rows of entities that have a parent. Such a cascade
/// invalidates pointers to their values, and counts as a writer for thread safety. A cascade inside another
/// iteration never moves rows.
struct WorldOptions {
  Layout layout = Layout::adaptive;  ///< The tables of child rows.
  std::pmr::memory_resource* memory =
      nullptr;  ///< For entities, values, tables; null: new, delete. Outlives it.
  std::uint32_t max_entities = detail::Slots::kDefaultLimit;  ///< The greatest number of slots in use.
  std::uint32_t large_family = 256;  ///< The threshold of Layout::adaptive, in children.
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

/// Returns: the memory resource of the options.
inline std::pmr::memory_resource* memory_of(const WorldOptions& options) {
  return options.memory != nullptr ? options.memory : std::pmr::new_delete_resource();
}

}  // namespace strata::detail
