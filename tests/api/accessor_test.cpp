#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <type_traits>
#include <vector>

#include "../support/components.hpp"

namespace strata::test::accessor_test {

TEST_SUITE("api/accessor") {
  TEST_CASE("finds the value of an entity whatever its archetype") {
    World world;
    Accessor<Position> positions = world.accessor<Position>();
    const Entity plain = world.create(Position{1, 0, 0});
    const Entity both = world.create(Velocity{}, Position{2, 0, 0}, Frozen{});
    const Entity none = world.create(Velocity{});
    const Entity child = world.create(child_of(plain), Position{3, 0, 0});
    for (int round = 0; round < 2; ++round) {
      CHECK(positions.get(plain).x == 1);
      CHECK(positions.find(both)->x == 2);
      CHECK(positions.find(none) == nullptr);
      CHECK(positions.get(child).x == 3);
      CHECK(positions.contains(child));
      CHECK(!positions.contains(none));
    }
    positions.get(both).x = 5;
    CHECK(world.get<Position>(both).x == 5);
    CHECK(&positions.get(both) == world.find<Position>(both));
  }
  TEST_CASE("a stale handle finds nothing, and get says why") {
    World world;
    auto positions = world.accessor<const Position>();
    auto sparse = world.accessor<const SparseHealth>();
    static_assert(std::is_same_v<decltype(positions.get(Entity())), const Position&>);
    const Entity entity = world.create(Health{});
    CHECK_THROWS_WITH_AS(
        (void)positions.get(entity),
        "get: entity 0v1 has no strata::test::Position: add it first, or call find, which returns null",
        ContractViolation);
    CHECK_THROWS_AS((void)sparse.get(entity), ContractViolation);
    world.destroy(entity);
    world.create(Position{}, SparseHealth{});
    CHECK(positions.find(entity) == nullptr);
    CHECK(sparse.find(entity) == nullptr);
    CHECK(!positions.contains(entity));
    CHECK(!sparse.contains(entity));
    CHECK_THROWS_WITH_AS((void)positions.get(entity),
                         "get: entity 0v1 is stale or was never issued: test it with alive() first",
                         ContractViolation);
    CHECK(positions.find(Entity()) == nullptr);
  }
  TEST_CASE("adds to and removes from the side store and tables") {
    World world;
    const CountedScope scope;
    auto sparse = world.accessor<SparseCounted>();
    auto counted = world.accessor<Counted>();
    auto marks = world.accessor<SparseFrozen>();
    auto tags = world.accessor<Frozen>();
    const Entity entity = world.create();
    CHECK(sparse.add(entity, SparseCounted(1)).value() == 1);
    CHECK(sparse.add(entity, SparseCounted(2)).value() == 2);
    CHECK(counted.add(entity, Counted(3)).value() == 3);
    marks.add(entity);
    tags.add(entity);
    CHECK(sparse.get(entity).value() == 2);
    CHECK(world.has<Counted>(entity));
    CHECK(marks.contains(entity));
    CHECK(tags.contains(entity));
    CHECK(world.has<SparseFrozen>(entity));
    CHECK(sparse.remove(entity));
    CHECK(!sparse.remove(entity));
    CHECK(counted.remove(entity));
    CHECK(!counted.remove(entity));
    CHECK(marks.remove(entity));
    CHECK(tags.remove(entity));
    CHECK(!tags.contains(entity));
    CHECK(scope.clean());
    CHECK(world.validate());
  }
  TEST_CASE("refuses structural changes while a query iterates, and of what is gone") {
    World world;
    auto sparse = world.accessor<SparseHealth>();
    const Entity entity = world.create(Health{});
    world.query<Entity>().each([&](Entity visited) {
      CHECK_THROWS_AS(sparse.add(visited), ContractViolation);
      CHECK_THROWS_AS(sparse.remove(visited), ContractViolation);
    });
    world.destroy(entity);
    CHECK_THROWS_AS(sparse.add(entity), ContractViolation);
    CHECK(!sparse.remove(entity));
  }
  TEST_CASE("stays good while archetypes and pools grow and shrink") {
    World world;
    auto healths = world.accessor<Health>();
    auto sparse = world.accessor<SparseHealth>();
    std::vector<Entity> entities;
    for (int i = 0; i < 5000; ++i) {
      entities.push_back(world.create(Health{i}, SparseHealth{i}));
      if (i % 3 == 0) world.add(entities.back(), Velocity{});
    }
    while (entities.size() > 10) {
      world.destroy(entities.back());
      entities.pop_back();
    }
    world.shrink();
    for (int i = 0; i < 10; ++i) {
      CHECK(healths.get(entities[static_cast<std::size_t>(i)]).points == i);
      CHECK(sparse.get(entities[static_cast<std::size_t>(i)]).points == i);
    }
  }
}

}  // namespace strata::test::accessor_test
