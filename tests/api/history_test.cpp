#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <string>
#include <vector>

#include "../support/failing_memory.hpp"
#include "../support/fragile.hpp"
#include "../support/refusal.hpp"
#include "../support/tracked.hpp"
#include "history_turns.hpp"

namespace strata::test::history_test {

namespace {

struct Told {};

/// Returns: everything that matters of a world with values whose copies throw.
std::string seen(const World& world, const std::vector<Entity>& entities) {
  const Outcome sound = world.validate();
  std::string text = sound ? "" : sound.message();
  for (const Entity entity : entities) {
    text += to_string(entity) + " under " + to_string(world.parent(entity)) + ' ' +
            std::string(world.names().name(entity));
    if (!world.alive(entity)) continue;
    if (const Fragile* const value = world.find<Fragile>(entity))
      text += " row " + std::to_string(value->value());
    if (const SparseFragile* const value = world.find<SparseFragile>(entity))
      text += " member " + std::to_string(value->value());
    if (const ByRow* const value = world.find<ByRow>(entity))
      text += " by row " + std::to_string(value->value);
    for (const Entity target : world.relations().targets<Docked>(entity))
      text += " docked " + to_string(target);
  }
  return text;
}

/// Changes what `seen` shows, of each kind.
void change(World& world, std::vector<Entity>& entities, int number) {
  for (int i = 0; i < 6; ++i) {
    const Entity above = entities.empty() ? Entity() : entities[entities.size() / 2];
    entities.push_back(above && world.alive(above) ? world.create(child_of(above), ByRow{i})
                                                   : world.create(ByRow{i}));
    if (i % 2 == 0) world.add(entities.back(), Fragile(number + i));
    if (i % 3 == 0) world.add(entities.back(), SparseFragile(number + i));
    (void)world.names().set(entities.back(), "name " + std::to_string(number + i));
    if (i != 0) world.relations().add(entities.back(), entities[entities.size() - 2], Docked{});
  }
  world.destroy(entities.back());
}

}  // namespace

TEST_SUITE("api/history") {
  TEST_CASE("a world that is restored issues the same handles again") {
    World world;
    const Entity gone = world.create();
    const Entity kept = world.create(Price{1, 2});
    world.destroy(gone);
    History history(world);
    REQUIRE(history.checkpoint("one entity"));
    const std::vector<Entity> first = {world.create(), world.create(), world.create()};
    world.destroy(kept);
    REQUIRE(history.restore(0));
    CHECK(world.size() == 1);
    CHECK(world.get<Price>(kept).amount == 1);
    CHECK(std::vector<Entity>{world.create(), world.create(), world.create()} == first);
  }
  TEST_CASE("equal names of siblings come back in the order in which they came there") {
    World world;
    History history(world);
    const Entity second = world.create();
    const Entity first = world.create();
    const Entity third = world.create();
    for (const Entity entity : {first, second, third}) REQUIRE(world.names().set(entity, "lamp"));
    REQUIRE(history.checkpoint());
    world.names().remove(first);
    REQUIRE(history.restore(0));
    for (const Entity entity : {first, second, third}) {
      CHECK(world.names().find("lamp") == entity);
      world.destroy(entity);
    }
    REQUIRE(history.restore(0));
    CHECK(world.names().find("lamp") == first);
  }
  TEST_CASE("a delta leads from a saved checkpoint to a later one, elsewhere") {
    World world;
    std::vector<Entity> entities;
    for (int i = 0; i < 5'000; ++i) entities.push_back(world.create(Price{i, i / 2.0}));
    const std::string before = saved(world);
    world.get<Price>(entities[70]).amount = -1;
    world.destroy(entities[700]);
    const Entity child = world.create(child_of(entities[7]), Speed{1, 2});
    const std::string delta = make_delta(before, saved(world));
    CHECK(delta.size() < 500);
    const DeltaResult result = apply_delta(before, delta);
    REQUIRE(result.outcome);
    std::istringstream in(result.after);
    const LoadedWorld there = load(in, world);
    REQUIRE(there.outcome);
    CHECK(digest(there.world) == digest(world));
    CHECK(there.world.parent(child) == entities[7]);
  }
  TEST_CASE("groups of changes are undone and done again, with their names") {
    World world;
    History history(world);
    REQUIRE(history.checkpoint());
    const Entity lamp = world.create(Heat{20});
    REQUIRE(history.checkpoint("make a lamp"));
    world.get<Heat>(lamp).degrees = 80;
    const Entity bulb = world.create(child_of(lamp));
    REQUIRE(history.checkpoint("light it"));
    CHECK(history.name(history.position()) == "light it");
    CHECK(!history.redo());
    CHECK(history.undo());
    CHECK(world.get<Heat>(lamp).degrees == 20);
    CHECK(!world.alive(bulb));
    CHECK(history.undo());
    CHECK(!world.alive(lamp));
    CHECK(!history.undo());
    CHECK(history.redo());
    CHECK(history.redo());
    CHECK(world.get<Heat>(lamp).degrees == 80);
    CHECK(world.parent(bulb) == lamp);
    CHECK(history.undo());
    world.destroy(lamp);
    REQUIRE(history.checkpoint("break it"));
    CHECK(!history.redo());
    CHECK(history.end() == 3);
    CHECK(history.name(2) == "break it");
  }
  TEST_CASE("a component that cannot be copied is named when a checkpoint is asked for") {
    World world;
    History history(world);
    const Entity entity = world.create(Owner{});
    CHECK(says(history.checkpoint().message(), "Owner\" cannot be copied"));
    CHECK(history.begin() == history.end());
    world.remove<Owner>(entity);
    world.add(entity, SparseOwner{});
    CHECK(says(history.checkpoint().message(), "SparseOwner\" cannot be copied"));
    world.remove<SparseOwner>(entity);
    CHECK(history.checkpoint());
  }
  TEST_CASE("what is asked of checkpoints that are not there is refused") {
    World world;
    History history(world);
    CHECK(!history.undo());
    CHECK(!history.redo());
    CHECK(says(refusal([&] { (void)history.position(); }), "a History without checkpoints"));
    CHECK(says(history.restore(0).message(), "there is no checkpoint 0"));
    REQUIRE(history.checkpoint());
    CHECK(says(refusal([&] { (void)history.name(1); }), "checkpoint 1, which is not kept"));
    CHECK(!history.restore(1));
    world.commands().create();
    CHECK(says(refusal([&] { (void)history.restore(0); }), "restore of a world while commands are recorded"));
    CHECK(says(refusal([&] { (void)history.checkpoint(); }), "checkpoint of a world while commands"));
    world.flush();
    world.query<Entity>().each([&](Entity) {
      CHECK(says(refusal([&] { (void)history.restore(0); }), "restore"));
      CHECK(says(refusal([&] { (void)history.checkpoint(); }), "checkpoint"));
    });
  }
  TEST_CASE("the oldest checkpoints are dropped to stay within the limits") {
    World world;
    const Entity entity = world.create(Price{0, 0});
    History few(world, {.checkpoints = 2});
    History small(world, {.bytes = 1});
    for (int i = 0; i < 5; ++i) {
      world.get<Price>(entity).amount = i;
      REQUIRE(few.checkpoint());
      REQUIRE(small.checkpoint());
    }
    CHECK(few.begin() == 3);
    CHECK(few.end() == 5);
    CHECK(small.begin() == 4);
    CHECK(small.bytes() > 0);
    REQUIRE(few.restore(3));
    CHECK(world.get<Price>(entity).amount == 3);
    REQUIRE(small.restore(4));
    CHECK(world.get<Price>(entity).amount == 4);
  }
  TEST_CASE("checkpoints share what was not written") {
    World world;
    std::vector<Entity> entities;
    for (int i = 0; i < 20'000; ++i) entities.push_back(world.create(Charge{1.0 * i}, Heat{i}));
    History history(world);
    REQUIRE(history.checkpoint());
    const std::size_t before = history.bytes();
    world.get<Charge>(entities[7000]).amount = -1;
    world.get<Heat>(entities[9000]).degrees = -1;
    REQUIRE(history.checkpoint());
    CHECK(history.bytes() - before < 10'000);
    CHECK(history.undo());
    CHECK(world.get<Charge>(entities[7000]).amount == 7000);
    CHECK(world.get<Heat>(entities[9000]).degrees == 9000);
  }
  TEST_CASE("values that are replaced are found by queries for changes, and no others") {
    World world;
    std::vector<Entity> entities;
    for (int i = 0; i < 1000; ++i) entities.push_back(world.create(ByRow{i}));
    auto query = world.query<const ByRow>();
    auto changed = query.changed<ByRow>();
    History history(world);
    REQUIRE(history.checkpoint());
    world.get<ByRow>(entities[17]).value = -1;
    std::vector<int> values;
    const auto run = [&] {
      values.clear();
      changed.each([&](const ByRow& value) { values.push_back(value.value); });
    };
    run();
    REQUIRE(history.restore(0));
    run();
    CHECK(values == std::vector<int>{17});
    run();
    CHECK(values.empty());
  }
  TEST_CASE("observers, and functions that listen at entities that are gone, are told nothing") {
    World world;
    const Entity lamp = world.create(Heat{1});
    History history(world);
    REQUIRE(history.checkpoint());
    int told = 0;
    const Subscription removed = world.observers().on_remove<Heat>([&](Entity) { ++told; });
    const Subscription at_lamp = world.events().on<Told>(lamp, [&](const Told&) { ++told; });
    world.destroy(lamp);
    CHECK(told == 1);
    REQUIRE(history.restore(0));
    world.events().emit(Told{}, lamp);
    CHECK(told == 1);
    world.remove<Heat>(lamp);
    CHECK(told == 2);
  }
  TEST_CASE("values are destroyed as often as they are made, whatever fails") {
    CountedScope scope;
    FailingMemory memory;
    {
      World world({.memory = &memory});
      std::vector<Entity> entities;
      change(world, entities, 1);
      History history(world);
      const auto checkpoint = [&] { (void)history.checkpoint(); };
      const auto restore = [&] { (void)history.restore(0); };
      std::string before = seen(world, entities);
      const auto unchanged = [&] { CHECK(seen(world, entities) == before); };
      CHECK(sweep_throwing_copies(checkpoint, unchanged) > 3);
      change(world, entities, 8);
      before = seen(world, entities);
      CHECK(sweep_out_of_memory(memory, checkpoint, unchanged) > 3);
      const std::string second = before;
      const std::vector<Entity> then = entities;
      change(world, entities, 5);
      before = seen(world, entities);
      CHECK(sweep_throwing_copies(restore, unchanged) > 3);
      CHECK(history.position() == 0);
      REQUIRE(history.restore(1));
      CHECK(seen(world, then) == second);
      change(world, entities, 3);
      before = seen(world, entities);
      CHECK(sweep_out_of_memory(memory, restore, unchanged) > 3);
      REQUIRE(history.restore(1));
      CHECK(seen(world, then) == second);
    }
    CHECK(memory.blocks() == 0);
    CHECK(memory.complaint().empty());
  }
  TEST_CASE("pairs in tables come back after a state without any") {
    for (const std::uint32_t targets : {0, 1, 3}) {
      CAPTURE(targets);
      World world;
      const ComponentId crew = world.relations().relation({.name = "test.crew", .size = 0},
                                                          {.storage = Storage::table, .queried = true});
      const Entity sailor = world.create(), ship = world.create();
      History history(world);
      REQUIRE(history.checkpoint());
      world.relations().add(sailor, ship, crew, nullptr);
      REQUIRE(history.checkpoint());
      REQUIRE(history.restore(0));
      CHECK_FALSE(world.relations().has(sailor, ship, crew));
      for (std::uint32_t i = 0; i < targets; ++i) world.relations().add(ship, world.create(), crew, nullptr);
      REQUIRE(history.restore(1));
      CHECK(world.relations().has(sailor, ship, crew));
      CHECK(world.validate());
      REQUIRE(history.restore(0));
      CHECK(world.relations().targets(sailor, crew).empty());
      CHECK(world.validate());
    }
  }
  TEST_CASE("a long chain, a large family and a world that was moved come back") {
    World world;
    World first({.layout = Layout::per_level});
    std::vector<std::uint32_t> parents(40'000);
    for (std::uint32_t i = 0; i < parents.size(); ++i)
      parents[i] = i == 0 ? kNoParent : i < 20'000 ? i - 1 : 7;
    const std::vector<Heat> heats(parents.size(), Heat{3});
    const auto built = first.build_hierarchy(parents, std::span(heats));
    REQUIRE(built.outcome);
    History history(first);
    REQUIRE(history.checkpoint());
    world = std::move(first);
    world.destroy(built.entities[1]);
    CHECK(world.size() == 1);
    REQUIRE(history.restore(0));
    CHECK(world.size() == 40'000);
    CHECK(world.depth(built.entities[19'999]) == 19'999);
    CHECK(world.child_count(built.entities[7]) == 20'001);
    CHECK(world.validate());
  }
}

}  // namespace strata::test::history_test
