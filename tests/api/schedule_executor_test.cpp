#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <cstddef>
#include <limits>
#include <new>

#include "../support/failing_memory.hpp"
#include "../support/refusal.hpp"
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
template <int>
struct Shot {
  int speed = 0;
};

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
  TEST_CASE("systems that may run on several threads do not register components") {
    World world;
    ThreadExecutor executor(2);
    Schedule schedule(world);
    schedule.set_executor(&executor);
    const auto late = [](Commands& commands) { commands.create(Shot<0>{1}); };
    schedule.add("first", late);
    schedule.add("second", [](Commands& commands) { commands.create(Shot<1>{1}); });
    CHECK(says(refusal([&] { schedule.run(); }), "is not registered, and several threads visit the world"));
    (void)world.component<Shot<0>>();
    (void)world.component<Shot<1>>();
    schedule.run();
    CHECK(world.query<const Shot<0>>().count() == 1);
    CHECK(world.query<const Shot<1>>().count() == 1);
    schedule.add("third", [](Commands& commands) { commands.add(Entity(), Entity(), Shot<2>{}); });
    CHECK(refusal([&] { schedule.run(); }) != "");
    CHECK(world.validate());
  }
  TEST_CASE("a time that is negative or no number is refused") {
    World world;
    Schedule schedule(world);
    int runs = 0;
    schedule.add("step", [&](Elapsed) { ++runs; }).fixed_step(0.1, 5);
    for (const double wrong :
         {-0.001, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
      CHECK(says(refusal([&] { schedule.run(wrong); }), "finite and not negative"));
      CHECK(says(refusal([&] { schedule.run_steps(wrong, 0.1, 5); }), "finite and not negative"));
    }
    CHECK(runs == 0);
    schedule.run(0.25);
    CHECK(runs == 2);
  }
  TEST_CASE("a schedule without memory for handles in a later run leaves the world whole") {
    for (std::size_t nth = 1; nth <= 12; ++nth) {
      CAPTURE(nth);
      FailingMemory memory;
      World world({.memory = &memory});
      Schedule schedule(world);
      int children = 20;
      schedule.add("many", [&](Commands& commands) {
        for (int i = 0; i < 100 * children; ++i) commands.create(Position{i});
      });
      schedule.add("few", [&](Commands& commands) {
        for (int i = 0; i < children; ++i) commands.create(Position{i});
      });
      schedule.run();
      children *= 4;
      memory.fail_at(nth);
      CHECK_THROWS_AS(schedule.run(), std::bad_alloc);
      memory.never_fail();
      CHECK(world.validate());
      schedule.run();
      CHECK(world.validate());
    }
  }
}

}  // namespace strata::test::schedule_executor_test
