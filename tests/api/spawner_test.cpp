#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

#include "../support/failing_memory.hpp"
#include "../support/fragile.hpp"
#include "../support/hooked.hpp"
#include "../support/values.hpp"

namespace strata::test::spawner_test {

namespace {

/// What constructors of Looking, and the function that makes a required value, call.
std::function<void()> look;

struct Looking {
  Looking() {
    if (look) look();
  }
  int number = 0;
};
/// An aggregate whose initial value runs code, too.
struct Around {
  Looking looking;
};
struct Wheel {
  int size = 0;
};
struct Cart {
  int load = 0;
};
Wheel make_wheel() {
  if (look) look();
  return {3};
}

/// Checks the memory and the values of a world at its end.
struct Fixture {
  CountedScope scope;
  FailingMemory memory;
  std::optional<World> owned{WorldOptions{.memory = &memory}};
  World& world = *owned;

  ~Fixture() {
    const Outcome sound = world.validate();
    CHECK_MESSAGE(sound, sound.message());
    owned.reset();
    CHECK(memory.blocks() == 0);
    CHECK(memory.complaint().empty());
    CHECK(scope.clean());
  }
};

}  // namespace

}  // namespace strata::test::spawner_test

template <>
inline constexpr auto strata::requires_of<strata::test::spawner_test::Cart> =
    strata::Requires<strata::Given<strata::test::spawner_test::make_wheel>>{};

