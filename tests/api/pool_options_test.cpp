#include <doctest/doctest.h>

#include <strata/strata.hpp>
#include <vector>

#include "../support/components.hpp"

namespace strata::test::pool_options_test {

namespace {

struct Target {
  int number = 0;
};

}  // namespace

}  // namespace strata::test::pool_options_test

template <>
inline constexpr strata::Storage strata::storage_of<strata::test::pool_options_test::Target> =
    strata::Storage::sparse;
template <>
inline constexpr strata::PoolOptions strata::pool_options_of<strata::test::pool_options_test::Target> = {
    .removal = strata::Removal::stable, .entries_per_page = 64, .value_page_bytes = 64};

namespace strata::test::pool_options_test {

TEST_SUITE("api/pool_options") {
  TEST_CASE("pointers to values of a stable pool stay valid as others come, go and are sorted") {
    World world;
    std::vector<Entity> entities;
    std::vector<Target*> targets;
    for (int i = 0; i < 500; ++i) {
      entities.push_back(world.create(Target{i}));
      targets.push_back(world.find<Target>(entities.back()));
    }
    for (int i = 0; i < 500; i += 2) {
      if (i % 4 == 0) {
        world.remove<Target>(entities[static_cast<std::size_t>(i)]);
      } else {
        world.destroy(entities[static_cast<std::size_t>(i)]);
      }
    }
    world.pool<Target>().sort([](Entity a, Entity b) { return b < a; });
    world.shrink();
    for (std::size_t i = 1; i < 500; i += 2) {
      CHECK(world.find<Target>(entities[i]) == targets[i]);
      CHECK(targets[i]->number == static_cast<int>(i));
    }
    int visited = 0;
    world.query<const Target>().each([&](const Target&) { ++visited; });
    CHECK(visited == 250);
    CHECK(world.validate());
  }
  TEST_CASE("compact closes the holes of a stable pool, and is refused while a query iterates") {
    World world;
    CHECK(world.pool<Target>().compact() == 0);
    std::vector<Entity> entities;
    for (int i = 0; i < 100; ++i) entities.push_back(world.create(Target{i}));
    for (std::size_t i = 0; i < 50; ++i) world.remove<Target>(entities[i]);
    CHECK(world.pool<Target>().compact() > 0);
    CHECK(world.pool<Target>().compact() == 0);
    for (std::size_t i = 50; i < 100; ++i)
      CHECK(world.get<Target>(entities[i]).number == static_cast<int>(i));
    CHECK_THROWS_AS(world.query<const Target>().each([&](const Target&) { world.pool<Target>().compact(); }),
                    ContractViolation);
    CHECK(world.validate());
  }
  TEST_CASE("remove takes away what is in the side store, and says false of what is not there") {
    World world;
    const Entity entity = world.create(SparseHealth{3});
    CHECK(world.remove<SparseHealth>(entity));
    CHECK(!world.remove<SparseHealth>(entity));
    CHECK(!world.remove<Target>(entity));
    world.destroy(entity);
    CHECK(!world.remove<SparseHealth>(entity));
    CHECK(!world.remove<SparseHealth>(Entity()));
  }
}

}  // namespace strata::test::pool_options_test
