#include "../../storage/side_store.hpp"

#include <doctest/doctest.h>

#include "../support/components.hpp"
#include "../support/failing_memory.hpp"

using namespace strata;
using namespace strata::test;

TEST_SUITE("storage/side_store") {
  TEST_CASE("a component has no pool before its first member, and then always the same") {
    Registry registry(std::pmr::new_delete_resource());
    SideStore side(registry, std::pmr::new_delete_resource());
    const ComponentId frozen = registry.id_of<SparseFrozen>();
    const ComponentId health = registry.id_of<SparseHealth>();
    CHECK(side.find(health) == nullptr);
    CHECK(side.find(ComponentId{99}) == nullptr);
    SparsePool& pool = side.get(health);
    CHECK(side.find(health) == &pool);
    CHECK(&side.get(health) == &pool);
    CHECK(side.find(frozen) == nullptr);
  }
  TEST_CASE("erase takes an entity out of every pool") {
    Registry registry(std::pmr::new_delete_resource());
    SideStore side(registry, std::pmr::new_delete_resource());
    const ComponentId frozen = registry.id_of<SparseFrozen>();
    const ComponentId health = registry.id_of<SparseHealth>();
    const Entity a(0, 1);
    const Entity b(1, 1);
    for (const Entity entity : {a, b}) {
      side.get(frozen).insert(entity);
      ::new (side.get(health).insert(entity).value) SparseHealth{1};
    }
    side.erase(a);
    CHECK(!side.find(frozen)->contains(a));
    CHECK(!side.find(health)->contains(a));
    CHECK(side.find(health)->contains(b));
    CHECK(side.check_invariants().empty());
  }
  TEST_CASE("out of memory leaves the side store as it was") {
    FailingMemory memory;
    {
      Registry registry(std::pmr::new_delete_resource());
      SideStore side(registry, &memory);
      const ComponentId health = registry.id_of<SparseHealth>();
      const std::size_t failures = sweep_out_of_memory(
          memory, [&] { side.get(health); }, [&] { CHECK(side.find(health) == nullptr); });
      CHECK(failures == 2);
    }
    CHECK(memory.blocks() == 0);
    CHECK(memory.complaint().empty());
  }
}
