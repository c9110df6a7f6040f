#include <doctest/doctest.h>
#include <strata/storage_advisor.hpp>
#include <strata/strata.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "../support/refusal.hpp"
#include "../support/thread_executor.hpp"

namespace strata::test::schedule_par_test {

namespace {

struct Position {
  std::int64_t x;
};
struct Velocity {
  std::int64_t x;
};
struct Burning {
  int damage;
};
struct Watched {
  std::int64_t x;
};
struct Gravity {
  std::int64_t value;
};
template <int number>
struct Mark {};

}  // namespace

}  // namespace strata::test::schedule_par_test

template <>
inline constexpr strata::Storage strata::storage_of<strata::test::schedule_par_test::Burning> =
    strata::Storage::sparse;
template <>
inline constexpr strata::Tracking strata::tracking_of<strata::test::schedule_par_test::Watched> =
    strata::Tracking::rows;

namespace strata::test::schedule_par_test {

namespace {

constexpr std::size_t kMany = 20'000;

/// Fills a world with moving and resting entities in several tables.
void fill(World& world) {
  for (std::size_t i = 0; i < kMany; ++i) {
    const Position position{static_cast<std::int64_t>(i)};
    const Velocity velocity{static_cast<std::int64_t>(i % 7)};
    if (i % 5 == 0) world.create(position);
    if (i % 5 == 1) world.create(velocity, Mark<0>{});
    if (i % 5 >= 2) world.create(position, velocity, Mark<1>{});
  }
}

/// Calls `test(executor)` without an executor, and with executors of one to eight workers.
template <class Test>
void with_executors(Test test) {
  test(nullptr);
  for (const std::size_t workers : {1, 2, 3, 8}) {
    ThreadExecutor executor(workers, Disturbance{static_cast<std::uint32_t>(workers)});
    test(&executor);
  }
}

/// Returns: the sum of all positions, each times the number of its entity.
std::uint64_t sum_of(World& world) {
  std::uint64_t sum = 0;
  world.query<Entity, const Position>().each([&](Entity entity, const Position& position) {
    sum = sum * 31 + static_cast<std::uint64_t>(position.x) * entity.index();
  });
  return sum;
}

}  // namespace

TEST_SUITE("api/schedule_par") {
  TEST_CASE("each row is visited by the systems in their order, with every executor") {
    std::vector<std::uint64_t> sums;
    with_executors([&](Executor* executor) {
      World world;
      fill(world);
      world.resources().set(Gravity{3});
      Schedule schedule(world);
      schedule.set_executor(executor);
      schedule
          .add("fall",
               [](Resource<const Gravity> gravity, Velocity& velocity) { velocity.x -= gravity->value; })
          .par();
      schedule
          .add("move",
               [](Elapsed elapsed, Position& position, const Velocity& velocity) {
                 position.x += velocity.x * static_cast<std::int64_t>(elapsed.seconds);
               })
          .par()
          .after("fall");
      schedule
          .add("turn",
               [](const Position& position, Velocity& velocity) {
                 velocity.x = position.x % 2 == 0 ? -velocity.x : velocity.x + 1;
               })
          .par()
          .after("move");
      schedule.add("double", [](Position& position) { position.x *= 2; }).par().after("turn");
      for (int run = 0; run < 3; ++run) schedule.run(2);
      sums.push_back(sum_of(world));
      CHECK(world.validate());
    });
    World world;
    fill(world);
    for (int run = 0; run < 3; ++run) {
      world.query<Velocity>().each([](Velocity& velocity) { velocity.x -= 3; });
      world.query<Position, const Velocity>().each(
          [](Position& position, const Velocity& velocity) { position.x += velocity.x * 2; });
      world.query<const Position, Velocity>().each([](const Position& position, Velocity& velocity) {
        velocity.x = position.x % 2 == 0 ? -velocity.x : velocity.x + 1;
      });
      world.query<Position>().each([](Position& position) { position.x *= 2; });
    }
    for (const std::uint64_t sum : sums) CHECK(sum == sum_of(world));
  }

  TEST_CASE("a system in fixed steps visits its rows once for each step") {
    with_executors([](Executor* executor) {
      World world;
      world.create_many(kMany, Position{0});
      Schedule schedule(world);
      schedule.set_executor(executor);
      schedule
          .add("step",
               [](Elapsed elapsed, Position& position) { position.x += elapsed.seconds == 0.25 ? 1 : 100; })
          .par()
          .fixed_step(0.25, 8);
      schedule.run(0.8);
      bool all = true;
      world.query<const Position>().each([&](const Position& position) { all = all && position.x == 3; });
      CHECK(all);
    });
  }

  TEST_CASE("commands of a stage are applied before systems of the next stage visit rows") {
    with_executors([](Executor* executor) {
      World world;
      world.create_many(kMany, Position{0});
      Schedule schedule(world);
      schedule.set_executor(executor, 0);
      schedule.add("spawn", [](Commands& commands, Query<const Position>&) { commands.create(Position{5}); });
      schedule.add("move", [](Position& position) { ++position.x; }).par().after("spawn");
      schedule.run();
      CHECK(world.query<const Position>().count() == kMany + 1);
      bool all = true;
      world.query<const Position>().each([&](const Position& position) { all = all && position.x % 5 == 1; });
      CHECK(all);
    });
  }

  TEST_CASE("a system that reads parents sees what earlier systems wrote to any row") {
    with_executors([](Executor* executor) {
      World world;
      for (std::size_t i = 0; i < kMany / 2; ++i) {
        const Entity parent = world.create(Position{0});
        world.create(child_of(parent), Velocity{0});
      }
      Schedule schedule(world);
      schedule.set_executor(executor);
      schedule.add("move", [](Position& position) { position.x = 7; }).par();
      schedule
          .add<Velocity, Parent<const Position>>("follow",
                                                 [](Velocity& velocity, const Position* parent) {
                                                   velocity.x = parent != nullptr ? parent->x : -1;
                                                 })
          .par()
          .after("move");
      schedule.run();
      bool all = true;
      world.query<const Velocity>().each([&](const Velocity& velocity) { all = all && velocity.x == 7; });
      CHECK(all);
    });
  }

  TEST_CASE(
      "components in sparse sets, and components that are switched off, are left to passes of their own") {
    with_executors([](Executor* executor) {
      World world;
      std::size_t burning = 0;
      for (std::size_t i = 0; i < kMany; ++i) {
        const Entity entity = world.create(Position{0}, Velocity{1});
        if (i % 3 != 0) continue;
        ++burning;
        world.add(entity, Burning{0});
      }
      Schedule schedule(world);
      schedule.set_executor(executor);
      schedule.add("move", [](Position& position, const Velocity& velocity) { position.x += velocity.x; })
          .par();
      schedule
          .add("burn",
               [](const Position& position, Burning& fire) { fire.damage += static_cast<int>(position.x); })
          .par()
          .after("move");
      schedule.add("stop", [](const Position&, Velocity& velocity) { velocity.x = 2; }).par().after("burn");
      schedule.run();
      schedule.run();
      std::size_t right = 0;
      world.query<const Burning>().each(
          [&](const Burning& value) { right += value.damage == 1 + 3 ? 1u : 0u; });
      CHECK(right == burning);
    });
  }

  TEST_CASE("writes to tracked components are recorded, with the same digest for every executor") {
    std::vector<std::size_t> changed;
    with_executors([&](Executor* executor) {
      World world;
      for (std::size_t i = 0; i < kMany; ++i) {
        if (i % 2 == 0) world.create(Watched{0}, Velocity{static_cast<std::int64_t>(i)});
        if (i % 2 == 1) world.create(Watched{0});
      }
      auto watched = world.query<const Watched>();
      watched.changed<Watched>().each([](const Watched&) {});
      Schedule schedule(world);
      schedule.set_executor(executor);
      schedule.add("write", [](Watched& value, const Velocity& velocity) { value.x = velocity.x; }).par();
      schedule.add("read", [](const Watched&, Velocity& velocity) { ++velocity.x; }).par().after("write");
      schedule.run();
      std::size_t found = 0;
      watched.changed<Watched>().each([&](const Watched&) { ++found; });
      changed.push_back(found);
    });
    for (const std::size_t found : changed) CHECK(found == kMany / 2);
  }

  TEST_CASE("an exception is the one that a single thread would have met, and the world is whole") {
    with_executors([](Executor* executor) {
      World world;
      fill(world);
      Schedule schedule(world);
      schedule.set_executor(executor);
      std::atomic<std::size_t> later{0};
      schedule.add("move", [](Position&) {}).par();
      schedule
          .add("fail",
               [](const Position& position, Velocity&) {
                 if (position.x % 1'000 == 997) throw std::runtime_error(std::to_string(position.x));
               })
          .par()
          .after("move");
      schedule.add("next", [&](World&) { ++later; }).after("fail");
      CHECK_THROWS_WITH(schedule.run(), "997");
      CHECK(later == 0);
      CHECK(world.validate());
      world.create(Position{0});  // The world is not locked any more.
    });
  }

  TEST_CASE("while times are measured, each system has a time of its own") {
    World world;
    fill(world);
    Schedule schedule(world);
    double now = 0;
    schedule.measure_times([&now] { return now; });
    schedule.add("slow", [&now](Position&, const Velocity&) { now += 1; }).par();
    schedule.add("fast", [&now](const Position&, Velocity&) { now += 0.5; }).par().after("slow");
    schedule.run();
    const std::vector<SystemTime> times = schedule.times();
    CHECK(times[0].last == doctest::Approx(kMany * 3 / 5));
    CHECK(times[1].last == doctest::Approx(kMany * 3 / 10));
  }

  TEST_CASE("an advisor that watches the world is told of each system's visit") {
    World world;
    fill(world);
    ThreadExecutor executor(2);
    Schedule schedule(world);
    schedule.set_executor(&executor);
    schedule.add("move", [](Position& position, const Velocity& velocity) { position.x += velocity.x; })
        .par();
    schedule.add("turn", [](const Position&, Velocity& velocity) { ++velocity.x; }).par().after("move");
    StorageAdvisor advisor(world);
    advisor.start();
    schedule.run();
    advisor.stop();
    CHECK(executor.runs() == 0);
    schedule.run();
    CHECK(executor.runs() == 1);
  }

  TEST_CASE("a system that is called as a whole or writes a resource cannot be par") {
    World world;
    world.resources().set(Gravity{1});
    Schedule schedule(world);
    const auto refuses = [](System system, const char* name) {
      const std::string message = refusal([&] { system.par(); });
      CHECK(says(message, name));
      CHECK(says(message, "has to be called for each row"));
    };
    refuses(schedule.add("query", [](Query<Position>&) {}), "\"query\"");
    refuses(schedule.add("commands", [](Commands&) {}), "\"commands\"");
    refuses(schedule.add("resource", [](Resource<Gravity>, Position&) {}), "\"resource\"");
    refuses(schedule.add("behind", [](Position&, Resource<Gravity>) {}), "\"behind\"");
    world.create_many(10, Position{0});
    schedule.run();  // They run all the same.
  }
  TEST_CASE("a system with par that throws ends the run after its stage, also while times are measured") {
    for (const bool measures : {false, true}) {
      CAPTURE(measures);
      World world;
      world.create(Position{1});
      Schedule schedule(world);
      if (measures) schedule.measure_times([] { return 0.0; });
      bool is_later_called = false;
      schedule.add("fail", [](Position&) { throw std::runtime_error("x"); }).par();
      schedule.add("next", [&](Position&) { is_later_called = true; }).par().after("fail");
      CHECK_THROWS_WITH(schedule.run(), "x");
      CHECK(!is_later_called);
    }
  }
  TEST_CASE("the other systems with par of a stage run to their end when one throws") {
    for (const bool measures : {false, true}) {
      CAPTURE(measures);
      World world;
      world.create(Burning{1}, Position{1});
      Schedule schedule(world);
      if (measures) schedule.measure_times([] { return 0.0; });
      bool is_other_called = false;
      schedule.add("fail", [](Burning&) { throw std::runtime_error("x"); }).par();
      schedule.add("other", [&](Position&) { is_other_called = true; }).par();
      CHECK_THROWS_WITH(schedule.run(), "x");
      CHECK(is_other_called);
    }
  }
  TEST_CASE("a system of a later stage is not called block by block with one of the stage that throws") {
    with_executors([](Executor* executor) {
      World world;
      fill(world);
      world.create(Burning{1});
      Schedule schedule(world);
      schedule.set_executor(executor);
      std::atomic<bool> is_beside_called = false;
      std::atomic<bool> is_later_called = false;
      schedule.add("fail", [](Burning&) { throw std::runtime_error("x"); }).par();
      schedule.add("beside", [&](Position&) { is_beside_called = true; }).par();
      schedule.add("next", [&](Position&) { is_later_called = true; }).par().after("beside");
      CHECK_THROWS_WITH(schedule.run(), "x");
      CHECK(is_beside_called);
      CHECK(!is_later_called);
    });
  }
}

}  // namespace strata::test::schedule_par_test
