// Components of entities in a part that was taken from a world: the handles that they had in that world, and the tag of
// stand-ins.
#pragma once

#include <cstdint>
#include <string_view>

#include "../../core/component.hpp"
#include "../../core/values/members.hpp"

namespace strata::detail {

/// The handle that an entity of a part had in the world from which it was taken. Values in the part contain such
/// handles; they are replaced when the part is inserted. It is not a handle of an entity of the part.
struct OriginalHandle {
  std::uint64_t bits = 0;

  Entity entity() const { return Entity::from_bits(bits); }
};

/// The tag of stand-ins. A stand-in is an entity in a part to which pairs lead instead of to an entity outside of the
/// part.
struct OutsideEntity {};

}  // namespace strata::detail

template <>
inline constexpr std::string_view strata::name_of<strata::detail::OriginalHandle> = "strata::OriginalHandle";
template <>
inline constexpr std::string_view strata::name_of<strata::detail::OutsideEntity> = "strata::OutsideEntity";
template <>
inline constexpr auto strata::members_of<strata::detail::OriginalHandle> =
    strata::Members{strata::member("bits", &strata::detail::OriginalHandle::bits)};
