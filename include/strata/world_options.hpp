// WorldOptions: what a world is made with.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "../../core/slots.hpp"
#include "../../hierarchy/families/family_rows.hpp"
#include "../../hierarchy/links/policies.hpp"

namespace strata {

/// How a world lays out rows, and how many entities it may have. With Settling::automatic, which is the default, a cascade
/// of a query that a World made which is not const may move rows of entities that have a parent: it invalidates
/// pointers to their values, and is a writer as far as threads are concerned. A cascade inside another iteration never
/// moves rows.
struct WorldOptions {
  Layout layout = Layout::adaptive;  ///< Where the rows of children lie.
  std::pmr::memory_resource* memory =
      nullptr;  ///< Of entities, values, tables; null: new, delete. Outlives it.
  std::uint32_t max_entities = detail::Slots::kDefaultLimit;  ///< The most slots that are ever in use.
  std::uint32_t large_family = 256;         ///< See Layout::adaptive: its threshold, in children.
  Settling settling = Settling::automatic;  ///< Whether cascades may move rows: see World::settle.
  /// From 1 to 255: handles of this world are stale in every world of another number, and theirs in this one. Such a
  /// world retires a slot that was used 2^24 times. Worlds of the same number issue equal handles, so each takes a
  /// handle of the other for its own. So do worlds of number 0 among each other; one of these takes a handle of a
  /// numbered world for its own only where it has used that slot 2^24 times and more.
  std::uint32_t world_number = 0;
};

}  // namespace strata

namespace strata::detail {

/// Returns: the memory resource that the options name.
inline std::pmr::memory_resource* memory_of(const WorldOptions& options) {
  return options.memory != nullptr ? options.memory : std::pmr::new_delete_resource();
}

}  // namespace strata::detail
