// WorldOptions: the options with which a world is created.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "../../core/slots.hpp"
#include "../../hierarchy/links/policies.hpp"

namespace strata {

/// The options of a new world: in which tables it stores children, how many entities it may have, and others.
///
/// With Defragmentation::automatic, the default, a cascade (a visit by depth) of a query of a non-const World may move
/// rows of entities that have a parent. Such a cascade invalidates pointers to the values of these entities, and counts
/// as a change of the world: no other thread may use the world at the same time. A cascade inside another iteration
/// never moves rows.
struct WorldOptions {
  Layout layout = Layout::adaptive;  ///< Which tables hold the rows of children.
  /// All entities, values and tables are allocated from this resource, which must outlive the world. Null stands for
  /// new and delete.
  std::pmr::memory_resource* memory = nullptr;
  /// The greatest number of live entities. Includes the entities that commands will create which are recorded and not
  /// applied yet.
  std::uint32_t max_entities = detail::Slots::kDefaultLimit;
  /// With Layout::adaptive, a parent with more children than this has tables of its own for them.
  std::uint32_t large_family = 256;
  Defragmentation defragmentation =
      Defragmentation::automatic;  ///< Whether cascades may move rows; see World::defragment.
  /// A number in each handle that tells of which world the handle is, so that handles of other worlds are detected.
  /// Worlds with different numbers from 1 to 255 issue different handles, and treat each other's handles as stale; a
  /// world with a number other than 0 no longer reuses an entity index after 2^24 uses. Worlds with the same number,
  /// also 0, issue equal handles, so each accepts handles of the other. A world with number 0 accepts a handle of a
  /// world with another number only if it has used the handle's index at least 2^24 times.
  std::uint32_t world_number = 0;
  /// The greatest number of rounds in which recorded commands are applied one after the other: user code that runs in
  /// one round may record commands, which are applied in the next one. More rounds break a contract, so that observers
  /// which record commands for each other without end do not hang the program.
  std::uint32_t max_rounds = 10'000;
  SiblingNames sibling_names = SiblingNames::any;  ///< Whether siblings may have equal names; see Names.
};

}  // namespace strata

namespace strata::detail {

/// Returns: the memory resource of the options; if that is null, the resource that uses new and delete.
inline std::pmr::memory_resource* memory_of(const WorldOptions& options) {
  return options.memory != nullptr ? options.memory : std::pmr::new_delete_resource();
}

}  // namespace strata::detail