namespace strata::test::spawner_test {

TEST_SUITE("api/spawner") {
  TEST_CASE_FIXTURE(Fixture, "creates what the world would create") {
    auto spawner = world.spawner<Counted, SparseCounted, Frozen, SparseFrozen, Wide>();
    const Entity entity = spawner.create(Counted(1), SparseCounted(2), {}, {}, Wide(3));
    const Entity other = world.create(Counted(1), SparseCounted(2), Frozen{}, SparseFrozen{}, Wide(3));
    CHECK(world.get<Counted>(entity).value() == 1);
    CHECK(world.get<SparseCounted>(entity).value() == 2);
    CHECK(world.has<Frozen>(entity));
    CHECK(world.has<SparseFrozen>(entity));
    CHECK(world.get<Wide>(entity) == Wide(3));
    CHECK(world.stats().tables == 1);
    CHECK(!world.parent(entity));
    CHECK(other.index() == entity.index() + 1);
  }
  TEST_CASE_FIXTURE(Fixture, "recycles handles, and goes on when its table was empty and the world shrank") {
    auto spawner = world.spawner<Health>();
    for (int round = 0; round < 3; ++round) {
      std::vector<Entity> entities;
      for (int i = 0; i < 3000; ++i) entities.push_back(spawner.create(Health{i}));
      for (int i = 0; i < 3000; ++i)
        CHECK(world.get<Health>(entities[static_cast<std::size_t>(i)]).points == i);
      for (const Entity entity : entities) world.destroy(entity);
      CHECK(world.shrink());
    }
    CHECK(world.stats().slots == 3000);
  }
  TEST_CASE_FIXTURE(Fixture, "creates children below a parent, and refuses to when that is gone") {
    const Entity parent = world.create(Health{1});
    auto spawner = world.spawner<Health, SparseHealth>(child_of(parent));
    std::vector<Entity> children;
    for (int i = 0; i < 300; ++i) children.push_back(spawner.create({i}, {i}));  // More than a small family.
    const auto range = world.children(parent);
    CHECK(std::equal(range.begin(), range.end(), children.begin()));
    world.destroy(parent);
    CHECK_THROWS_WITH_AS(spawner.create({}, {}),
                         "create below: entity 0v1 is stale or was never issued: test it with alive() first",
                         ContractViolation);
    CHECK_THROWS_AS(spawner.create_many(3, Health{}, SparseHealth{}), ContractViolation);
    CHECK(world.size() == 0);
  }
  TEST_CASE_FIXTURE(Fixture, "creates below a parent that is given with each call") {
    auto spawner = world.spawner<Health, SparseCounted>();
    std::vector<Entity> parents;
    for (int i = 0; i < 10; ++i) parents.push_back(spawner.create({i}, SparseCounted(i)));
    for (int i = 0; i < 100; ++i) {
      if (i == 50) world.set_storage<SparseCounted>(Storage::table);
      const Entity parent = parents[static_cast<std::size_t>(i) % 10];
      const Entity child = spawner.create_below(parent, {i}, SparseCounted(i));
      CHECK(world.parent(child) == parent);
      CHECK(world.get<Health>(child).points == i);
      CHECK(world.get<SparseCounted>(child).value() == i);
    }
    for (const Entity parent : parents) CHECK(world.child_count(parent) == 10);
    CHECK(!world.parent(spawner.create({1}, SparseCounted(1))));
    auto below = world.spawner<Health>(child_of(parents[0]));
    CHECK(world.parent(below.create_below(parents[1], {1})) == parents[1]);
    CHECK(world.parent(below.create({1})) == parents[0]);
    world.destroy(parents[2]);
    CHECK_THROWS_AS(spawner.create_below(parents[2], {1}, SparseCounted(1)), ContractViolation);
  }
  TEST_CASE_FIXTURE(Fixture, "refuses while a query iterates") {
    auto spawner = world.spawner<Health>();
    spawner.create({});
    world.query<Health>().each([&](Health&) {
      CHECK_THROWS_AS(spawner.create({}), ContractViolation);
      CHECK_THROWS_AS(spawner.create_many(3, Health{}), ContractViolation);
    });
    CHECK(world.size() == 1);
  }
  TEST_CASE_FIXTURE(Fixture, "many are filled run by run, in the order of their handles") {
    std::vector<Entity> shown;
    std::vector<Entity> told(20'000);
    const auto fill = [&](std::span<const Entity> entities, std::span<Position> positions,
                          std::span<SparseHealth> healths) {
      CHECK(positions.size() == entities.size());
      CHECK(healths.size() == entities.size());
      for (std::size_t i = 0; i < entities.size(); ++i) {
        CHECK(positions[i] == Position{});
        CHECK(healths[i] == SparseHealth{});
        positions[i].x = static_cast<float>(shown.size());
        healths[i].points = static_cast<int>(shown.size());
        shown.push_back(entities[i]);
      }
    };
    CHECK(world.create_many<Position, Frozen, SparseHealth, SparseFrozen>(told, fill) == told.size());
    CHECK(shown == told);
    for (std::size_t i = 0; i < told.size(); ++i) {
      if (world.get<Position>(told[i]).x == static_cast<float>(i) &&
          world.get<SparseHealth>(told[i]).points == static_cast<int>(i) && world.has<Frozen>(told[i]) &&
          world.has<SparseFrozen>(told[i])) {
        continue;
      }
      FAIL("entity " << to_string(told[i]) << " was filled wrongly");
    }
  }
  TEST_CASE_FIXTURE(Fixture, "many are copies of values, which may lie in a table that grows") {
    const Entity model = world.create(Counted(7), SparseCounted(8));
    std::vector<Entity> told(1000);
    world.create_many(told, world.get<Counted>(model), world.get<SparseCounted>(model), Frozen{});
    for (const Entity entity : told) {
      CHECK(world.get<Counted>(entity).value() == 7);
      CHECK(world.get<SparseCounted>(entity).value() == 8);
    }
    CHECK(world.create_many(0, Counted(1)) == 0);
    CHECK(world.create_many(5) == 5);
    CHECK(world.size() == 1006);
  }
  TEST_CASE_FIXTURE(Fixture, "many are made from columns, those of tags and of the side store included") {
    std::vector<Health> healths;
    std::vector<SparseHealth> sparse;
    for (int i = 0; i < 10'000; ++i) {
      healths.push_back({i});
      sparse.push_back({-i});
    }
    const std::vector<Frozen> frozen(healths.size());
    std::vector<Entity> told(healths.size());
    const Entity parent = world.create();
    auto spawner = world.spawner<Health, Frozen, SparseHealth>(child_of(parent));
    CHECK(spawner.create_many(told, healths, frozen, sparse) == told.size());
    for (std::size_t i = 0; i < told.size(); ++i) {
      REQUIRE(world.get<Health>(told[i]) == healths[i]);
      REQUIRE(world.get<SparseHealth>(told[i]) == sparse[i]);
      REQUIRE(world.has<Frozen>(told[i]));
    }
    CHECK(world.child_count(parent) == told.size());
    CHECK(world.create_many<Health>(healths.size(), healths) == healths.size());
    CHECK(world.validate());
    CHECK_THROWS_WITH_AS(world.create_many<Health>(9, healths),
                         doctest::Contains("has 10000 values for 9 entities"), ContractViolation);
    CHECK(world.size() == 1 + 2 * healths.size());
  }
  TEST_CASE_FIXTURE(Fixture, "a copy out of a column that throws leaves nothing created") {
    const std::vector<Fragile> fragile(20, Fragile(1));
    const std::vector<SparseFragile> sparse(20, SparseFragile(2));
    sweep_throwing_copies([&] { world.create_many<Fragile, SparseFragile>(20, fragile, sparse); },
                          [&] { CHECK(world.size() == 0); });
    CHECK(world.size() == 20);
  }
  TEST_CASE_FIXTURE(Fixture, "many become the last children of a parent, with recycled handles first") {
    std::vector<Entity> first;
    for (int i = 0; i < 20; ++i) first.push_back(world.create(Health{}));
    const Entity parent = world.create(Health{});
    world.create(child_of(parent), Health{});
    for (const Entity entity : first) world.destroy(entity);
    for (const std::size_t count : {10u, 40u, 1000u}) {
      std::vector<Entity> expected = world.breadth_first(parent);
      std::vector<Entity> told(count);
      world.spawner<Health>(child_of(parent)).create_many(told, Health{3});
      expected.insert(expected.end(), told.begin(), told.end());
      CHECK(world.breadth_first(parent) == expected);
      CHECK(world.validate());
    }
    CHECK(world.stats().slots == 21 + 1 + 1050 - 20);
  }
  TEST_CASE_FIXTURE(Fixture, "a copy that throws takes everything back, and its handles are issued again") {
    const Entity before = world.create(Health{});
    world.destroy(before);
    const std::size_t failures =
        sweep_throwing_copies([&] { world.create_many(20, Fragile(1), SparseFragile(2)); },
                              [&] {
                                CHECK(world.size() == 0);
                                CHECK(world.validate());
                              });
    CHECK(failures == 42);  // The spawner's own copy of each value, and two for each entity.
    CHECK(world.stats().slots == 20);
    CHECK(world.alive(Entity(before.index(), before.generation() + 1)));
  }
  TEST_CASE_FIXTURE(
      Fixture, "a filling function that throws takes everything back, and the handles it saw are stale") {
    std::vector<Entity> shown;
    const auto fill = [&](std::span<const Entity> entities, std::span<Huge>, std::span<SparseCounted>) {
      shown.insert(shown.end(), entities.begin(), entities.end());
      if (shown.size() > 50) throw std::runtime_error("on purpose");
    };
    const Entity parent = world.create(Counted(1));
    for (auto spawner :
         {world.spawner<Huge, SparseCounted>(), world.spawner<Huge, SparseCounted>(child_of(parent))}) {
      shown.clear();
      CHECK_THROWS_AS(spawner.create_many(100, fill), std::runtime_error);
      CHECK(world.size() == 1);
      CHECK(world.child_count(parent) == 0);
      std::vector<Entity> told(200);
      world.create_many(told, Health{});
      for (const Entity entity : shown) CHECK(!world.alive(entity));
      for (const Entity entity : told) world.destroy(entity);
    }
  }
  TEST_CASE_FIXTURE(Fixture, "a filling function may read, record commands and make no structural change") {
    int applied = 0;
    world.create_many<Counted>(10, [&](std::span<const Entity> entities, std::span<Counted> values) {
      CHECK_THROWS_AS(world.create(Health{}), ContractViolation);
      for (std::size_t i = 0; i < entities.size(); ++i) {
        values[i] = Counted(static_cast<int>(i));
        CHECK(&world.get<Counted>(entities[i]) == &values[i]);
        world.commands().add(entities[i], Health{static_cast<int>(i)});
      }
    });
    world.query<const Counted, const Health>().each([&](const Counted& value, const Health& health) {
      applied += value.value() == health.points ? 1 : 0;
    });
    CHECK(applied == 10);
  }
  TEST_CASE_FIXTURE(Fixture, "a filling function may destroy or assign to the spawner that calls it") {
    auto spawner = std::make_unique<Spawner<Health>>(world.spawner<Health>());
    const auto fill = [&](std::span<const Entity>, std::span<Health> values) {
      spawner.reset();
      for (Health& health : values) health.points = 1;
    };
    CHECK(spawner->create_many(100'000, fill) == 100'000);
    World other;
    auto kept = world.spawner<SparseHealth>();
    CHECK(kept.create_many(100'000, [&](std::span<const Entity>, std::span<SparseHealth> values) {
      kept = other.spawner<SparseHealth>();
      for (SparseHealth& health : values) health.points = 2;
    }) == 100'000);
    int sum = 0;
    world.query<const Health>().each([&](const Health& health) { sum += health.points; });
    world.query<const SparseHealth>().each([&](const SparseHealth& health) { sum += health.points; });
    CHECK(sum == 300'000);
    CHECK(other.size() == 0);
    kept.create({});
    CHECK(other.size() == 1);
    CHECK(other.validate());
  }
  TEST_CASE("code that makes the values of many does not find entities that lack values") {
    const HookScope hooks;
    std::vector<Entity> made(4);
    World().create_many(made, Health{});  // The first handles of every world.
    int looks = 0;
    const auto during = [&](auto create) {
      World world;
      const auto see = [&] {
        ++looks;
        for (const Entity entity : made) CHECK_FALSE(world.alive(entity));
      };
      hooks->copied = [&](int) { see(); };
      look = see;
      create(world);
      look = nullptr;
      hooks->copied = nullptr;
      CHECK(world.size() == 4);
      for (const Entity entity : made) CHECK(world.alive(entity));
      CHECK(world.validate());
      return std::exchange(looks, 0);
    };
    const std::vector<SparseHooked> column(4, SparseHooked(1));
    const std::vector<Health> healths(4);
    CHECK(during([](World& world) { world.create_many(4, SparseHooked(1), Health{2}); }) >= 4);
    CHECK(during([&](World& world) {
            auto spawner = world.spawner<SparseHooked, Health>();
            spawner.create_many(4, std::span(column), std::span(healths));
          }) == 4);
    CHECK(during([](World& world) {
            world.create_many<Looking, Health>(
                4, [](std::span<const Entity>, std::span<Looking>, std::span<Health>) {});
          }) == 4);
    CHECK(during([](World& world) { world.create_many(4, Cart{1}, Health{2}); }) == 4);
    CHECK(during([](World& world) {
            world.create_many<Around>(4, [](std::span<const Entity>, std::span<Around>) {});
          }) == 4);
  }
  TEST_CASE("too many are refused by name of the limit") {
    World world({.max_entities = 100});
    CHECK_THROWS_WITH_AS(world.create_many(101, Health{}),
                         "no slots are left for 101 new entities: destroy entities or raise "
                         "WorldOptions::max_entities",
                         ContractViolation);
    CHECK(world.create_many(100, Health{}) == 100);
    auto spawner = world.spawner<Health>();
    CHECK_THROWS_AS(spawner.create({}), ContractViolation);
    CHECK(world.size() == 100);
    CHECK(world.validate());
  }
}

}  // namespace strata::test::spawner_test
