#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <array>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "../support/components.hpp"
#include "../support/failing_memory.hpp"
#include "../support/refusal.hpp"
#include "turrets.hpp"

namespace strata::test::required_components_test {

using namespace turrets;

namespace {

/// Notes, when it is made, whether the entity that gets it can be found. Making one throws nothing.
template <int number>
struct Witness {
  Witness() noexcept : found(of != nullptr && of->alive(entity)) {}
  bool found;
  static inline const World* of = nullptr;
  static inline Entity entity;
};
using RowWitness = Witness<0>;
using PoolWitness = Witness<1>;
struct Trial {
  int number = 0;
};
struct Shown {};
struct Moved {};  // A tag that requires another one.

}  // namespace
}  // namespace strata::test::required_components_test

template <>
inline constexpr strata::Storage strata::storage_of<strata::test::required_components_test::PoolWitness> =
    strata::Storage::sparse;
template <>
inline constexpr strata::Storage strata::storage_of<strata::test::required_components_test::Moved> =
    strata::Storage::sparse;
template <>
inline constexpr auto strata::requires_of<strata::test::required_components_test::Moved> =
    strata::Requires<strata::test::required_components_test::Shown>{};
template <>
inline constexpr auto strata::requires_of<strata::test::required_components_test::Trial> =
    strata::Requires<strata::test::required_components_test::RowWitness,
                     strata::test::required_components_test::PoolWitness>{};

