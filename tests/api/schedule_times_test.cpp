#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

#include "../support/refusal.hpp"
#include "../support/thread_executor.hpp"

namespace strata::test::schedule_times_test {

namespace {

struct Position {
  int x;
};
struct Velocity {
  int x;
};

/// A schedule with a clock that systems move on.
struct Clocked {
  World world;
  Schedule schedule{world};
  double now = 100;

  System add(const std::string& name, double seconds) {
    return schedule.add(name, [this, seconds] { now += seconds; });
  }
  void measure(std::uint32_t runs) {
    schedule.measure_times([this] { return now; }, runs);
  }
};

}  // namespace

TEST_SUITE("api/schedule_times") {
  TEST_CASE("the last, mean and longest times of the last runs are kept for each system") {
    Clocked clocked;
    double seconds = 1;
    clocked.schedule.add("work", [&] { clocked.now += seconds; });
    clocked.add("rest", 0.5).every(2);
    CHECK(clocked.schedule.times().empty());
    clocked.measure(3);
    CHECK(clocked.schedule.times()[0].mean == 0);
    for (seconds = 1; seconds <= 5; ++seconds) clocked.schedule.run(1);
    const std::vector<SystemTime> times = clocked.schedule.times();
    REQUIRE(times.size() == 2);
    CHECK(times[0].system == "work");
    CHECK(times[0].last == 5);
    CHECK(times[0].mean == 4);
    CHECK(times[0].longest == 5);
    CHECK(times[1].last == 0);  // It was not due in the fifth run, nor in the third.
    CHECK(times[1].longest == 0.5);
    CHECK(times[1].mean == doctest::Approx(0.5 / 3));
  }
  TEST_CASE("a system that is added later has times from then on, and times end when they are not wanted") {
    Clocked clocked;
    clocked.add("first", 1);
    clocked.measure(2);
    clocked.schedule.run();
    clocked.add("second", 2);
    clocked.schedule.run();
    CHECK(clocked.schedule.times()[1].last == 2);
    CHECK(clocked.schedule.times()[1].mean == 1);
    clocked.schedule.stop_measuring();
    CHECK(clocked.schedule.times().empty());
    CHECK(clocked.schedule.explain().find("critical path") == std::string::npos);
  }
  TEST_CASE("explain shows the times and the longest chain of systems that wait for each other") {
    Clocked clocked;
    clocked.add("input", 0.001);
    clocked.add("move", 0.004).after("input");
    clocked.add("sound", 0.002).after("input");
    clocked.add("draw", 0.003).after("move").after("sound");
    clocked.measure(10);
    CHECK(clocked.schedule.explain().find("critical path") == std::string::npos);
    clocked.schedule.run();
    const std::string text = clocked.schedule.explain();
    CHECK(text.find("  move: waits for input; 4.000 ms (longest 4.000)\n") != std::string::npos);
    CHECK(text.find("critical path, means of 1 run: input, move, draw: 8.000 of 10.000 ms\n") !=
          std::string::npos);
  }
  TEST_CASE("a system that throws has a time, and so does each of several on threads") {
    Clocked clocked;
    clocked.schedule.add("fail", [&] {
      clocked.now += 3;
      throw std::runtime_error("fail");
    });
    clocked.measure(1);
    CHECK_THROWS_AS(clocked.schedule.run(), std::runtime_error);
    CHECK(clocked.schedule.times()[0].last == 3);

    World world;
    Schedule schedule(world);
    ThreadExecutor executor(2);
    std::atomic<int> ticks{0};
    schedule.set_executor(&executor, 0);
    schedule.add([](Position& position) { ++position.x; });
    schedule.add([](Velocity& velocity) { ++velocity.x; });
    schedule.measure_times([&] { return double(++ticks); }, 4);
    for (int run = 0; run < 4; ++run) schedule.run();
    CHECK(ticks == 16);
    for (const SystemTime& time : schedule.times()) CHECK(time.longest >= 1);
  }
  TEST_CASE("times of no run break a contract") {
    Clocked clocked;
    CHECK(says(refusal([&] { clocked.measure(0); }), "times of at least one run are kept"));
  }
}

}  // namespace strata::test::schedule_times_test
