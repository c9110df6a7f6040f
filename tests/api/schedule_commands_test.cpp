// Commands that systems record with World::commands while other systems of their stage record commands.
#include <doctest/doctest.h>
#include <strata/history.hpp>
#include <strata/strata.hpp>

#include <cstddef>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../support/failing_memory.hpp"
#include "../support/refusal.hpp"
#include "../support/thread_executor.hpp"

namespace strata::test::schedule_commands_test {

namespace {

template <int>
struct Number {
  int value = 0;
};
/// Records the creation of an entity when it is destroyed.
struct Parting {
  World* world;
  explicit Parting(World* of) : world(of) {}
  Parting(Parting&& other) noexcept : world(std::exchange(other.world, nullptr)) {}
  Parting& operator=(Parting&&) = delete;
  ~Parting() {
    if (world != nullptr) world->commands().create(Number<0>{1});
  }
};

/// Makes entities with the same Number: as many as `count` says, by the Commands of a system or by those of the world.
template <int kind>
void spawn(Commands& commands, int count) {
  for (int i = 0; i < count; ++i) commands.create(Number<kind>{i});
}

template <int kind>
std::size_t count(const World& world) {
  return world.query<const Number<kind>>().count();
}

}  // namespace

TEST_SUITE("api/schedule_commands") {
  TEST_CASE("entities that systems create with World::commands have handles of their own") {
    for (const bool with_executor : {false, true}) {
      World world;
      ThreadExecutor executor(2);
      (void)world.component<Number<0>>();
      (void)world.component<Number<1>>();
      (void)world.component<Number<2>>();
      Schedule schedule(world);
      if (with_executor) schedule.set_executor(&executor, 1);
      int most = 17;
      schedule.add("first", [&](Commands& commands) { spawn<0>(commands, most); });
      schedule.add("undeclared", [&] { spawn<1>(world.commands(), 40); });
      schedule.add("second", [&](Commands& commands) { spawn<2>(commands, 30); });
      for (std::size_t run = 1; run <= 5; ++run) {
        schedule.run();
        REQUIRE(world.validate());
        CHECK(world.commands().empty());
        CHECK(count<0>(world) == static_cast<std::size_t>(most));
        CHECK(count<1>(world) == 40);
        CHECK(count<2>(world) == 30);
        std::vector<Entity> all;
        world.query<Entity>().each([&](Entity entity) { all.push_back(entity); });
        CHECK(world.size() == all.size());
        for (const Entity entity : all) world.destroy(entity);
        CHECK(world.size() == 0);
        most *= 3;
      }
    }
  }
  TEST_CASE(
      "near the limit of entities, World::commands has some handles in a stage, and the systems the others") {
    for (const bool with_executor : {false, true}) {
      World world({.max_entities = 100});
      ThreadExecutor executor(2);
      (void)world.component<Number<0>>();
      (void)world.component<Number<1>>();
      for (int i = 0; i < 100; ++i) world.create();
      world.clear();  // All slots exist, and are free.
      Schedule schedule(world);
      if (with_executor) schedule.set_executor(&executor, 0);
      int undeclared = 0;
      schedule.add("declared", [&](Commands& commands) { spawn<0>(commands, 60); });
      schedule.add("undeclared", [&] { spawn<1>(world.commands(), undeclared); });
      for (const int some : {0, 16, 1, 0, 16}) {
        undeclared = some;
        schedule.run();
        CHECK(count<0>(world) == 60);
        CHECK(count<1>(world) == static_cast<std::size_t>(some));
        REQUIRE(world.validate());
        world.clear();
      }
    }
  }
  TEST_CASE("entities that a stage is going to create do not count") {
    World world;
    world.create(Number<0>{1});
    Schedule beside(world);
    std::size_t size = 0;
    beside.add("count", [&](const World& read, Commands&) { size = read.size(); });
    beside.add("read", [](Query<const Number<0>>&) {});
    beside.run();
    CHECK(size == 1);
    Schedule alone(world);
    alone.add("both", [&](World& changed, Commands& commands) {
      spawn<0>(commands, 20);
      changed.commands().create();
      size = changed.size();
    });
    alone.run();
    CHECK(size == 1);
    CHECK(world.size() == 21);  // What was recorded in the world itself waits for a flush.
    world.flush();
    CHECK(world.size() == 22);
  }
  TEST_CASE("no checkpoint is taken or restored while a system's commands create entities") {
    World world;
    const Entity entity = world.create(Number<0>{1});
    History history(world);
    REQUIRE(history.checkpoint());
    world.destroy(entity);
    Schedule schedule(world);
    int refused = 0;
    schedule.add("undo", [&](World&, Commands& commands) {
      commands.create(Number<1>{2});
      if (says(refusal([&] { (void)history.restore(0); }), "commands of a system")) ++refused;
      if (says(refusal([&] { (void)history.checkpoint(); }), "commands of a system")) ++refused;
    });
    schedule.run();
    CHECK(refused == 2);
    CHECK(count<1>(world) == 1);
    CHECK(!world.alive(entity));
    CHECK(world.validate());
    REQUIRE(history.restore(0));
    CHECK(world.get<Number<0>>(entity).value == 1);
    CHECK(world.validate());
  }
  TEST_CASE("what values record when the commands of a failed system are dropped is applied") {
    World world;
    Schedule schedule(world);
    schedule.add("fails", [&](Commands& commands) {
      commands.create(Parting(&world));
      throw std::runtime_error("no more");
    });
    CHECK_THROWS_AS(schedule.run(), std::runtime_error);
    CHECK(world.commands().empty());
    CHECK(count<0>(world) == 1);
  }
  TEST_CASE("a stage without memory for entities of World::commands leaves them out") {
    int left_out = 0;
    for (std::size_t nth = 1; nth <= 40; ++nth) {
      CAPTURE(nth);
      FailingMemory memory;
      World world({.memory = &memory});
      Schedule schedule(world);
      int undeclared = 5000;
      schedule.add("declared", [](Commands& commands) { spawn<0>(commands, 20); });
      schedule.add("undeclared", [&] { spawn<1>(world.commands(), undeclared); });
      // Records a creation while commands are applied: it must not get the handle of one that was left out.
      const Subscription added = world.observers().on_add<Number<0>>(
          [&](Entity, Number<0>&) { world.commands().create(Number<2>{7}); });
      memory.fail_at(nth);
      try {
        schedule.run();
      } catch (const std::bad_alloc&) {
        ++left_out;
      }
      memory.never_fail();
      undeclared = 0;
      schedule.run();
      world.flush();
      REQUIRE(world.validate());
      CHECK(world.commands().empty());
      CHECK(world.size() == count<0>(world) + count<1>(world) + count<2>(world));
      CHECK((count<1>(world) == 0 || count<1>(world) == 5000));
      CHECK(count<0>(world) >= 20);
      CHECK(count<2>(world) >= 20);
      world.query<const Number<2>>().each([](const Number<2>& number) { CHECK(number.value == 7); });
      if (count<1>(world) != 0) --left_out;
    }
    CHECK(left_out > 0);
  }
}

}  // namespace strata::test::schedule_commands_test