namespace strata::test::required_components_test {
namespace {

/// A way by which an entity gets a T, and with it all that T requires.
struct Road {
  const char* name;
  Entity (*take)(World&);
};

template <class T>
constexpr std::array<Road, 14> roads() {
  return {{
      {"create", [](World& world) { return world.create(T{5}); }},
      {"create below", [](World& world) { return world.create(child_of(world.create()), T{5}); }},
      {"add",
       [](World& world) {
         const Entity entity = world.create();
         world.add(entity, T{5});
         return entity;
       }},
      {"accessor",
       [](World& world) {
         const Entity entity = world.create();
         world.accessor<T>().add(entity, T{5});
         return entity;
       }},
      {"add by id",
       [](World& world) {
         const Entity entity = world.create();
         T value{5};
         world.add(entity, world.component<T>(), &value);
         return entity;
       }},
      {"add to many",
       [](World& world) {
         const std::array entities{world.create(), world.create(Global{2})};
         world.add<T>(entities, T{5});
         CHECK(seen(world, entities[0]) == seen(world, entities[1]));
         return entities[0];
       }},
      {"spawner", [](World& world) { return world.spawner<T>().create({5}); }},
      {"spawner below", [](World& world) { return world.spawner<T>().create_below(world.create(), {5}); }},
      {"create many copies",
       [](World& world) {
         std::array<Entity, 3> made;
         world.create_many(std::span(made), T{5});
         return made[2];
       }},
      {"create many of columns",
       [](World& world) {
         std::array<Entity, 3> made;
         const std::array<T, 3> values{T{3}, T{4}, T{5}};
         world.create_many(std::span(made), std::span<const T>(values));
         return made[2];
       }},
      {"create many by a function",
       [](World& world) {
         std::array<Entity, 3> made;
         world.create_many<T>(std::span(made), [](std::span<const Entity>, std::span<T> values) {
           for (T& value : values) value.number = 5;
         });
         return made[2];
       }},
      {"build hierarchy",
       [](World& world) {
         const std::array<std::uint32_t, 3> parents{kNoParent, 0, 1};
         return world.build_hierarchy(parents, T{5}).entities[2];
       }},
      {"command to add",
       [](World& world) {
         const Entity entity = world.create();
         world.commands().add(entity, T{5});
         world.flush();
         return entity;
       }},
      {"command to create",
       [](World& world) {
         const Entity entity = world.commands().create(T{5});
         world.flush();
         return entity;
       }},
  }};
}

template <class T>
void take_all_roads(const char* whole, void (*prepare)(World&)) {
  for (const Road& road : roads<T>()) {
    CAPTURE(road.name);
    const CountedScope counted;
    {
      World world;
      prepare(world);
      const Entity entity = road.take(world);
      CHECK(seen(world, entity) == whole);
      CHECK(seen(world, world.instantiate(entity)) == whole);
      CHECK(world.validate());
    }
    CHECK(counted.clean());
  }
}

}  // namespace

TEST_SUITE("api/required_components") {
  TEST_CASE("an entity that gets a component gets what that requires, by every road") {
    take_all_roads<Turret>(kWhole, [](World&) {});
    take_all_roads<SparseTurret>(kWholeOfSparse, [](World&) {});
  }

  TEST_CASE("it does not matter where the components are stored") {
    take_all_roads<Turret>(kWhole, [](World& world) {
      world.set_storage<Turret>(Storage::sparse);
      world.set_storage<Barrel>(Storage::sparse);
      world.set_storage<Cooldown>(Storage::table);
    });
    take_all_roads<SparseTurret>(kWholeOfSparse, [](World& world) {
      world.set_storage<SparseTurret>(Storage::table);
      world.set_storage<Global>(Storage::sparse);
      world.set_storage<Aimed>(Storage::sparse);
    });
  }

  TEST_CASE("and not whether changes are observed") {
    take_all_roads<Turret>(kWhole, [](World& world) {
      static std::vector<Subscription> watching;
      watching.clear();
      watching.push_back(world.observers().on_add<Global>([](Entity, Global&) {}));
    });
  }

  TEST_CASE("the row moves once") {
    const auto moves_of = [](auto change) {
      World world;
      const Entity entity = world.create(Barrel(1));
      const int before = Barrel::moves;
      change(world, entity);
      CHECK(world.get<Barrel>(entity).value() == 1);
      CHECK(world.has<Global>(entity));
      return Barrel::moves - before;
    };
    CHECK(moves_of([](World& world, Entity entity) { world.add<Turret>(entity); }) == 1);
    CHECK(moves_of([](World& world, Entity entity) { world.add<SparseTurret>(entity); }) == 1);
    CHECK(moves_of([](World& world, Entity entity) { world.add<Turret>(std::array{entity}); }) == 1);
    CHECK(moves_of([](World& world, Entity entity) {
            Turret turret;
            world.add(entity, world.component<Turret>(), &turret);
          }) == 1);
    CHECK(moves_of([](World& world, Entity entity) {
            world.commands().add<Turret>(entity);
            world.commands().add<Health>(entity);
            world.flush();
          }) == 1);
  }

  TEST_CASE("a value that the same call gives, or that the entity has, is kept") {
    World world;
    CHECK(seen(world, world.create(Turret{1}, Local{8}, Barrel(9))) ==
          "turret1 local8 global2 cooldown30 barrel9 aimed");
    CHECK(seen(world, world.create(Cooldown{4}, Turret{1})) ==
          "turret1 local1 global2 cooldown4 barrel7 aimed");
    const Entity entity = world.create(Global{6});
    world.add(entity, Turret{1});
    CHECK(seen(world, entity) == "turret1 local1 global6 cooldown30 barrel7 aimed");
    CHECK(seen(world, world.spawner<Local, Turret>().create({3}, {1})) ==
          "turret1 local3 global2 cooldown30 barrel7 aimed");
  }

  TEST_CASE("replacing a value adds nothing, and what is removed stays removed") {
    World world;
    const Entity entity = world.create(Turret{});
    world.remove<Local>(entity);
    world.add(entity, Turret{2});
    world.set(entity, Turret{3});
    world.commands().add(entity, Turret{4});
    world.flush();
    CHECK(seen(world, entity) == "turret4 global2 cooldown30 barrel7 aimed");
    world.remove<Turret>(entity);
    CHECK(seen(world, entity) == "global2 cooldown30 barrel7 aimed");
    world.set_storage<Turret>(Storage::sparse);
    world.add(entity, Turret{5});
    CHECK(seen(world, entity) == kWhole);
  }

  TEST_CASE("recorded commands have the result of the same calls one after the other") {
    World world;
    Commands& commands = world.commands();
    const Entity removed = commands.create(Turret{5});
    commands.remove<Local>(removed);
    const Entity kept = commands.create(Turret{5});
    commands.remove<Turret>(kept);
    const Entity given = commands.create(Turret{5});
    commands.add(given, Local{9});
    const Entity again = world.create(Local{9});
    commands.remove<Local>(again);
    commands.add(again, Turret{5});
    world.flush();
    CHECK(seen(world, removed) == "turret5 global2 cooldown30 barrel7 aimed");
    CHECK(seen(world, kept) == "local1 global2 cooldown30 barrel7 aimed");
    CHECK(seen(world, given) == "turret5 local9 global2 cooldown30 barrel7 aimed");
    CHECK(seen(world, again) == kWhole);
  }

  TEST_CASE("observers are told of each component that is added, when all are there") {
    World world;
    std::string told;
    std::vector<Subscription> watching;
    const auto watch = [&]<class T>(const char* name, T) {
      watching.push_back(world.observers().on_add<T>(
          [&told, &world, name](Entity entity, T&) { told += name + seen(world, entity) + ' '; }));
    };
    watch("G:", Global());
    watch("T:", Turret());
    const auto expected = [](const char* whole) { return std::string(whole) + ' '; };
    const Entity entity = world.create();
    world.add(entity, Turret{5});
    CHECK(told.size() == 2 * (2 + expected(kWhole).size()));
    CHECK(says(told, expected(std::string("G:").append(kWhole).c_str()).c_str()));
    CHECK(says(told, expected(std::string("T:").append(kWhole).c_str()).c_str()));
    told.clear();
    const Entity other = world.create();
    world.commands().add(other, Turret{5});
    world.flush();
    CHECK(told.size() == 2 * (2 + expected(kWhole).size()));
  }

  TEST_CASE("a mark that observers set brings what it requires") {
    World world;
    const Entity entity = world.create(Trial{1});
    const auto marks = world.observers().collect<Moved, OnSet<Trial>>();
    world.set(entity, Trial{2});
    CHECK(world.has<Moved>(entity));
    CHECK(world.has<Shown>(entity));
  }
  TEST_CASE("a first value that is built where it stays is built while the entity cannot be found") {
    World world;
    const Entity entity = world.create(Position{});
    RowWitness::of = PoolWitness::of = &world;
    RowWitness::entity = PoolWitness::entity = entity;
    world.add(entity, Trial{3});
    RowWitness::of = PoolWitness::of = nullptr;
    CHECK_FALSE(world.get<RowWitness>(entity).found);
    CHECK_FALSE(world.get<PoolWitness>(entity).found);
    CHECK(world.get<Trial>(entity).number == 3);
    CHECK(world.validate());
  }
  TEST_CASE("a filling function may destroy the spawner that calls it") {
    World world;
    auto spawner = std::make_unique<Spawner<Trial>>(world.spawner<Trial>());
    CHECK(spawner->create_many(100'000, [&](std::span<const Entity>, std::span<Trial> values) {
      spawner.reset();
      for (Trial& trial : values) trial.number = 4;
    }) == 100'000);
    std::size_t found = 0;
    world.query<const Trial, const RowWitness, const PoolWitness>().each(
        [&](const Trial& trial, const RowWitness&, const PoolWitness&) { found += trial.number == 4; });
    CHECK(found == 100'000);
    CHECK(world.validate());
  }
}

}  // namespace strata::test::required_components_test
