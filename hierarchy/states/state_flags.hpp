// Functions that read from archetypes why entities are in states such as disabled, and that change it.
#pragma once

#include <cstdint>

#include "../../storage/store.hpp"
#include "../links/links.hpp"

namespace strata::detail {

/// Returns: why the entity with this slot index is in states.
/// Contract: the entity is alive.
inline StateFlags flags_of(const Store& store, std::uint32_t node) {
  return table_of(*store.slots().place_of(node).block).archetype().state_flags();
}

/// Returns: the states that the parent passes on to all entities below it: states in which it, or an ancestor of it, is
/// together with its subtree. None for Links::kNone.
inline StateSet inherited_from(const Store& store, std::uint32_t parent) {
  return parent != Links::kNone ? flags_of(store, parent).inherited_by_children() : StateSet();
}

/// Returns: the archetype that has these flags, and otherwise the components of `from`; created if it is new.
/// Errors: std::bad_alloc; nothing has changed then.
/// Contract: the tags of the states are registered, unless `flags` are those of `from`.
Archetype& with_flags(Store& store, Archetype& from, StateFlags flags);

/// Returns: the archetype for a new child of a live parent which is to have the components of `archetype`.
/// Errors: std::bad_alloc; nothing has changed then.
Archetype& archetype_below(Store& store, Archetype& archetype, std::uint32_t parent);

}  // namespace strata::detail
