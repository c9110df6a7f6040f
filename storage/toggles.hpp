// Functions that switch a component of an entity off and on, without moving the entity's row.
#pragma once

#include <string>

#include "../core/compiler.hpp"
#include "store.hpp"

namespace strata::detail {

// If a component is switched off for an entity, the entity has a tag in the side store (sparse sets) that says so. This
// tag is registered when the component is switched off for the first time (see Registry::Toggled). Queries test the
// tag. The values of the component stay where they are. While any entity has such a tag, ChangeGuard::toggled is true,
// so that removals of components call `end_toggles`.

/// Does not compile if T cannot be switched off for an entity.
template <Component T>
constexpr void require_toggle() {
  static_assert(can_toggle<T>,
                "this component cannot be switched off for an entity; write after its definition: "
                "template <> inline constexpr bool strata::can_toggle<T> = true;");
}

/// Switches a component on or off for an entity.
/// Returns: false if the entity is stale or does not have the component, or if the component is already switched on or
/// off as requested; nothing has changed then.
/// Errors: std::bad_alloc (nothing has changed); exceptions of observers (the change is complete).
/// Contract: the component is described with `can_toggle`. No query is iterating, and no operation that runs user code
/// is under way (see ChangeGuard).
/// Complexity: O(1); O(components that were ever switched off) if the component is switched off for a first entity, or
/// on for the last one. The first call that switches the component off in this world also makes each query test all
/// archetypes again at its next visit, which takes O(archetypes).
STRATA_API bool toggle_component(Store& store, Entity entity, ComponentId id, bool on, CallSite at = {});

/// Returns: the pool (sparse set) of the entities for which a component is switched off, that is, the pool of the tag
/// that these entities have. Null if the component was never switched off.
inline SparsePool* find_off_pool(const Store& store, ComponentId id) noexcept {
  if (store.registry().toggled().empty()) return nullptr;
  const ComponentId tag = store.registry().off_tag_of(id);
  return tag != Registry::kUnknown ? store.side().find(tag) : nullptr;
}
/// Returns: whether a component is switched off for the entity; false if the entity does not have the component.
inline bool is_off(const Store& store, Entity entity, ComponentId id) noexcept {
  const SparsePool* const pool = find_off_pool(store, id);
  return pool != nullptr && pool->contains(entity);
}

/// Called by the functions that remove components, after observers were notified. If a removed component was switched
/// off, removes the tag that says so. If called with an entity, does this for all components that the entity no longer
/// has. If called with a component, does this for all entities that no longer have the component.
/// Complexity: O(components that were ever switched off) for an entity; O(entities for which `id` is switched off) for
/// a component.
void end_toggles(Store& store, Entity entity) noexcept;
void end_toggles(Store& store, ComponentId id) noexcept;

/// Sets ChangeGuard::toggled to true if any component is switched off for any entity, otherwise to false, and makes
/// queries read this flag again. Called when a component is switched off for a first entity, and when no entity has it
/// switched off any more.
void update_toggles(Store& store) noexcept;

/// Checks the records of switched-off components (invariant W5 of Store).
/// Returns: a sentence about what is wrong; empty if nothing is.
std::string check_toggles(const Store& store);

}  // namespace strata::detail
