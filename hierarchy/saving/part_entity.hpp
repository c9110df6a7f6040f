// OriginalHandle and OutsideEntity: components in a world that holds entities taken from another world. OriginalHandle
// stores the handle that an entity had there; OutsideEntity marks stand-ins for entities that were not taken.
#pragma once

#include <cstdint>
#include <string_view>

#include "../../core/component.hpp"
#include "../../core/plain_list.hpp"
#include "../../core/values/members.hpp"

namespace strata::detail {

/// A part is a world with entities that were taken from another world. This list is indexed by slot indices of the
/// part, and has the original handle of the entity at each index: the handle that it had in the other world. Values in
/// the part refer to entities by original handles. When the part is inserted into a world, these are replaced by
/// handles of that world.
using OriginalHandles = PlainList<Entity>;

/// A component that stores the original handle of its entity (see OriginalHandles). A saved part, in the file and after
/// loading, has this component instead of the list OriginalHandles. The handle does not refer to an entity of the part.
struct OriginalHandle {
  std::uint64_t bits = 0;

  Entity entity() const { return Entity::from_bits(bits); }
};

/// The tag of stand-ins. A part is a world with entities that were taken from another world. If a pair (relation,
/// target) leads to an entity that was not taken, the pair in the part leads to a stand-in instead.
struct OutsideEntity {};

}  // namespace strata::detail

template <>
inline constexpr std::string_view strata::name_of<strata::detail::OriginalHandle> = "strata::OriginalHandle";
template <>
inline constexpr std::string_view strata::name_of<strata::detail::OutsideEntity> = "strata::OutsideEntity";
template <>
inline constexpr auto strata::members_of<strata::detail::OriginalHandle> =
    strata::Members{strata::member("bits", &strata::detail::OriginalHandle::bits)};
