#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "../support/refusal.hpp"
#include "../support/thread_executor.hpp"
#include "access_guard_scene.hpp"

#if STRATA_ACCESS_GUARD

namespace strata::test::access_guard_test {

TEST_SUITE("api/access_guard_threads") {
  TEST_CASE("a thread adds while a query of another thread visits") {
    Scene scene;
    std::string message;
    std::size_t visited = 0;
    scene.world.query<const Velocity>().each([&](const Velocity&) {
      message = refusal_elsewhere([&] { scene.world.add(scene.other, Velocity{}); });
      ++visited;
    });
    CHECK(visited == 1);
    CHECK(message.starts_with("add while a query that reads "));
    CHECK(says(message, "Velocity is under way on another thread"));
    CHECK_FALSE(scene.world.has<Velocity>(scene.other));
    CHECK(refusal_elsewhere([&] { scene.world.add(scene.other, Velocity{}); }) == "");
    CHECK(scene.world.has<Velocity>(scene.other));
  }

  TEST_CASE("a thread visits while a query of another thread writes or an observer of its change runs") {
    Scene scene;
    std::string message;
    auto positions = std::as_const(scene.world).query<const Position>();
    const auto visit = [&] { positions.each([](const Position&) {}); };
    scene.world.query<Velocity>().each([&](Velocity&) { message = refusal_elsewhere(visit); });
    CHECK(message.starts_with("a query that reads "));
    CHECK(says(message, "Position while a query that writes "));
    CHECK(says(message, "Velocity is under way"));
    scene.world.access_guard().disable();
    const Subscription told =
        scene.world.observers().on_add<Velocity>([&](Entity) { message = refusal_elsewhere(visit); });
    REQUIRE(scene.world.access_guard().enable());
    scene.world.add(scene.other, Velocity{});
    CHECK(says(message, "Position while add is under way on another thread"));
    std::size_t heard = 0;
    scene.world.access_guard().disable();
    const Subscription listening = scene.world.events().on<Hit>([&](Hit&) {
      ++heard;
      message = refusal_elsewhere(visit);
    });
    REQUIRE(scene.world.access_guard().enable());
    scene.world.events().emit(Hit{3});
    CHECK(heard == 1);
    CHECK(says(message, "Position while emit is under way on another thread"));
    CHECK(refusal_elsewhere(visit) == "");
  }

  TEST_CASE(
      "a thread sets a resource while the constructor or destructor of another thread's resource runs") {
    struct Slow {
      explicit Slow(const std::function<void()>& during) : run(&during) { during(); }
      Slow(const Slow&) = delete;
      ~Slow() { (*run)(); }
      const std::function<void()>* run;
    };
    Scene scene;
    Resources& resources = scene.world.resources();
    std::string message;
    const std::function<void()> elsewhere = [&] {
      message = refusal_elsewhere([&] { resources.set(Gravity{7}); });
    };
    resources.emplace<Slow>(elsewhere);
    CHECK(message.starts_with("resources().set while resources().emplace is under way on another thread"));
    CHECK(resources.remove<Slow>());
    CHECK(message.starts_with("resources().set while resources().remove is under way on another thread"));
    CHECK(resources.get<Gravity>().value == 6);
    elsewhere();
    CHECK(message == "");
    CHECK(resources.get<Gravity>().value == 7);
  }

  TEST_CASE("a range-for over a query is one visit of its thread until it ends") {
    Scene scene;
    auto query = scene.world.query<const Velocity>();
    const auto change = [&] { scene.world.create(); };
    for (auto [velocity] : query) {
      CHECK(velocity.x == 2);
      CHECK(refusal_elsewhere(change).starts_with("create while a query that reads "));
      break;
    }
    CHECK(refusal_elsewhere(change) == "");
  }

  TEST_CASE("operations of one thread nest as without the guard") {
    Scene scene;
    World& world = scene.world;
    const auto changing = world.access_guard().changing("this test");
    world.query<Position>().each([](Position& position) { position.x = 0; });
    world.query<Entity, const Position>().each([&](Entity entity, const Position&) {
      world.set(entity, Position{8});
      CHECK(std::as_const(world).query<const Velocity>().count() == 1);
      CHECK(says(refusal([&] { world.create(); }), "record it with world.commands()"));
      world.commands().add(entity, Velocity{6});
    });
    CHECK(world.get<Velocity>(scene.other).x == 6);
    CHECK(world.get<Position>(scene.child).x == 8);
    world.destroy(scene.parent);
    CHECK(world.size() == 1);
    CHECK(world.validate());
  }

  TEST_CASE("commands that a query recorded stay recorded if another thread reads at its end") {
    Scene scene;
    World& world = scene.world;
    std::atomic<int> step{0};
    const auto wait_for = [&](int number) {
      while (step.load() < number) std::this_thread::yield();
    };
    std::string message;
    std::thread reader([&] {
      wait_for(1);
      const auto reading = world.access_guard().reading("the renderer");
      step = 2;
      wait_for(3);
    });
    message = refusal([&] {
      world.query<Entity, const Burning>().each([&](Entity entity, const Burning&) {
        world.commands().add(entity, Velocity{6});
        step = 1;
        wait_for(2);
      });
    });
    step = 3;
    reader.join();
    CHECK(message.starts_with("flush while the renderer is under way on another thread"));
    CHECK_FALSE(world.has<Velocity>(scene.child));
    world.flush();
    CHECK(world.get<Velocity>(scene.child).x == 6);
    CHECK(world.validate());
  }

  TEST_CASE("an exception leaves nothing of its thread recorded") {
    Scene scene;
    const auto change = [&] { scene.world.create(); };
    CHECK_THROWS_AS(
        scene.world.query<const Position>().each([](const Position&) { throw std::runtime_error(""); }),
        std::runtime_error);
    CHECK(refusal_elsewhere(change) == "");
    CHECK(refusal([&] { scene.world.add(Entity(), Position{}); }) != "");
    CHECK(refusal([&] { (void)scene.world.get<Position>(Entity()); }) != "");
    CHECK(refusal_elsewhere(change) == "");
    {
      const auto reading = scene.world.access_guard().reading("the renderer");
      CHECK(refusal_elsewhere(change) != "");
    }
    change();
    CHECK(refusal_elsewhere(change) == "");
  }

  TEST_CASE("threads use several worlds, and the guard stays with what a world contains") {
    World moved;
    Scene first;
    Scene second;
    const auto changing = first.world.access_guard().changing("the loader");
    CHECK(refusal_elsewhere([&] { second.world.create(); }) == "");
    std::swap(first.world, second.world);
    CHECK(refusal_elsewhere([&] { first.world.create(); }) == "");
    CHECK(refusal_elsewhere([&] { second.world.create(); }).starts_with("create while the loader"));
    moved = std::move(second.world);
    CHECK(moved.access_guard().enabled());
    CHECK(refusal_elsewhere([&] { moved.create(); }).starts_with("create while the loader"));
  }

  TEST_CASE("what a thread began before the guard was enabled or disabled ends as it began") {
    World world;
    const auto change = [&] { world.create(); };
    {
      const auto before = world.access_guard().changing("before");
      REQUIRE(world.access_guard().enable());
      CHECK(refusal_elsewhere(change) == "");
    }
    {
      const auto during = world.access_guard().changing("during");
      CHECK(refusal_elsewhere(change) != "");
      world.access_guard().disable();
      CHECK(refusal_elsewhere(change) == "");
    }
    REQUIRE(world.access_guard().enable());
    CHECK(refusal_elsewhere(change) == "");
  }

  TEST_CASE("workers of an executor are not other threads, and a thread that is none is refused meanwhile") {
    Scene scene;
    World& world = scene.world;
    world.create_many<Position, Velocity>(2000, Position{}, Velocity{1});
    ThreadExecutor executor(3);
    std::atomic<std::uint32_t> visited{0};
    std::atomic<bool> is_first = true;
    std::string outside;
    std::string inside;
    auto query = world.query<Position, const Velocity>();
    query.par(executor, 16).each([&](Position& position, const Velocity& velocity) {
      position.x += velocity.x + world.get<Velocity>(scene.parent).x * 0;
      ++visited;
      if (is_first.exchange(false)) {
        inside = refusal([&] { world.create(); });
        outside = refusal_elsewhere([&] { (void)std::as_const(world).get<Position>(scene.parent); });
      }
    });
    CHECK(visited == 2001);
    CHECK(says(inside, "create while a query is iterating: record it with world.commands()"));
    CHECK(outside.starts_with("get while a query that writes "));
    query.par(executor, 16)
        .recording(world.commands())
        .each([&](Recorder<Commands>& commands, Position&, const Velocity&) {
          if (!is_first.exchange(true)) commands.create(Burning{});
        });
    CHECK(world.query<const Burning>().count() == 2);
    CHECK(world.validate());
  }

  TEST_CASE("schedules on threads run as without the guard, and another thread is refused meanwhile") {
    Scene scene;
    World& world = scene.world;
    world.create_many<Position, Velocity>(500, Position{}, Velocity{1});
    world.create_many<Burning>(500, Burning{1});
    ThreadExecutor executor(2);
    Schedule schedule(world);
    schedule.set_executor(&executor, 1);
    std::string outside;
    std::atomic<std::uint32_t> rows{0};
    schedule.add("move", [&](Query<Position, const Velocity>& query) {
      query.each([&](Position& position, const Velocity& velocity) {
        position.x += velocity.x;
        ++rows;
      });
      outside = refusal_elsewhere([&] { world.create(); });
    });
    schedule.add("burn", [&](Query<Entity, Burning>& query, Commands& commands) {
      query.each([&](Entity entity, Burning& burning) {
        if (++burning.heat == 5) commands.remove<Burning>(entity);
        ++rows;
      });
    });
    schedule.run(1);
    CHECK(executor.runs() == 1);
    CHECK(rows == 1002);
    CHECK_FALSE(world.has<Burning>(scene.child));
    CHECK(outside.starts_with("create while "));
    CHECK(refusal_elsewhere([&] { world.create(); }) == "");
  }

  TEST_CASE(
      "a system that records for each row on threads is not refused, and another thread is refused "
      "meanwhile") {
    Scene scene;
    World& world = scene.world;
    world.create_many<Position, Velocity>(500, Position{}, Velocity{1});
    ThreadExecutor executor(3);
    Schedule schedule(world);
    schedule.set_executor(&executor, 1);
    std::atomic<bool> is_first = true;
    std::string outside;
    schedule
        .add("burn",
             [&](Entity entity, Position& position, const Velocity& velocity, Commands& commands) {
               position.x += velocity.x;
               commands.add(entity, Burning{position.x});
               if (is_first.exchange(false)) outside = refusal_elsewhere([&] { world.create(); });
             })
        .par();
    schedule.run();
    CHECK(executor.runs() == 1);
    CHECK(world.query<const Burning, const Velocity>().count() >= 500);
    CHECK(outside.starts_with("create while "));
    CHECK(refusal_elsewhere([&] { world.create(); }) == "");
    CHECK(world.validate());
  }

  TEST_CASE(
      "several threads change and read at random, and every one that was not refused was alone or reading") {
    Scene scene;
    std::atomic<std::uint32_t> refused{0};
    std::atomic<std::uint32_t> created{0};
    std::vector<std::thread> threads;
    for (std::uint32_t t = 0; t < 3; ++t) {
      threads.emplace_back([&, t] {
        for (std::uint32_t i = 0; i < 400; ++i) {
          const std::string message = refusal([&] {
            if ((i + t) % 3 == 0) {
              scene.world.create(Position{1});
              ++created;
            } else {
              std::as_const(scene.world).query<const Position>().each([](const Position&) {});
            }
          });
          if (!message.empty()) ++refused;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(scene.world.size() == 3 + created);
    CHECK(created > 0);
    CHECK(scene.world.validate());
  }
}

}  // namespace strata::test::access_guard_test

#endif
