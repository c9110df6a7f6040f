#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

#include "../support/refusal.hpp"
#include "../support/thread_executor.hpp"
#include "parallel_chains.hpp"
#include "typed_kinds.hpp"

namespace strata::test::parallel_test {

namespace {

constexpr auto kNothing = [](const Position&) {};

}  // namespace

TEST_SUITE("api/parallel") {
  TEST_CASE("each entity is visited once by several threads, in each layout") {
    for (const Layout layout : {Layout::per_parent, Layout::per_level, Layout::adaptive}) {
      World world({.layout = layout});
      make_chains(world, 50, 4);
      const Entity root = world.create(Position{}, World3{});
      for (int i = 0; i < 500; ++i) world.create(child_of(root), Position{}, World3{});
      ThreadExecutor executor(3, {7});
      auto query = world.query<Position>();
      query.par(executor, 8).each([](Position& position) { ++position.value; });
      query.par(executor, 8).each_block([](std::span<Position> positions) {
        for (Position& position : positions) position.value += 1000;
      });
      CHECK(executor.runs() == 2);
      std::size_t counted = 0;
      query.each(
          [&](const Position& position) { counted += position.value % 1000 != 0 && position.value >= 1001; });
      CHECK(counted == 701);
    }
  }

  TEST_CASE("a cascade on several threads visits all of a depth before the next") {
    World world;
    make_chains(world, 400, 3);
    ThreadExecutor executor(3, {11});
    auto query = world.query<const Position, World3, Parent<const World3>>();
    query.cascade().par(executor, 16).each([](const Position& position, World3& own, const World3* parent) {
      own.value = position.value + (parent != nullptr ? parent->value : 0);
    });
    CHECK(executor.runs() == 3);
    std::vector<int> sums;
    world.query<const World3>().cascade().depth(2).each(
        [&](const World3& own) { sums.push_back(own.value); });
    REQUIRE(sums.size() == 400);
    std::sort(sums.begin(), sums.end());
    for (int i = 0; i < 400; ++i) CHECK(sums[static_cast<std::size_t>(i)] == i + 2);
  }

  TEST_CASE("few rows, and runs of depths with few rows, are visited without the executor's threads") {
    World world;
    make_chains(world, 1, 300);
    make_chains(world, 20, 2);
    ThreadExecutor executor(3);
    auto query = world.query<const Position, World3, Parent<const World3>>();
    const auto add = [](const Position&, World3& own, const World3* parent) {
      own.value = 1 + (parent != nullptr ? parent->value : 0);
    };
    query.cascade().par(executor).each(add);
    CHECK(executor.runs() == 0);
    query.cascade().par(executor, 10).each(add);
    CHECK(executor.runs() == 2);
    int deepest = 0;
    world.query<const World3>().each([&](const World3& own) { deepest = std::max(deepest, own.value); });
    CHECK(deepest == 300);
    Idle idle(1);
    query.cascade().par(idle, 1).each(add);
    CHECK(idle.calls == 0);
  }

  TEST_CASE(
      "many depths with few rows are divided into subtrees, so several threads wait once for all of them") {
    for (const Direction direction : {down, up}) {
      World world;
      make_chains(world, 64, 50);
      ThreadExecutor executor(3, {9});
      auto query = world.query<Position, World3, Parent<const World3>>();
      query.cascade(direction).par(executor, 64).each([](Position& own, World3& sum, const World3* parent) {
        sum.value = own.value + (parent != nullptr ? parent->value : 0);
        ++own.value;
      });
      CHECK(executor.runs() == 1);
      for (std::uint32_t depth = 0; depth < 50; depth += 7) {
        int sum = 0;
        world.query<const World3>().cascade().depth(depth).each([&](const World3& own) { sum += own.value; });
        const int above = direction == down ? 64 * 63 / 2 + 64 * static_cast<int>(depth) : 64;
        CHECK(sum == (depth == 0 ? 64 * 63 / 2 : above));
      }
    }
  }

  TEST_CASE(
      "rows that are not in the order of their parents are visited after their parents by several threads") {
    World world({.defragmentation = Defragmentation::manual});
    std::vector<Entity> above;
    for (int i = 0; i < 60; ++i) above.push_back(world.create(Position{i}, World3{}));
    for (int depth = 1; depth < 40; ++depth) {
      std::vector<Entity> made(above.size());
      for (std::size_t i = 0; i < made.size(); ++i) {
        const std::size_t turn = i * 7 % above.size();
        made[turn] = world.create(child_of(above[turn]), Position{1}, World3{});
      }
      above = made;
    }
    ThreadExecutor executor(3, {9});
    auto query = world.query<const Position, World3, Parent<const World3>>();
    query.cascade().par(executor, 64).each([](const Position& own, World3& sum, const World3* parent) {
      sum.value = own.value + (parent != nullptr ? parent->value : 0);
    });
    for (int i = 0; i < 60; ++i) CHECK(world.get<World3>(above[static_cast<std::size_t>(i)]).value == i + 39);
  }

  TEST_CASE("values of children are combined in their parents in the same order by any number of threads") {
    struct Mass {
      float value = 0;
    };
    const auto fold = [](Executor* executor, Layout layout, std::size_t grain) {
      World world({.layout = layout});
      std::vector<Entity> entities;
      for (std::uint32_t i = 0; i < 3000; ++i) {
        const Mass mass{1.0f / static_cast<float>(1 + i * 7919 % 1000)};
        entities.push_back(i < 40 ? world.create(mass)
                                  : world.create(child_of(entities[i * i % (i / 3)]), mass));
        if (i % 5 == 0) world.add(entities.back(), Position{1});  // In other tables.
      }
      world.defragment();
      auto query = world.query<const Mass, Parent<Mass>>();
      const auto add = [](const Mass& own, Mass* parent) {
        if (parent != nullptr) parent->value = parent->value * 0.75f + own.value;
      };
      executor == nullptr ? query.cascade(up).each(add) : query.cascade(up).par(*executor, grain).each(add);
      std::vector<float> values;
      for (const Entity entity : entities) values.push_back(world.get<Mass>(entity).value);
      return values;
    };
    for (const Layout layout : {Layout::per_parent, Layout::per_level, Layout::adaptive}) {
      const std::vector<float> expected = fold(nullptr, layout, 1);
      for (const std::size_t workers : {1, 2, 3, 8}) {
        for (const std::size_t grain : {5, 64, 300}) {
          ThreadExecutor executor(workers, {7});
          CHECK((fold(&executor, layout, grain) == expected));
          CHECK_MESSAGE((executor.runs() != 0) == (workers != 1), "grain ", grain);
        }
      }
    }
  }

  TEST_CASE(
      "a query that writes to parents is visited by several threads from the leaves to the roots only") {
    World world;
    make_chains(world, 10, 3);
    ThreadExecutor executor(2);
    auto query = world.query<const Position, Parent<World3>>();
    const std::string sentence =
        refusal([&] { query.cascade().par(executor).each([](const Position&, World3*) {}); });
    CHECK(says(sentence, "use cascade(up)"));
  }

  TEST_CASE("structural changes by several threads are refused by a sentence") {
    World world;
    for (int i = 0; i < 200; ++i) world.create(Position{i});
    ThreadExecutor executor(2);
    auto query = world.query<Entity, const Position>();
    const std::string sentence = refusal(
        [&] { query.par(executor, 8).each([&](Entity entity, const Position&) { world.destroy(entity); }); });
    CHECK(says(sentence, "destroy of entity"));
    CHECK(says(sentence, "a query is iterating"));
    CHECK(query.count() == 200);
  }

  TEST_CASE("an executor with no worker or too many, one that does nothing, and a grain of 0 are refused") {
    World world;
    for (int i = 0; i < 100; ++i) world.create(Position{i});
    auto query = world.query<const Position>();
    Idle none(0);
    CHECK(says(refusal([&] { query.par(none, 8).each(kNothing); }), "says that it has 0 workers"));
    Idle many(10'000);
    CHECK(says(refusal([&] { query.par(many, 8).each(kNothing); }), "says that it has 10000 workers"));
    Idle idle(2);
    CHECK(says(refusal([&] { query.par(idle, 8).each(kNothing); }), "did not hand out all numbers"));
    InlineExecutor executor;
    CHECK(says(refusal([&] { (void)query.par(executor, 0); }), "it is 1 or more"));
    const std::string in_order = refusal([&] { query.cascade().par(executor).each_of({}, kNothing); });
    CHECK(says(in_order, "not by depth"));
    world.create(Position{});  // Nothing is locked.
  }

  TEST_CASE("the entities of a layer are visited by several threads, depth by depth") {
    World world;
    make_chains(world, 100, 3);
    for (const Entity root : world.roots()) world.set_layer(root, 1);
    ThreadExecutor executor(3, {5});
    std::vector<std::int32_t> keys;
    std::atomic<int> visited = 0;
    world.layered_query<Position, Parent<const Position>>().each_layer([&](const auto& layer) {
      keys.push_back(layer.key());
      layer.par(executor, 8).each([&](Position&, const Position*) { ++visited; });
    });
    CHECK((keys == std::vector<std::int32_t>{0, 1}));
    CHECK(visited == 300);
    CHECK(executor.runs() == 3);
  }

  TEST_CASE("a query of a const world is visited by several threads") {
    World world;
    make_chains(world, 300, 2);
    const World& reader = world;
    const auto query = reader.query<const Position, Parent<const Position>>();
    ThreadExecutor executor(3, {3});
    std::atomic<int> sum = 0;
    query.par(executor, 8).each([&](const Position& own, const Position*) { sum += own.value; });
    query.cascade().par(executor, 8).each([&](const Position& own, const Position*) { sum += own.value; });
    CHECK(sum == 2 * (300 * 299 / 2 + 300));
  }

  TEST_CASE(
      "several threads may make queries of known types, and a type that is not known is refused by a "
      "sentence") {
    struct Unknown {
      int value = 0;
    };
    World world;
    make_chains(world, 100, 3);
    ThreadExecutor executor(3, {3});
    std::atomic<std::size_t> counted = 0;
    auto query = world.query<const Position>();
    query.par(executor, 8).each([&](const Position&) {
      counted += world.query<const World3, With<Position>>().count() +
                 std::as_const(world).query<const Unknown>().count();
    });
    CHECK(counted == 300 * 300);
    const std::string sentence = refusal(
        [&] { query.par(executor, 8).each([&](const Position&) { (void)world.query<const Unknown>(); }); });
    CHECK(says(sentence, "is not registered, and several threads visit the world"));
    CHECK(world.query<const Unknown>().count() == 0);
    query.par(executor, 8).each([&](const Position&) { counted += world.query<const Unknown>().count(); });
    CHECK(counted == 300 * 300);
  }

  TEST_CASE("visits by several threads may read other queries of a const world") {
    World world;
    make_chains(world, 100, 3);
    const World& reader = world;
    ThreadExecutor executor(3, {3});
    std::atomic<std::size_t> counted = 0;
    world.query<const Position>().par(executor, 8).each([&](const Position&) {
      counted += reader.query<const World3, With<Position>>().count();
    });
    CHECK(counted == 300 * 300);
  }
  TEST_CASE("calls recorded for a world change it when the visit has ended") {
    World world;
    for (int i = 0; i < 100; ++i) world.create(Position{i});
    ThreadExecutor executor(2);
    world.query<Entity, const Position>()
        .par(executor, 8)
        .recording(world)
        .each([](Recorder<World>& recorder, Entity entity, const Position& position) {
          if (position.value % 2 == 0) recorder.destroy(entity);
          if (position.value == 1) recorder.create(Position{1'000});
        });
    CHECK(world.size() == 51);
    CHECK(world.validate());
  }
}

}  // namespace strata::test::parallel_test
