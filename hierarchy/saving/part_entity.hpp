// What the entities of a part of a world have beside their components: the handles that they had in that world.
#pragma once

#include <cstdint>
#include <string_view>

#include "../../core/component.hpp"
#include "../../core/values/members.hpp"

namespace strata::detail {

/// The handle that an entity of a part had in the world from which it was taken. Values in the part contain such
/// handles; they are replaced when the part is inserted. It is no entity handle of the part.
struct OriginalHandle {
  std::uint64_t bits = 0;

  Entity entity() const { return Entity::from_bits(bits); }
};

/// The tag of entities in a part that stand for entities outside, to which pairs of relations lead.
struct OutsideEntity {};

}  // namespace strata::detail

template <>
inline constexpr std::string_view strata::name_of<strata::detail::OriginalHandle> = "strata::OriginalHandle";
template <>
inline constexpr std::string_view strata::name_of<strata::detail::OutsideEntity> = "strata::OutsideEntity";
template <>
inline constexpr auto strata::members_of<strata::detail::OriginalHandle> =
    strata::Members{strata::member("bits", &strata::detail::OriginalHandle::bits)};
