// A store under test, with typed access to its rows.
#pragma once

#include <array>
#include <new>

#include "../../storage/store_change.hpp"
#include "../support/failing_memory.hpp"
#include "../support/values.hpp"

namespace strata::test {

using namespace detail;

struct RowsFixture {
  FailingMemory memory;
  Store store{&memory};

  template <class... Ts>
  Archetype& archetype() {
    const std::array<ComponentId, sizeof...(Ts)> ids{store.registry().id_of<Ts>()...};
    return store.archetypes().get(Signature(ids, &memory));
  }
  Entity create(Archetype& archetype) { return store.create_row(archetype, store.tables().root()).entity; }
  Entity create(Archetype& archetype, int number) {
    const Entity entity = create(archetype);
    ::new (store.find(entity, store.registry().id_of<Counted>())) Counted(number);
    return entity;
  }
  Table& table(const Archetype& archetype) { return *store.tables().find(archetype, store.tables().root()); }
  int number(Entity entity) {
    return static_cast<Counted*>(store.find(entity, store.registry().id_of<Counted>()))->value();
  }
};

}  // namespace strata::test
