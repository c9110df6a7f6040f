// create_healthy: rows in a store that has no hierarchy.
#pragma once

#include <new>

#include "../../storage/store.hpp"
#include "components.hpp"

namespace strata::test {

/// Returns: a new entity without a parent, whose only component is a Health.
inline Entity create_healthy(detail::Store& store, int points) {
  const ComponentId health = store.registry().id_of<Health>();
  detail::Archetype& archetype = store.archetypes().with(store.archetypes().empty(), health);
  const Entity entity = store.create_row(archetype, store.tables().root()).entity;
  ::new (store.find(entity, health)) Health{points};
  return entity;
}

}  // namespace strata::test
