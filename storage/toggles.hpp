// Toggles: components that are switched off and on for an entity, without moving its row.
#pragma once

#include <string>

#include "../core/compiler.hpp"
#include "store.hpp"

namespace strata::detail {

// The entities for which a component is off have a tag in the side store, which is registered when the component is
// switched off for the first time (see Registry::Toggled). Queries test the tag; values stay where they are. While any
// entity has such a tag, ChangeGuard::toggled is true, so that removals of components call `end_toggles`.

/// Fails to compile if T is not a component that can be switched off.
template <Component T>
constexpr void require_toggle() {
  static_assert(can_toggle<T>,
                "this component cannot be switched off for an entity; write after its definition: "
                "template <> inline constexpr bool strata::can_toggle<T> = true;");
}

/// Switches a component on or off for an entity.
/// Returns: false if the entity is stale or does not have the component, or if that is its state already; nothing
/// has changed then.
/// Errors: std::bad_alloc, nothing has changed then; exceptions of observers, the change is complete then.
/// Contract: the component is described with `can_toggle`; nothing is being iterated.
/// Complexity: O(1); the first call that switches the component off in this world also O(archetypes), by making
/// queries test these again.
STRATA_API bool toggle_component(Store& store, Entity entity, ComponentId id, bool on, CallSite at = {});

/// Returns: the pool of the tag of the entities for which a component is off; null if it was never switched off.
inline SparsePool* find_off_pool(const Store& store, ComponentId id) noexcept {
  if (store.registry().toggled().empty()) return nullptr;
  const ComponentId tag = store.registry().off_tag_of(id);
  return tag != Registry::kUnknown ? store.side().find(tag) : nullptr;
}
/// Returns: whether a component is off for the entity; false if the entity does not have it.
inline bool is_off(const Store& store, Entity entity, ComponentId id) noexcept {
  const SparsePool* const pool = find_off_pool(store, id);
  return pool != nullptr && pool->contains(entity);
}

/// Components that were removed are no longer off: removes the tags that say so, from one entity for all components
/// that it no longer has, or for one component from all entities that no longer have it. Called by the functions that
/// remove components, after observers were notified.
/// Complexity: O(components that were ever off), or O(entities for which it is off).
void end_toggles(Store& store, Entity entity) noexcept;
void end_toggles(Store& store, ComponentId id) noexcept;

/// Makes queries and the guard check again whether any component is off. Called when that may have changed for any
/// entity.
void update_toggles(Store& store) noexcept;

/// Returns: a sentence about invariant W5 of Store; empty if it holds.
std::string check_toggles(const Store& store);

}  // namespace strata::detail
