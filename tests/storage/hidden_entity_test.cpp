#include "../../storage/hidden_entity.hpp"

#include <doctest/doctest.h>

#include "rows_fixture.hpp"

namespace strata::test::hidden_entity_test {

using namespace detail;

TEST_SUITE("storage/hidden_entity") {
  TEST_CASE_FIXTURE(RowsFixture,
                    "look-ups find neither the row nor the membership, and both again afterwards") {
    Archetype& archetype = this->archetype<Health>();
    const Entity entity = create(archetype);
    const Entity other = create(archetype);
    const ComponentId health = store.registry().id_of<Health>();
    const ComponentId sparse = store.registry().id_of<SparseHealth>();
    for (const Entity member : {entity, other}) {
      ::new (store.find(member, health)) Health{1};
      ::new (store.add(member, sparse).value) SparseHealth{2};
    }
    const Place place = store.slots().find(entity);
    {
      const HiddenEntity hidden(store, entity, sparse);
      CHECK_FALSE(store.alive(entity));
      CHECK(store.find(entity, health) == nullptr);
      CHECK_FALSE(store.side().find(sparse)->contains(entity));
      CHECK(store.find(other, health) != nullptr);
      CHECK(store.side().find(sparse)->contains(other));
    }
    CHECK(store.alive(entity));
    CHECK(store.slots().find(entity).block == place.block);
    CHECK(store.slots().find(entity).row == place.row);
    CHECK(static_cast<SparseHealth*>(store.side().find(sparse)->find(entity))->points == 2);
    CHECK(store.check_invariants().empty());
  }
  TEST_CASE_FIXTURE(RowsFixture, "a component without a pool, and a stale entity, are left alone") {
    const Entity entity = create(this->archetype<Health>());
    {
      const HiddenEntity hidden(store, entity, store.registry().id_of<Health>());
      CHECK_FALSE(store.alive(entity));
    }
    CHECK(store.alive(entity));
    store.destroy(entity);
    {
      const HiddenEntity hidden(store, entity, store.registry().id_of<SparseHealth>());
      CHECK_FALSE(store.alive(entity));
    }
    CHECK_FALSE(store.alive(entity));
    CHECK(store.check_invariants().empty());
  }
}

}  // namespace strata::test::hidden_entity_test
