// Functions that read from an entity's archetype in which states (such as disabled) the entity is, and why. Other
// functions find the archetype that has the same components, but other states.
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

/// A child of `parent` inherits a state if `parent`, or an ancestor of `parent`, was put into the state together with
/// its subtree.
/// Returns: the states that a child of `parent` inherits; empty if `parent` is Links::kNone.
inline StateSet inherited_from(const Store& store, std::uint32_t parent) {
  return parent != Links::kNone ? flags_of(store, parent).inherited_by_children() : StateSet();
}

/// Returns: the archetype with the components of `from`, but with the state tags (such as the tag for disabled) for
/// `flags` instead of those of `from`. Creates this archetype if it does not exist.
/// Errors: std::bad_alloc; nothing has changed then.
/// Contract: the tags of the states are registered, unless `flags` are those of `from`.
Archetype& with_flags(Store& store, Archetype& from, StateFlags flags);

/// Returns: the archetype for a new child of the entity with the slot index `parent`. It has the components of
/// `archetype`, but the tags of inherited states are those that a child of `parent` inherits. Creates this archetype if
/// it does not exist.
/// Errors: std::bad_alloc; nothing has changed then.
/// Contract: `parent` is alive.
Archetype& archetype_below(Store& store, Archetype& archetype, std::uint32_t parent);

}  // namespace strata::detail
