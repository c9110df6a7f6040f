#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "../support/refusal.hpp"
#include "../support/thread_executor.hpp"
#include "parallel_chains.hpp"

namespace strata::test::parallel_test {

TEST_SUITE("api/parallel_results") {
  TEST_CASE(
      "of several threads' exceptions, the first by row is passed on, once, and the world is as before") {
    World world;
    std::vector<Entity> entities;
    for (int i = 0; i < 1000; ++i) entities.push_back(world.create(Position{i}));
    auto query = world.query<Entity, const Position>();
    for (std::uint32_t seed = 1; seed < 20; ++seed) {
      ThreadExecutor executor(3, {seed});
      std::string thrown;
      try {
        query.par(executor, 8)
            .recording(world.commands())
            .each([](Recorder<Commands>& commands, Entity entity, const Position& position) {
              commands.destroy(entity);
              if (position.value % 300 == 200) throw std::runtime_error(std::to_string(position.value));
            });
      } catch (const std::runtime_error& error) {
        thrown = error.what();
      }
      CHECK(thrown == "200");
      CHECK(world.commands().empty());
    }
    CHECK(query.count() == 1000);
    world.destroy(entities[0]);  // Nothing is locked.
    CHECK(query.count() == 999);
  }

  TEST_CASE("what several threads record is applied in the order of the rows") {
    const auto run = [](Executor& executor, std::size_t grain) {
      World world;
      for (int i = 0; i < 300; ++i) world.create(Position{i});
      world.query<Entity, const Position>()
          .par(executor, grain)
          .recording(world.commands())
          .each([](Recorder<Commands>& commands, Entity entity, const Position& position) {
            if (position.value % 3 == 0) commands.create(child_of(entity), Position{1000 + position.value});
            if (position.value % 4 == 0) commands.add(entity, World3{position.value});
            if (position.value % 5 == 0) commands.destroy(entity);
            commands.defer([entity](Commands& target) { target.set_layer(entity, 0); });
          });
      std::vector<std::uint64_t> found;
      world.query<Entity, const Position, Maybe<const World3>>().each(
          [&](Entity entity, const Position& position, const World3* other) {
            found.insert(found.end(), {entity.bits(), static_cast<std::uint64_t>(position.value),
                                       other != nullptr ? 1u : 0u, world.parent(entity).bits()});
          });
      return found;
    };
    InlineExecutor one;
    const std::vector<std::uint64_t> expected = run(one, 2048);
    CHECK(expected.size() > 1000);
    for (const std::size_t workers : {1, 2, 3, 8}) {
      for (std::uint32_t seed = 0; seed < 6; ++seed) {
        ThreadExecutor executor(workers, {seed});
        CHECK((run(executor, 1 + 5 * seed) == expected));
      }
    }
  }

  TEST_CASE(
      "changes are handed down by several threads, level by level, and what changed is listed in order") {
    for (const std::size_t workers : {1, 2, 3, 8}) {
      World world;
      make_chains(world, 200, 4);
      std::vector<Entity> roots = world.roots();
      for (const Entity root : roots) world.add<Dirty>(root);
      ThreadExecutor executor(workers, {5});
      auto query = world.query<const Position, World3, Parent<const World3>>();
      const auto down = [](const Position& own, World3& sum, const World3* parent) {
        sum.value = own.value + (parent != nullptr ? parent->value : 0);
        return own.value % 5 != 3;
      };
      const auto changed = query.cascade().par(executor, 16).propagate(down);
      CHECK(executor.runs() == (workers == 1 ? 0 : 5));  // The marks are ordered by several threads, too.
      CHECK(changed.size() == 4 * 160);
      CHECK(std::equal(changed.begin(), changed.begin() + 3, roots.begin()));
      CHECK(world.query<With<Dirty>>().count() == 0);
      std::size_t right = 0;
      world.query<const World3>().cascade().depth(3).each(
          [&](const World3& sum) { right += sum.value >= 3; });
      CHECK(right == 160);
    }
  }

  TEST_CASE("a function that throws during propagate on several threads leaves the marks") {
    World world;
    make_chains(world, 100, 3);
    for (const Entity root : world.roots()) world.add<Dirty>(root);
    ThreadExecutor executor(3, {5});
    auto query = world.query<Position, Parent<const Position>>();
    const auto fail = [](Position& position, const Position*) {
      if (position.value % 50 == 7) throw std::runtime_error(std::to_string(position.value));
    };
    CHECK_THROWS_WITH(query.cascade().par(executor, 8).propagate(fail), "7");
    CHECK(world.query<With<Dirty>>().count() == 100);
    world.destroy(world.roots().front());
    const std::string upwards = refusal([&] { query.cascade(up).par(executor).propagate(fail); });
    CHECK(says(upwards, "propagate needs cascade(), not cascade(up)"));
    CHECK(says(refusal([&] { (void)query.cascade().par(executor, 0); }), "it is 1 or more"));
    Idle many(10'000);
    CHECK(
        says(refusal([&] { query.cascade().par(many).propagate(fail); }), "says that it has 10000 workers"));
    CHECK(world.validate());
  }

  TEST_CASE("events that several threads queue are delivered in the order of the rows") {
    struct Hit {
      int value;
    };
    World world;
    for (int i = 0; i < 300; ++i) world.create(Position{i});
    std::vector<int> heard;
    const auto listening = world.events().on<Hit>([&](const Hit& hit) { heard.push_back(hit.value); });
    ThreadExecutor executor(3, {5});
    auto& events = world.events();
    world.query<const Position>()
        .par(executor, 8)
        .recording(events)
        .each([](auto& recorder, const Position& position) { recorder.queue(Hit{position.value}); });
    world.events().deliver();
    REQUIRE(heard.size() == 300);
    for (int i = 0; i < 300; ++i) CHECK(heard[static_cast<std::size_t>(i)] == i);
  }
}

}  // namespace strata::test::parallel_test
