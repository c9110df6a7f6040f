// States: what an entity is beside its components, such as disabled; kept as tags that only the library sets.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "component.hpp"

namespace strata {

/// The tag of the entities that are disabled, by themselves or because of an ancestor. Queries that do not name it
/// pass over them: `With<Disabled>` visits them alone, `Maybe<Disabled>` visits them, too. World::disable and the
/// like set it; nothing else may add or remove it.
struct Disabled {};

template <>
inline constexpr std::string_view name_of<Disabled> = "strata::Disabled";

namespace detail {

/// The tags of entities in one state. An entity has `shown` exactly if it has one of the others.
struct StateTags {
  ComponentId shown;    ///< The public tag: the entity is in the state.
  ComponentId itself;   ///< The entity alone was put into the state.
  ComponentId subtree;  ///< The entity was put into the state with all entities below it.
  ComponentId above;    ///< An ancestor has `subtree`.
};

/// The names of the tags of StateTags, in the order of its members.
inline constexpr std::array<std::string_view, 4> kDisabledTags = {
    name_of<Disabled>, "strata:disabled itself", "strata:disabled subtree", "strata:disabled above"};

}  // namespace detail
}  // namespace strata
