#include "../../storage/store.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "../../storage/store_change.hpp"
#include "../support/failing_memory.hpp"
#include "../support/values.hpp"

namespace strata::test::store_test {

using namespace detail;

namespace {

struct Subject {
  FailingMemory memory;
  Store store{&memory};
  std::vector<Kind> kinds = all_kinds(store.registry());
};

}  // namespace

TEST_SUITE("storage/store") {
  TEST_CASE("a change of an entity that is not alive is refused with its name") {
    Subject subject;
    const ComponentId health = subject.store.registry().id_of<Health>();
    CHECK_THROWS_WITH_AS(subject.store.add(Entity(7, 2), health),
                         "add: entity 7v2 is stale or was never issued: test it with alive() first",
                         ContractViolation);
    CHECK_THROWS_WITH_AS(subject.store.add(Entity(), health),
                         "add: entity none names nothing: pass a handle that create() has returned",
                         ContractViolation);
    CHECK(!subject.store.remove(Entity(7, 2), health));
    CHECK(!subject.store.destroy(Entity(7, 2)));
    CHECK(subject.store.find(Entity(7, 2), health) == nullptr);
  }
  TEST_CASE("a structural change while iterating is refused, and the way out is named") {
    Subject subject;
    Store& store = subject.store;
    const Entity entity = store.create_row(store.archetypes().empty(), store.tables().root()).entity;
    const ComponentId health = store.registry().id_of<Health>();
    {
      const ChangeGuard::Iteration outer(store.guard());
      { const ChangeGuard::Iteration inner(store.guard()); }
      CHECK_THROWS_AS(store.add(entity, health), ContractViolation);
      CHECK_THROWS_AS(store.remove(entity, health), ContractViolation);
      CHECK_THROWS_WITH_AS(
          store.destroy(entity),
          "destroy of entity 0v1 while a query is iterating: record it with world.commands()",
          ContractViolation);
    }
    CHECK(store.destroy(entity));
  }
  TEST_CASE("all memory goes back where it came from") {
    FailingMemory memory;
    {
      Store store(&memory);
      const std::vector<Kind> kinds = all_kinds(store.registry());
      for (int i = 0; i < 100; ++i) {
        const Entity entity = store.create_row(store.archetypes().empty(), store.tables().root()).entity;
        for (const Kind& kind : kinds) {
          const Store::Added added = store.add(entity, kind.id);
          if (!kind.tag) kind.make(added.value, i);
        }
      }
    }
    CHECK(memory.blocks() == 0);
    CHECK(memory.complaint().empty());
  }
}

}  // namespace strata::test::store_test
