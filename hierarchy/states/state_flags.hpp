// Functions that read from archetypes why entities are in states such as disabled, and that find the archetypes for
// other reasons.
#pragma once

#include <cstdint>

#include "../../storage/store.hpp"
#include "../links/links.hpp"

namespace strata::detail {

/// Returns: in which states the entity with this slot index is, and for which reasons.
/// Contract: the entity is alive.
inline StateFlags flags_of(const Store& store, std::uint32_t node) {
  return table_of(*store.slots().place_of(node).block).archetype().state_flags();
}

/// Returns: the states that the entities below `parent` have because of `parent` or an ancestor of `parent`: those in
/// which one of these is together with its subtree. Empty if `parent` is Links::kNone.
inline StateSet inherited_from(const Store& store, std::uint32_t parent) {
  return parent != Links::kNone ? flags_of(store, parent).inherited_by_children() : StateSet();
}

/// Returns: the archetype with the components of `from`, but with the tags for the states `flags`; created if it is
/// new.
/// Errors: std::bad_alloc; nothing has changed then.
/// Contract: the tags of the states are registered, unless `flags` are those of `from`.
Archetype& with_flags(Store& store, Archetype& from, StateFlags flags);

/// Returns: the archetype for a new child of the live entity `parent`, if the child is to have the components of
/// `archetype`.
/// Errors: std::bad_alloc; nothing has changed then.
Archetype& archetype_below(Store& store, Archetype& archetype, std::uint32_t parent);

}  // namespace strata::detail
