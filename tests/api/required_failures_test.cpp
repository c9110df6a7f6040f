// What holds when a component that another one requires cannot be made or stored.
#include <doctest/doctest.h>

#include <array>
#include <new>
#include <span>
#include <stdexcept>
#include <strata/strata.hpp>
#include <string>
#include <vector>

#include "../support/components.hpp"
#include "../support/failing_memory.hpp"
#include "../support/refusal.hpp"
#include "turrets.hpp"

namespace strata::test::required_failures_test {

using namespace turrets;

/// Records that an entity gets a Turret, and flushes while each allocation fails in turn, and then once more. The
/// entity has all that a Turret requires then, with first values. `make` makes the entity, and may record commands.
template <class Make>
void flush_without_memory(Make make) {
  for (std::size_t nth = 1; nth < 100; ++nth) {
    CAPTURE(nth);
    FailingMemory memory;
    World world(WorldOptions{.memory = &memory});
    const Entity entity = make(world);
    world.commands().add<Turret>(entity);
    bool failed = false;
    memory.fail_at(nth);
    try {
      world.flush();
    } catch (const std::bad_alloc&) {
      failed = true;
    }
    memory.never_fail();
    world.flush();
    CHECK(seen(world, entity) == "turret0 local1 global2 cooldown30 barrel7 aimed");
    if (!failed) break;
  }
}

TEST_SUITE("api/required_failures") {
  TEST_CASE("if a first value cannot be made, nothing has changed") {
    World world;
    const Entity entity = world.create(Health{1});
    const auto fails = [&](auto change) {
      Barrel::throw_at = Barrel::made + 1;
      CHECK_THROWS_AS(change(), std::runtime_error);
      Barrel::throw_at = 0;
      CHECK(seen(world, entity) == "");
      CHECK(world.size() == 1);
      CHECK(world.validate());
    };
    const CountedScope counted;
    fails([&] { world.add<Turret>(entity); });
    fails([&] { world.add<SparseTurret>(entity); });
    fails([&] {
      Turret turret;
      world.add(entity, world.component<Turret>(), &turret);
    });
    fails([&] { world.add<Turret>(std::array{entity}); });
    fails([&] { world.add<SparseTurret>(world.query<Health>()); });
    fails([&] { world.create(Turret{}); });
    fails([&] { world.spawner<Turret>().create({}); });
    fails([&] { world.create_many<Turret>(3, Turret{}); });
    fails([&] { world.build_hierarchy(std::array{kNoParent, 0u}, Turret{}); });
    fails([&] {
      world.commands().add<Turret>(entity);
      world.flush();
    });
    world.flush();  // The command has stayed recorded.
    CHECK(seen(world, entity) == "turret0 local1 global2 cooldown30 barrel7 aimed");
    world.clear();
    CHECK(counted.clean());
  }

  TEST_CASE("many entities get what they lack, each in one row move, or none gets anything") {
    FailingMemory memory;
    const CountedScope counted;
    {
      World world(WorldOptions{.memory = &memory});
      std::vector<Entity> entities;
      for (int i = 0; i < 40; ++i) {
        entities.push_back(world.create());
        if (i % 2 == 0) world.add(entities.back(), Health{i});
        if (i % 3 == 0) world.add(entities.back(), Global{i});
        if (i % 5 == 0) world.add(entities.back(), Cooldown{i});
        if (i % 7 == 0) world.add(entities.back(), SparseTurret{i});
        if (i % 8 == 0) world.add(entities.back(), Barrel(i));
      }
      world.component<Turret>();
      const auto seen_of_all = [&] {
        std::string all;
        for (const Entity entity : entities) all += seen(world, entity) + '\n';
        return all;
      };
      const std::string before = seen_of_all();
      const auto unchanged = [&] {
        CHECK(seen_of_all() == before);
        CHECK(world.validate());
      };
      for (const int later : {1, 10, 19}) {
        Barrel::throw_at = Barrel::made + later;
        CHECK_THROWS_AS(world.add<SparseTurret>(entities, SparseTurret{5}), std::runtime_error);
        unchanged();
      }
      Barrel::throw_at = 0;
      sweep_out_of_memory(
          memory, [&] { world.add<SparseTurret>(entities, SparseTurret{5}); }, unchanged);
      for (int i = 0; i < 40; ++i) {
        const std::string global = "global" + std::to_string(i % 3 == 0 ? i : 2);
        const std::string cooldown = " cooldown" + std::to_string(i % 5 == 0 ? i : 30);
        const std::string barrel = " barrel" + std::to_string(i % 8 == 0 ? i : 7);
        CHECK(seen(world, entities[static_cast<std::size_t>(i)]) ==
              "sparse5 turret0 local1 " + global + cooldown + barrel + " aimed");
      }
      CHECK(world.validate());
    }
    CHECK(counted.clean());
    CHECK(memory.blocks() == 0);
  }

  TEST_CASE("if memory runs out, nothing has changed") {
    for (const bool beside : {false, true}) {
      FailingMemory memory;
      const CountedScope counted;
      {
        World world(WorldOptions{.memory = &memory});
        const Entity entity = world.create(Health{1});
        world.component<Turret>();
        if (beside) world.set_storage<Turret>(Storage::sparse);
        const auto unchanged = [&] {
          CHECK(seen(world, entity) == "");
          CHECK(world.size() == 1);
          CHECK(world.validate());
        };
        sweep_out_of_memory(
            memory, [&] { world.add<Turret>(entity); }, unchanged);
        CHECK(seen(world, entity) == "turret0 local1 global2 cooldown30 barrel7 aimed");
        world.destroy(entity);
        const Entity other = world.create(Health{1});
        world.commands().add<Turret>(other);
        sweep_out_of_memory(
            memory, [&] { world.flush(); }, [&] { CHECK(seen(world, other) == ""); });
        CHECK(seen(world, other) == "turret0 local1 global2 cooldown30 barrel7 aimed");
      }
      CHECK(counted.clean());
      CHECK(memory.blocks() == 0);
    }
  }

  TEST_CASE("a function that makes a first value may record commands, and makes no structural change") {
    static World* world = nullptr;
    static Entity other;
    struct Maker {
      static void record(void* place, const void*) {
        *static_cast<int*>(place) = 3;
        world->commands().add(other, Health{4});
      }
      static void change(void*, const void*) { world->create(); }
    };
    World made;
    world = &made;
    other = made.create();
    const ComponentId count = made.component({.name = "count", .size = 4, .alignment = 4});
    const Requirement by_recording[] = {{.name = "count", .make = Maker::record}};
    const Requirement by_change[] = {{.name = "count", .make = Maker::change}};
    const ComponentId recorder = made.component({.name = "recorder", .requirements = by_recording});
    const ComponentId changer = made.component({.name = "changer", .requirements = by_change});
    const Entity entity = made.create();
    made.add(entity, recorder, nullptr);
    CHECK(*static_cast<const int*>(std::as_const(made).find(entity, count)) == 3);
    CHECK(made.get<Health>(other).points == 4);
    made.remove(entity, count);
    CHECK(says(refusal([&] { made.add(entity, changer, nullptr); }), "while add is under way"));
    CHECK_FALSE(made.has(entity, changer));
  }
  TEST_CASE("a flush that runs out of memory adds what is required when it goes on") {
    flush_without_memory([](World& world) { return world.create(Health{1}); });
  }
  TEST_CASE("a flush that runs out of memory does not forget what was removed before it is required") {
    flush_without_memory([](World& world) {
      const Entity entity = world.create(Local{9});
      world.commands().remove<Local>(entity);
      return entity;
    });
  }
}

}  // namespace strata::test::required_failures_test
