#include "../../storage/side_store/side_store.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "../support/components.hpp"
#include "../support/failing_memory.hpp"

namespace strata::test::side_store_test {

using namespace detail;

namespace {

/// Adds so many pools without members.
/// Returns: the components' ids.
std::vector<ComponentId> add_marks(Registry& registry, SideStore& side, std::uint32_t count) {
  std::vector<ComponentId> ids;
  for (std::uint32_t i = 0; i < count; ++i) {
    ids.push_back(registry.add({.name = "mark " + std::to_string(i), .storage = Storage::sparse}));
    side.get(ids.back());
  }
  return ids;
}

}  // namespace

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
  TEST_CASE("destroying asks the pools that the entity has been in, not all that there are") {
    for (const std::uint32_t pools : {10u, 400u}) {
      Registry registry(std::pmr::new_delete_resource());
      SideStore side(registry, std::pmr::new_delete_resource());
      std::vector<ComponentId> ids;
      for (std::uint32_t i = 0; i < pools; ++i) {
        ids.push_back(registry.add({.name = "mark " + std::to_string(i), .storage = Storage::sparse}));
        // An early member: those that have joined keep what was recorded of them while pools are added.
        side.get(ids.back()).insert(Entity(0, 1));
        side.get(ids.back()).insert(Entity(1 + i, 1));
      }
      CHECK(side.check_invariants() == "");
      side.get(ids[3]).insert(Entity(8000, 5));
      side.get(ids[9]).insert(Entity(8000, 5));
      side.get(ids[4]).insert(Entity(8000, 5));
      side.get(ids[4]).erase(Entity(8000, 5));
      CHECK(side.erase(Entity(8000, 5)) == 3);
      CHECK(side.erase(Entity(8000, 5)) == 0);
      CHECK(side.erase(Entity(9000, 1)) == 0);
      CHECK(side.erase(Entity(1 + pools - 1, 1)) == 1);
      CHECK(side.erase(Entity(0, 1)) == pools);
      for (std::uint32_t i = 0; i < pools; ++i) {
        CHECK(side.find(ids[i])->size() == (i + 1 == pools ? 0 : 1));
        side.find(ids[i])->clear();
        side.find(ids[i])->shrink();
      }
      side.shrink_memberships();
      CHECK(side.check_invariants() == "");
      CHECK(side.erase(Entity(1, 1)) == 0);
    }
  }
  TEST_CASE(
      "of few pools all are asked; one more, and those alone that an entity has been in before or since") {
    Registry registry(std::pmr::new_delete_resource());
    SideStore side(registry, std::pmr::new_delete_resource());
    const std::vector<ComponentId> ids = add_marks(registry, side, SideStore::kFewPools);
    for (const std::uint32_t index : {5u, 70'000u}) {
      side.get(ids[2]).insert(Entity(index, 1));
      side.get(ids[7]).insert(Entity(index, 1));
    }
    CHECK(side.erase(Entity(5, 1)) == SideStore::kFewPools);
    CHECK(side.check_invariants() == "");
    const ComponentId frozen = registry.id_of<SparseFrozen>();
    side.get(frozen).insert(Entity(70'000, 1));
    side.get(ids[0]).insert(Entity(6, 1));
    CHECK(side.check_invariants() == "");
    CHECK(side.erase(Entity(70'000, 1)) == 3);
    CHECK(side.erase(Entity(6, 1)) == 1);
    CHECK(side.erase(Entity(5, 1)) == 0);
    side.for_each([](const SparsePool& pool) { CHECK(pool.size() == 0); });
  }
  TEST_CASE("out of memory while one more pool than few is made leaves few, and nothing recorded") {
    FailingMemory memory;
    {
      Registry registry(std::pmr::new_delete_resource());
      SideStore side(registry, &memory);
      const std::vector<ComponentId> ids = add_marks(registry, side, SideStore::kFewPools);
      for (std::uint32_t i = 0; i < 5; ++i) side.get(ids[i]).insert(Entity(i * 5000, 1));
      const ComponentId frozen = registry.id_of<SparseFrozen>();
      const std::size_t failures = sweep_out_of_memory(
          memory, [&] { side.get(frozen); },
          [&] {
            CHECK(side.find(frozen) == nullptr);
            CHECK(side.erase(Entity(1, 1)) == SideStore::kFewPools);
            CHECK(side.check_invariants() == "");
          });
      CHECK(failures > 10);
      CHECK(side.check_invariants() == "");
      for (std::uint32_t i = 0; i < 5; ++i) CHECK(side.erase(Entity(i * 5000, 1)) == 1);
    }
    CHECK(memory.blocks() == 0);
    CHECK(memory.complaint().empty());
  }
  TEST_CASE("erase_if leaves nothing behind to ask for") {
    Registry registry(std::pmr::new_delete_resource());
    SideStore side(registry, std::pmr::new_delete_resource());
    add_marks(registry, side, SideStore::kFewPools);
    const ComponentId frozen = registry.id_of<SparseFrozen>();
    for (std::uint32_t i = 0; i < 100; ++i) side.get(frozen).insert(Entity(i, 1));
    side.erase_if([](Entity entity) { return entity.index() % 2 == 0; });
    CHECK(side.find(frozen)->size() == 50);
    CHECK(side.erase(Entity(4, 1)) == 0);
    CHECK(side.erase(Entity(5, 1)) == 1);
    CHECK(side.check_invariants() == "");
  }
  TEST_CASE(
      "out of memory leaves the members and what is recorded of them as they were, with any number of "
      "pools") {
    FailingMemory memory;
    {
      Registry registry(std::pmr::new_delete_resource());
      SideStore side(registry, &memory);
      std::size_t failures = 0;
      for (std::uint32_t i = 0; i < 130; ++i) {
        const ComponentId id = registry.add({.name = "mark " + std::to_string(i),
                                             .storage = Storage::sparse,
                                             .pool = {.entries_per_page = 64}});
        failures += sweep_out_of_memory(
            memory, [&] { side.get(id).insert(Entity(i * 100, 1)); },
            [&] {
              CHECK(side.check_invariants() == "");
              CHECK((side.find(id) == nullptr || side.find(id)->size() == 0));
            });
      }
      CHECK(failures > 130 * 2);
      CHECK(side.memory_use().reserved <= memory.bytes());
      for (std::uint32_t i = 0; i < 130; ++i) CHECK(side.erase(Entity(i * 100, 1)) == 1);
    }
    CHECK(memory.blocks() == 0);
    CHECK(memory.complaint().empty());
  }
}

}  // namespace strata::test::side_store_test
