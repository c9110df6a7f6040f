#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <stdexcept>
#include <string>
#include <vector>

#include "../support/refusal.hpp"

namespace strata::test::schedule_runs_test {

namespace {

struct Position {
  int x;
};
struct Velocity {
  int x;
};
struct Shot {};
struct Paused {
  bool is_paused;
};
struct Counter {
  int count;
};

/// A schedule whose systems write down that they ran.
struct Traced {
  World world;
  Schedule schedule{world};
  std::string ran;

  System add(const std::string& name) {
    return schedule.add(name, [this, name] { ran += name; });
  }
  std::string run(double seconds = 0) {
    ran.clear();
    schedule.run(seconds);
    return ran;
  }
};

}  // namespace

TEST_SUITE("api/schedule_runs") {
  TEST_CASE("steps of a schedule that cannot be planned lose no time") {
    World world;
    Schedule schedule(world);
    int runs = 0;
    schedule.add("step", [&] { ++runs; }).after("missing");
    CHECK(refusal([&] { schedule.run_steps(0.25, 0.1, 5); }) != "");
    CHECK(refusal([&] { schedule.run_steps(0.01, 0.1, 5); }) != "");
    schedule.add("missing", [] {});
    CHECK(schedule.run_steps(0.25, 0.1, 5) == 2);
    CHECK(runs == 2);
  }
  TEST_CASE("commands are applied at the end of a stage, in the order of the systems") {
    World world;
    Schedule schedule(world);
    std::vector<Entity> made;
    schedule.add("shoot", [&](Commands& commands) { made.push_back(commands.create(Position{1}, Shot{})); });
    schedule.add("spawn", [&](Commands& commands) {
      made.push_back(commands.create(Position{2}));
      CHECK(!world.alive(made.back()));
    });
    schedule.add("rename", [&](Commands& commands, Query<Entity, const Position>& query) {
      query.each([&](Entity entity, const Position&) { commands.add(entity, Velocity{1}); });
      CHECK(query.count() == 2);
    });
    schedule.system("rename").after("shoot").after("spawn");
    schedule.add("stop", [](Commands& commands, Entity entity, const Velocity&) {
      commands.remove<Velocity>(entity);
    });
    schedule.system("stop").after("rename");
    schedule.run();
    CHECK(made.size() == 2);
    CHECK(world.alive(made[0]));
    CHECK(made[0].index() < made[1].index());
    CHECK(world.query<With<Velocity>>().count() == 0);
    CHECK(schedule.explain() ==
          "stage 1, 2 systems side by side\n"
          "  shoot: records commands\n"
          "  spawn: records commands\n"
          "  then the commands of shoot, spawn are applied\n"
          "stage 2\n"
          "  rename: reads " +
              std::string(name_of<Position>) +
              "; records commands; waits for shoot, spawn\n"
              "  then the commands of rename are applied\n"
              "stage 3\n"
              "  stop: reads " +
              std::string(name_of<Velocity>) +
              "; records commands; waits for rename\n"
              "  then the commands of stop are applied\n"
              "no conflicts without a declared order\n");
    CHECK(world.validate());
  }
  TEST_CASE("commands are applied later if that is declared, but before a system that may change anything") {
    World world;
    Schedule schedule(world);
    std::vector<std::size_t> sizes;
    schedule.add("spawn", [](Commands& commands) { commands.create(Position{1}); });
    const auto count = [&](Query<const Position>& query) { sizes.push_back(query.count()); };
    schedule.add("count", count).after("spawn");
    schedule.add("count again", count).after("count");
    schedule.add("count once more", count).after("count again");
    schedule.run();
    CHECK(sizes == std::vector<std::size_t>{1, 1, 1});
    schedule.system("spawn").apply_commands_after("count again");
    schedule.run();
    CHECK(sizes == std::vector<std::size_t>{1, 1, 1, 1, 1, 2});
    schedule.add("change", [&](World& all) { sizes.push_back(all.size() * 100); })
        .after("spawn")
        .before("count");
    schedule.run();
    CHECK(sizes == std::vector<std::size_t>{1, 1, 1, 1, 1, 2, 300, 3, 3, 3});
    schedule.system("spawn").apply_commands_after("nothing");
    CHECK(schedule.check().message() ==
          "\"spawn\" applies its commands after \"nothing\", which is no system and no set of this schedule: "
          "add it, or correct the name");
  }
  TEST_CASE("a system runs at its rate, and is told the time since it last ran") {
    Traced traced;
    double told = 0;
    traced.add("a").every(0.5);
    traced.schedule
        .add("b",
             [&](Elapsed elapsed) {
               traced.ran += "b";
               told = elapsed.seconds;
             })
        .fixed_step(0.25, 3);
    traced.schedule.add("c",
                        [&](Elapsed elapsed) { traced.ran += std::to_string(elapsed.seconds).substr(0, 5); });
    CHECK(traced.run(0.125) == "0.125");
    CHECK(traced.run(0.375) == "abb0.375");
    CHECK(told == 0.25);
    traced.schedule.system("c").disable();
    CHECK(traced.run(2) == "abbb");
    traced.schedule.system("c").enable();
    CHECK(traced.run(0.125) == "0.125");
    CHECK(refusal([&] { traced.add("d").every(0); }) ==
          "the system \"d\" cannot run every 0.000000 seconds: give a number greater than 0");
    CHECK(says(refusal([&] { traced.add("e").fixed_step(1, 0); }), "\"e\" cannot run in steps of 1.0"));
  }
  TEST_CASE("a schedule runs in steps of a fixed length") {
    Traced traced;
    traced.add("a");
    traced.add("b").every(0.5);
    CHECK(traced.schedule.run_steps(0.1, 0.25, 4) == 0);
    CHECK(traced.schedule.run_steps(0.5, 0.25, 4) == 2);
    CHECK(traced.ran == "aab");
    CHECK(traced.schedule.run_steps(100, 0.25, 4) == 4);
    CHECK(traced.schedule.run_steps(0.2, 0.25, 4) == 1);
    CHECK(refusal([&] { (void)traced.schedule.run_steps(1, 0, 4); }).starts_with("a schedule runs in steps"));
  }
  TEST_CASE("systems and sets run when their conditions hold, and while they are enabled") {
    Traced traced;
    traced.world.resources().set(Paused{false});
    traced.world.resources().set(Counter{0});
    traced.add("a").in("game").run_if([](Resource<const Paused> paused) { return !paused->is_paused; });
    traced.add("b").in("game");
    traced.add("c").in("game").in("other");
    int asked = 0;
    traced.schedule.set("game").run_if([&](const World& world) {
      ++asked;
      return world.resources().get<Counter>().count < 2;
    });
    CHECK(traced.run() == "abc");
    CHECK(asked == 1);
    traced.world.resources().get<Paused>().is_paused = true;
    CHECK(traced.run() == "bc");
    traced.schedule.set("other").disable();
    CHECK(traced.run() == "b");
    traced.schedule.system("c").disable();
    traced.schedule.set("other").enable();
    CHECK(traced.run() == "b");
    traced.schedule.system("c").enable();
    CHECK(traced.run() == "bc");
    traced.world.resources().get<Counter>().count = 2;
    CHECK(traced.run() == "");
  }
  TEST_CASE("what a condition reads is written before it is asked, by a system that was added before") {
    World world;
    world.resources().set(Paused{true});
    Schedule schedule(world);
    int ran = 0;
    schedule.add("resume", [](Resource<Paused> paused) { paused->is_paused = false; });
    schedule.add("play", [&] { ++ran; }).run_if([](Resource<const Paused> paused) {
      return !paused->is_paused;
    });
    schedule.run();
    CHECK(ran == 1);
    CHECK(schedule.conflicts().size() == 1);
    schedule.system("play").before("resume");
    world.resources().get<Paused>().is_paused = true;
    schedule.run();
    CHECK(ran == 1);
  }
  TEST_CASE("a resource that is not there breaks a contract") {
    World world;
    Schedule schedule(world);
    schedule.add("count", [](Resource<Counter> counter) { ++counter->count; });
    CHECK(refusal([&] { schedule.run(); }).find("Counter") != std::string::npos);
    world.resources().set(Counter{1});
    schedule.run();
    CHECK(world.resources().get<Counter>().count == 2);
  }
  TEST_CASE("an exception ends the run after its stage, and only the commands of its system are dropped") {
    Traced traced;
    const auto record = [&](const char* name, bool fails) {
      return traced.schedule.add(name, [&traced, name, fails](Commands& commands) {
        traced.ran += name;
        commands.create(Position{1});
        if (fails) throw std::runtime_error(name);
      });
    };
    record("a", false).apply_commands_after("e");
    record("b", true).after("a");
    record("c", false).after("a");
    record("d", true).after("a");
    record("e", false).after("b").after("c").after("d");
    std::string message;
    try {
      traced.schedule.run();
    } catch (const std::runtime_error& error) {
      message = error.what();
    }
    CHECK(message == "b");
    CHECK(traced.ran == "abcd");
    CHECK(traced.world.size() == 2);
    CHECK(traced.world.validate());
    traced.schedule.system("b").disable();
    traced.schedule.system("d").disable();
    CHECK(traced.run() == "ace");
    CHECK(traced.world.size() == 5);
  }
  TEST_CASE("a condition that throws ends the run after its stage") {
    Traced traced;
    traced.add("a").run_if([]() -> bool { throw std::runtime_error("condition"); });
    traced.add("b");
    traced.add("c").after("b");
    CHECK_THROWS_AS(traced.schedule.run(), std::runtime_error);
    CHECK(traced.ran == "b");
  }
}

}  // namespace strata::test::schedule_runs_test
