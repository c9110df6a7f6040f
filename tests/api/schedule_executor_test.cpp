#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <cstddef>

#include "../support/thread_executor.hpp"

namespace strata::test::schedule_executor_test {

namespace {

struct Position {
  int x;
};
struct Velocity {
  int x;
};
struct Burning {
  int damage;
};
struct Wheel {};

}  // namespace

}  // namespace strata::test::schedule_executor_test

template <>
inline constexpr strata::Storage strata::storage_of<strata::test::schedule_executor_test::Burning> =
    strata::Storage::sparse;

namespace strata::test::schedule_executor_test {

TEST_SUITE("api/schedule_executor") {
  TEST_CASE(
      "a stage runs on several threads when all systems but the largest match as many rows as the grain") {
    World world;
    ThreadExecutor executor(2);
    Schedule schedule(world);
    schedule.add([](Position& position) { ++position.x; });
    schedule.add([](Query<Velocity>& rows) { rows.each([](Velocity& velocity) { ++velocity.x; }); });
    schedule.set_executor(&executor, 100);
    world.create_many(100, Position{1});
    world.create_many(99, Velocity{1});
    schedule.run();
    schedule.run();
    CHECK(executor.runs() == 0);
    world.create(Velocity{1}, Wheel{});
    schedule.run();  // Finds the new row.
    schedule.run();
    CHECK(executor.runs() == 1);
    CHECK(world.query<const Position>().count() == 100);
    world.query<const Position>().each([](const Position& position) { CHECK(position.x == 5); });
  }
  TEST_CASE(
      "rows in sparse sets and in many tables count for threads, a system without a query as the grain") {
    World world({.layout = Layout::per_parent});
    ThreadExecutor executor(2);
    Schedule schedule(world);
    schedule.set_executor(&executor, 300);
    int calls = 0;
    schedule.add([](Burning& burning) { ++burning.damage; });
    schedule.add([&calls](Elapsed) { ++calls; });
    world.create_many(299, Burning{1});
    schedule.run();
    schedule.run();
    CHECK(executor.runs() == 0);
    world.create(Burning{1});
    schedule.run();
    CHECK(executor.runs() == 1);
    schedule.system("system 2").disable();
    schedule.add([](Position& position) { ++position.x; });
    for (int i = 0; i < 100; ++i) {
      const Entity parent = world.create();
      for (int child = 0; child < 3; ++child) world.create(child_of(parent), Position{1});
    }
    schedule.run();
    CHECK(executor.runs() == 1);
    schedule.run();
    CHECK(executor.runs() == 2);
  }
  TEST_CASE("with a grain of 0 each stage of several systems runs on several threads") {
    World world;
    ThreadExecutor executor(2);
    Schedule schedule(world);
    schedule.set_executor(&executor, 0);
    schedule.add([](Position& position) { ++position.x; });
    schedule.run();
    CHECK(executor.runs() == 0);
    schedule.add([](Velocity& velocity) { ++velocity.x; });
    schedule.run();
    CHECK(executor.runs() == 1);
  }
}

}  // namespace strata::test::schedule_executor_test
