// Which systems of a schedule visit rows block by block, that is, in turns for each block.
#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace strata::test::schedule_blocks_test {

namespace {

struct Position {
  std::int64_t x;
};
struct Velocity {
  std::int64_t x;
};

constexpr std::size_t kMany = 20'000;  // More than a block.

}  // namespace

TEST_SUITE("api/schedule_blocks") {
  TEST_CASE("systems of several stages run block by block, and explain tells which") {
    World world;
    world.create_many(kMany, Position{0}, Velocity{1});
    Schedule schedule(world);
    std::size_t moved = 0;
    std::size_t seen_at_first_turn = 0;
    schedule
        .add("move",
             [&](Position& position, const Velocity&) { position.x = static_cast<std::int64_t>(++moved); })
        .par();
    schedule
        .add("turn",
             [&](const Position& position, Velocity&) {
               if (position.x == 1) seen_at_first_turn = moved;
             })
        .par()
        .after("move");
    schedule.run();
    CHECK(moved == kMany);
    CHECK(seen_at_first_turn > 0);
    CHECK(seen_at_first_turn < kMany);
    CHECK(schedule.explain().find("stage 2, block by block with stage 1") != std::string::npos);
  }

  TEST_CASE("a system with a condition, with steps or without par ends the stages that run block by block") {
    World world;
    world.create_many(kMany, Position{0}, Velocity{1});
    Schedule schedule(world);
    std::size_t moved = 0;
    std::size_t seen = 0;
    schedule.add("move", [&](Position&, const Velocity&) { ++moved; }).par();
    System turn = schedule.add("turn", [&](const Position&, Velocity&) { seen = seen == 0 ? moved : seen; });
    turn.after("move");
    const auto seen_in_a_run = [&] {
      moved = seen = 0;
      schedule.run(1);
      CHECK(schedule.explain().find("block by block") == std::string::npos);
      return seen;
    };
    CHECK(seen_in_a_run() == kMany);
    turn.par().fixed_step(0.5, 4);
    CHECK(seen_in_a_run() == kMany);
    turn.every(0.5);
    CHECK(seen_in_a_run() == kMany);
    Schedule other(world);
    other.add("move", [&](Position&, const Velocity&) { ++moved; }).par();
    other.add("turn", [&](const Position&, Velocity&) { seen = seen == 0 ? moved : seen; })
        .par()
        .after("move")
        .run_if([](const World&) { return true; });
    moved = seen = 0;
    other.run();
    CHECK(seen == kMany);
  }

  TEST_CASE("commands that are applied later end the stages that run block by block") {
    World world;
    world.create_many(kMany, Position{0});
    Schedule schedule(world);
    schedule.add("spawn", [](Commands& commands, Query<const Velocity>&) { commands.create(Position{5}); })
        .apply_commands_after("move");
    schedule.add("move", [](Position& position) { ++position.x; }).par().after("spawn");
    schedule.add("again", [](Position& position) { position.x += 10; }).par().after("move");
    schedule.run();
    CHECK(schedule.explain().find("block by block") == std::string::npos);
    std::size_t moved = 0;
    std::size_t spawned = 0;
    world.query<const Position>().each([&](const Position& position) {
      moved += position.x == 11 ? 1u : 0u;
      spawned += position.x == 15 ? 1u : 0u;
    });
    CHECK(moved == kMany);
    CHECK(spawned == 1);
  }

  TEST_CASE("a disabled system is left out of the stages that run block by block") {
    World world;
    world.create_many(kMany, Position{0});
    Schedule schedule(world);
    schedule.add("first", [](Position& position) { position.x = position.x * 10 + 1; }).par();
    System second =
        schedule.add("second", [](Position& position) { position.x = position.x * 10 + 2; }).par();
    schedule.add("third", [](Position& position) { position.x = position.x * 10 + 3; }).par();
    schedule.run();
    second.disable();
    schedule.run();
    bool all = true;
    world.query<const Position>().each([&](const Position& position) { all = all && position.x == 12313; });
    CHECK(all);
  }
}

}  // namespace strata::test::schedule_blocks_test
