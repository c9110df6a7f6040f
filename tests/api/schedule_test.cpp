#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../support/ended_process.hpp"
#include "../support/refusal.hpp"

namespace strata::test::schedule_test {

namespace {

struct Position {
  int x;
};
struct Velocity {
  int x;
};
struct Health {
  int points;
};
struct Local {
  int x;
};
struct Global {
  int x;
};
struct Frozen {};
struct Watched {
  int value;
};
struct Clock {
  int step;
};
struct Score {
  int points;
};

}  // namespace

}  // namespace strata::test::schedule_test

template <>
inline constexpr strata::Tracking strata::tracking_of<strata::test::schedule_test::Watched> =
    strata::Tracking::rows;

namespace strata::test::schedule_test {

namespace {

/// A schedule whose systems write down that they ran.
struct Traced {
  World world;
  Schedule schedule{world};
  std::vector<std::string> ran;

  System add(const std::string& name) {
    return schedule.add(name, [this, name] { ran.push_back(name); });
  }
  std::string run(double seconds = 0) {
    ran.clear();
    schedule.run(seconds);
    return text();
  }
  std::string text() const {
    std::string all;
    for (const std::string& name : ran) all += (all.empty() ? "" : " ") + name;
    return all;
  }
};

}  // namespace

TEST_SUITE("api/schedule") {
  TEST_CASE("a function of a query, and one of rows, are systems") {
    World world;
    world.resources().set(Clock{3});
    const Entity mover = world.create(Position{1}, Velocity{2});
    const Entity frozen = world.create(Position{1}, Velocity{2}, Frozen{});
    const Entity resting = world.create(Position{1});
    Schedule schedule(world);
    schedule.add("double", [](Query<Position, Without<Velocity>>& query) {
      query.each([](Position& position) { position.x *= 2; });
    });
    schedule.add("move", [](Resource<const Clock> clock, Position& position, const Velocity& velocity) {
      position.x += velocity.x * clock->step;
    });
    schedule.add<Position, With<Frozen>>("clear", [](Position& position) { position.x = 0; });
    int seen = 0;
    schedule.add(
        [&](Entity, const Position&, const Velocity* velocity) { seen += velocity != nullptr ? 1 : 0; });
    schedule.run();
    CHECK(world.get<Position>(mover).x == 7);
    CHECK(world.get<Position>(frozen).x == 0);
    CHECK(world.get<Position>(resting).x == 2);
    CHECK(seen == 2);
    CHECK(schedule.system("system 4").name() == "system 4");
  }
  TEST_CASE("a system of a cascade, of accessors and of layers") {
    World world;
    const Entity root = world.create(Local{1}, Global{0});
    const Entity leaf = world.create(child_of(root), Local{2}, Global{0});
    Schedule schedule(world);
    schedule.add("place", [](Query<const Local, Global, Parent<const Global>>& query) {
      query.cascade().each([](const Local& local, Global& global, const Global* parent) {
        global.x = local.x + (parent != nullptr ? parent->x : 0);
      });
    });
    schedule.add("look up", [&](Accessor<const Global>& globals, Accessor<Local>& locals) {
      locals.get(root).x = globals.get(leaf).x;
    });
    std::vector<int> painted;
    schedule.add("paint", [&](LayeredQuery<const Global>& query) {
      query.each_layer([&](const LayeredQuery<const Global>::Layer& layer) {
        layer.each([&](const Global& global) { painted.push_back(global.x); });
      });
    });
    schedule.run();
    CHECK(world.get<Global>(leaf).x == 3);
    CHECK(world.get<Local>(root).x == 3);
    CHECK(painted == std::vector{1, 3});
    CHECK(schedule.explain().find("look up: reads strata::test::schedule_test") != std::string::npos);
  }
  TEST_CASE("systems run in the order that is declared, and else in that of adding") {
    Traced traced;
    traced.add("draw").after("physics");
    traced.add("move").in("physics").after("input");
    traced.add("collide").in("physics").after("move");
    traced.add("input");
    traced.add("log");
    CHECK(traced.run() == "input log move collide draw");
    traced.schedule.set("physics").before("log");
    CHECK(traced.run() == "input move collide draw log");
    traced.add("first").before(traced.schedule.system("input"));
    CHECK(traced.run() == "first input move collide draw log");
  }
  TEST_CASE("a cycle, an unknown name and a name used twice are refused with a sentence") {
    Traced traced;
    traced.add("a").before("b");
    traced.add("b").in("late");
    traced.add("c").after("late").before("a");
    CHECK(traced.schedule.check().message() ==
          "the declared order is a cycle: \"c\" runs before \"a\", \"a\" before \"b\", \"b\" before \"c\"");
    CHECK(refusal([&] { traced.schedule.run(); }) ==
          "the schedule has no order: the declared order is a cycle: \"c\" runs before \"a\", \"a\" before "
          "\"b\", "
          "\"b\" before \"c\"");
    CHECK(traced.ran.empty());
    Traced other;
    other.add("a").after("inptu");
    CHECK(other.schedule.check().message() ==
          "\"a\" is to run after \"inptu\", which is no system and no set of this schedule: add it, or "
          "correct the name");
    CHECK(refusal([&] { other.add("a"); }) ==
          "there is a system \"a\" already: systems of one schedule have different names");
    CHECK(refusal([&] { other.schedule.set("a"); }) ==
          "there is a system \"a\" already: a set needs another name");
    CHECK(refusal([&] { other.add("b").in("a"); }) ==
          "there is a system \"a\" already: a set needs another name");
    other.schedule.set("inptu");
    CHECK(other.schedule.check());
    CHECK(refusal([&] { other.add("inptu"); }) ==
          "there is a set \"inptu\" already: a system needs another name");
    CHECK(refusal([&] { (void)other.schedule.system("x"); }) ==
          "this schedule has no system \"x\": add it first");
    CHECK(other.run() == "a b");
    Traced third;
    third.add("a").after("a");
    CHECK(third.schedule.check().message() == "\"a\" is to run before itself");
  }
  TEST_CASE("a system sorts by values that it declares to read, not by those that it only tests for") {
    World world;
    world.create(Position{}, Health{});
    Schedule schedule(world);
    int visits = 0;
    schedule.add("sorted", [&](Query<const Health, Position>& query) {
      query.order_by<Health>(&Health::points).each([&](const Health&, Position&) { ++visits; });
    });
    schedule.run();
    CHECK(visits == 1);
    schedule.add("tested", [&](Query<With<Health>, Position>& query) {
      query.order_by<Health>(&Health::points).each([&](Position&) { ++visits; });
    });
    CHECK(refusal([&] { schedule.run(); }).find("which the terms of the system's query do not declare") !=
          std::string::npos);
    CHECK(visits == 2);
  }
  TEST_CASE("a system looks for writes of tracked components among its terms only") {
    World world;
    world.create(Position{}, Watched{});
    Schedule schedule(world);
    int visits = 0;
    schedule.add("among", [&](Query<const Position, With<Watched>>& query) {
      query.changed<Watched>().each([&](const Position&) { ++visits; });
      query.order_by<Watched>(&Watched::value).each([&](const Position&) { ++visits; });
    });
    schedule.run();
    CHECK(visits == 2);
    schedule.add("beside", [&](Query<const Position>& query) {
      query.changed<Watched>().each([&](const Position&) { ++visits; });
    });
    CHECK(refusal([&] { schedule.run(); }).find("changed reads \"") != std::string::npos);
    Schedule other(world);
    other.add("below", [&](Query<const Position>& query) {
      query.cascade().changed_subtrees<Watched>().each([&](const Position&) { ++visits; });
    });
    CHECK(refusal([&] { other.run(); }).find("changed_subtrees reads \"") != std::string::npos);
  }
  TEST_CASE("conflicts without a declared order are told, and refused if so chosen") {
    World world;
    world.resources().set(Score{0});
    Schedule schedule(world);
    schedule.add("move", [](Position&, const Velocity&) {});
    schedule.add("clamp", [](Position&) {});
    schedule.add("show", [](const Position&) {});
    schedule.add("steer", [](Velocity&) {});
    schedule.add("score", [](Resource<Score>) {});
    schedule.add("print", [](Resource<const Score>) {}).after("score");
    schedule.add("marked", [](Query<const Health, With<Position>, Without<Velocity>>&) {});
    schedule.system("show").after("clamp");
    const std::string position = "\"strata::test::schedule_test::(anonymous namespace)::Position\"";
    const std::vector<std::string> conflicts = schedule.conflicts();
    const auto tells = [&](const std::string& begin, const std::string& end) {
      for (const std::string& sentence : conflicts) {
        if (sentence.starts_with(begin) && sentence.ends_with(end)) return true;
      }
      return false;
    };
    CHECK(conflicts.size() == 3);
    CHECK(tells("\"move\" and \"clamp\" both write \"", "\"move\" runs first"));
    CHECK(tells("\"move\" writes \"",
                "\", which \"show\" reads, and no order between them is declared: \"move\" runs first"));
    CHECK(tells("\"move\" reads \"",
                "\", which \"steer\" writes, and no order between them is declared: \"move\" runs first"));
    CHECK(schedule.check());
    schedule.refuse_conflicts();
    CHECK(schedule.check().message() == conflicts.front());
    schedule.system("move").before("clamp").before("steer");
    CHECK(schedule.check());
    schedule.run();
  }
  TEST_CASE("the times of changes are read by terms that only ask, if changes are tracked") {
    World world;
    Schedule schedule(world);
    schedule.add("write", [](Watched&) {});
    schedule.add("ask", [](Query<const Position, With<Watched>>&) {});
    schedule.add("ask for any", [](Query<AnyOf<Watched, Velocity>>&) {});
    schedule.add("write another", [](Velocity&) {});
    CHECK(schedule.conflicts().size() == 2);
  }
  TEST_CASE("a system that takes the world runs alone, and one that reads it beside other readers") {
    World world;
    Schedule schedule(world);
    schedule.add("read", [](const Position&) {});
    schedule.add("save", [](const World&) {});
    schedule.add("write", [](Position&) {});
    schedule.add("load", [](World& all) { all.create(Position{1}); });
    const std::string alone = "\"load\" may change any part of the world, and so conflicts with ";
    const std::string undeclared = ", and no order between them is declared: ";
    const std::string about =
        "\"read\" reads \"" + std::string(name_of<Position>) + "\", which \"write\" writes";
    const std::string all = "\"save\" may read any part of the world, and so conflicts with \"write\"";
    CHECK(schedule.conflicts() ==
          std::vector<std::string>{about + undeclared + "\"read\" runs first",
                                   alone + "\"read\"" + undeclared + "\"read\" runs first",
                                   all + undeclared + "\"save\" runs first",
                                   alone + "\"save\"" + undeclared + "\"save\" runs first",
                                   alone + "\"write\"" + undeclared + "\"write\" runs first"});
    schedule.run();
    CHECK(world.size() == 1);
    CHECK(schedule.explain() ==
          "stage 1, 2 systems side by side\n"
          "  read: reads " +
              std::string(name_of<Position>) +
              "\n"
              "  save: may read anything\n"
              "stage 2\n"
              "  write: writes " +
              std::string(name_of<Position>) +
              "; waits for read, save\n"
              "stage 3\n"
              "  load: may change anything; waits for write\n"
              "conflicts without a declared order\n  " +
              about + undeclared + "\"read\" runs first\n  " + alone + "\"read\"" + undeclared +
              "\"read\" runs first\n  " + all + undeclared + "\"save\" runs first\n  " + alone + "\"save\"" +
              undeclared + "\"save\" runs first\n  " + alone + "\"write\"" + undeclared +
              "\"write\" runs first\n");
    schedule.system("read").before("write");
    CHECK(schedule.to_dot() == R"(digraph schedule {
  rankdir=LR;
  node [shape=box];
  subgraph cluster_1 {
    label="stage 1";
    s0 [label="read"];
    s1 [label="save"];
  }
  subgraph cluster_2 {
    label="stage 2";
    s2 [label="write"];
  }
  subgraph cluster_3 {
    label="stage 3";
    s3 [label="load"];
  }
  s0 -> s2;
  s1 -> s2 [style=dashed];
  s2 -> s3 [style=dashed];
}
)");
  }
  TEST_CASE("structural changes of a system break a contract, unless it takes the world") {
    World world;
    world.create(Position{1});
    Schedule schedule(world);
    schedule.add("change", [&] { world.create(Velocity{1}); });
    CHECK(refusal([&] { schedule.run(); }) ==
          "create while a stage of a schedule is under way: record it with world.commands()");
    CHECK(world.size() == 1);
    Schedule other(world);
    other.add("change", [](World& all) { all.create(Velocity{1}); });
    other.add("record", [&](Query<Entity, const Position>& query) {
      query.each([&](Entity entity, const Position&) { world.commands().add(entity, Velocity{2}); });
      CHECK(world.query<With<Velocity>>().count() == 1);
    });
    other.add("count", [](Query<const Velocity>& query) { CHECK(query.count() == 2); });
    other.system("count").after("record");
    other.run();
    CHECK(refusal([&] { world.query<const Position>().each([&](const Position&) { other.run(); }); }) ==
          "a schedule cannot run while a query is iterating: run it when that has ended");
  }
  TEST_CASE("a schedule is not run or changed by its own systems, and a moved one runs on") {
    World world;
    Schedule schedule(world);
    schedule.add("nest", [&](World&) { schedule.run(); });
    CHECK(
        refusal([&] { schedule.run(); }) ==
        "a schedule cannot be run by one of its own systems: run it again when its run has returned, or give "
        "these systems a schedule of their own");
    Schedule other(world);
    other.add("add", [&] { other.add([] {}); });
    CHECK(refusal([&] { other.run(); }) ==
          "a schedule cannot be changed while it runs: do it between two runs");
    int runs = 0;
    Schedule from(world);
    System counted = from.add("count", [&](World& all) {
      ++runs;
      all.create(Position{1});
    });
    Schedule moved = std::move(from);
    World moved_world = std::move(world);
    moved.run();
    CHECK(moved_world.size() == 1);
    counted.disable();
    moved.run();
    CHECK(runs == 1);
  }
  TEST_CASE("a schedule is not destroyed or assigned to by its own systems") {
    const std::string refused =
        "a schedule is destroyed or assigned to by one of its own systems: do it when run has returned";
    World world;
    auto schedule = std::make_unique<Schedule>(world);
    SUBCASE("destroyed") {
      schedule->add("end", [&](World&) { schedule.reset(); });
    }
    SUBCASE("assigned to") {
      schedule->add("end", [&](World&) { *schedule = Schedule(world); });
    }
    CHECK(message_at_end([&] { schedule->run(); }) == refused);
  }
}

}  // namespace strata::test::schedule_test
