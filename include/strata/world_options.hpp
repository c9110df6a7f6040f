// WorldOptions: the options with which a world is created.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "../../core/slots.hpp"
#include "../../hierarchy/links/policies.hpp"

namespace strata {

/// The options of a new world: for example, in which tables it stores children, and how many entities it may have.
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
  /// The greatest number of live entities. Entities that recorded commands will create are counted, too. Creating more
  /// breaks a contract.
  std::uint32_t max_entities = detail::Slots::kDefaultLimit;
  /// With Layout::adaptive, a parent with more children than this has tables of its own, which hold only its children.
  std::uint32_t large_family = 256;
  Defragmentation defragmentation =
      Defragmentation::automatic;  ///< Whether cascades may move rows; see World::defragment.
  /// 0, or a number from 1 to 255 that distinguishes this world from others, so that this world treats handles of the
  /// other worlds as stale. Give worlds different numbers if their handles could be mixed up. Worlds with equal
  /// numbers, also 0, accept each other's handles. The number takes the upper 8 bits of the generation in each handle,
  /// so a world with a number other than 0 no longer reuses an entity index after 2^24 uses. In a world with number 0,
  /// all bits belong to the generation, so after 2^24 uses of an index, that world may take a handle of a numbered
  /// world for its own.
  std::uint32_t world_number = 0;
  /// Recorded commands are applied in rounds: commands that user code records during one round are applied in the next
  /// round, until none are left. This is the greatest number of rounds in one such sequence. More rounds break a
  /// contract; otherwise, observers that react to each other's commands without end would hang the program.
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
