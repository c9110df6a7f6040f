// What World::access_guard notices of workers of an executor that record commands.
#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <string>
#include <thread>

#include "../support/refusal.hpp"
#include "../support/thread_executor.hpp"
#include "access_guard_scene.hpp"

#if STRATA_ACCESS_GUARD

namespace strata::test::access_guard_test {

namespace {

/// A scene with many rows, and an executor with two workers.
struct ManyRows : Scene {
  ManyRows() { world.create_many<Position, Velocity>(1'000, Position{}, Velocity{1}); }

  /// Calls `record(worker, entity)` for one row on each worker, when both workers have a row.
  /// Returns: why one of the calls was refused; empty if none was.
  template <class Record>
  std::string record_on_each_worker(Record record) {
    std::atomic<int> arrived{0};
    std::array<bool, 2> has_row{};  // Each element is used by one worker.
    return refusal([&] {
      world.query<Entity, const Velocity>().par(executor, 16).each([&](Entity entity, const Velocity&) {
        const std::size_t worker = executor.worker_index();
        if (has_row[worker]) return;
        has_row[worker] = true;
        ++arrived;
        while (arrived.load() < 2) std::this_thread::yield();
        record(worker, entity);
      });
    });
  }

  ThreadExecutor executor{2};
};

}  // namespace

TEST_SUITE("api/access_guard_workers") {
  TEST_CASE("two worker threads that record into the commands of the world are refused, and both are named") {
    ManyRows scene;
    Commands& commands = scene.world.commands();
    const std::string message = scene.record_on_each_worker([&](std::size_t worker, Entity entity) {
      worker == 0 ? commands.add(entity, Burning{1}) : commands.destroy(entity);
    });
    CHECK(message.starts_with("recording a command ("));
    CHECK(says(message, " on one worker of an executor, and recording a command ("));
    CHECK(says(message, "(add)"));
    CHECK(says(message, "(destroy)"));
    CHECK(says(message, "query.par(executor).recording(world.commands())"));
    CHECK(says(message, "a recorder of its own"));
    scene.world.flush();  // What was recorded before the refusal.
    CHECK(scene.world.validate());
  }

  TEST_CASE("each kind of command is named if another thread records, too") {
    ManyRows scene;
    Commands& commands = scene.world.commands();
    const auto names = [&](const char* name, auto&& record) {
      CAPTURE(name);
      const std::string message = scene.record_on_each_worker([&](std::size_t worker, Entity entity) {
        worker == 0 ? record(entity) : commands.remove<Velocity>(entity);
      });
      CHECK(says(message, "(remove)"));
      CHECK(says(message, name));
    };
    names("(create)", [&](Entity) { commands.create(Burning{1}); });
    names("(create)", [&](Entity) { commands.create(); });
    names("(set_parent)", [&](Entity entity) { commands.clear_parent(entity); });
    names("(set_name)", [&](Entity entity) { commands.set_name(entity, "tank"); });
    names("(set_layer)", [&](Entity entity) { commands.set_layer(entity, 1); });
    names("(add of a pair)", [&](Entity entity) { commands.add<Likes>(entity, scene.other); });
    names("(remove of a pair)", [&](Entity entity) { commands.remove<Likes>(entity, scene.other); });
    names("(disable or the like)", [&](Entity entity) { commands.disable(entity); });
  }

  TEST_CASE("worker threads that take turns are refused, too, unless the check is disabled") {
    ManyRows scene;
    std::mutex mutex;
    const auto record = [&](std::size_t, Entity entity) {
      const std::lock_guard lock(mutex);
      scene.world.commands().add(entity, Burning{1});
    };
    CHECK(says(scene.record_on_each_worker(record), "(add) on another worker in the same call"));
    scene.world.access_guard().disable();
    CHECK(scene.record_on_each_worker(record) == "");
    CHECK(scene.world.query<const Burning, const Velocity>().count() >= 2);
  }

  TEST_CASE("one worker thread may record, and another one in the next call") {
    ManyRows scene;
    for (const std::size_t recording : {0, 1, 0}) {
      CHECK(scene.record_on_each_worker([&](std::size_t worker, Entity entity) {
        if (worker == recording) scene.world.commands().add(entity, Burning{1});
      }) == "");
    }
    CHECK(scene.world.validate());
  }

  TEST_CASE("a recorder for each worker is not refused") {
    ManyRows scene;
    World& world = scene.world;
    std::array<Recorder<Commands>, 2> recorders;
    CHECK(scene.record_on_each_worker([&](std::size_t worker, Entity entity) {
      recorders[worker].add(entity, Burning{static_cast<std::int32_t>(worker)});
    }) == "");
    for (Recorder<Commands>& recorder : recorders) recorder.make_all(world.commands());
    world.flush();
    CHECK(world.query<const Burning, const Velocity>().count() == 2);
    world.query<Entity, const Velocity>()
        .par(scene.executor, 16)
        .recording(world.commands())
        .each([](Recorder<Commands>& commands, Entity entity, const Velocity&) {
          commands.add(entity, Burning{2});
        });
    CHECK(world.query<const Burning, const Velocity>().count() >= 1'000);
    Schedule schedule(world);
    schedule.set_executor(&scene.executor, 0);
    schedule.add([](Entity entity, const Velocity&, Commands& commands) { commands.remove<Burning>(entity); })
        .par();
    schedule.run();
    CHECK(world.query<const Burning, const Velocity>().count() == 0);
    CHECK(world.validate());
  }

  TEST_CASE("systems on several threads record into their own commands, and not into those of the world") {
    ManyRows scene;
    World& world = scene.world;
    (void)world.component<Burning>();
    std::atomic<int> arrived{0};
    const auto meet = [&] {
      for (++arrived; arrived.load() < 2;) std::this_thread::yield();
    };
    const auto run = [&](bool own) {
      arrived = 0;
      Schedule schedule(world);
      schedule.set_executor(&scene.executor, 0);
      const auto record = [&, own](Commands& commands) {
        meet();
        (own ? commands : world.commands()).create(Burning{1});
      };
      schedule.add("first", record);
      schedule.add("second", record);
      return refusal([&] { schedule.run(); });
    };
    CHECK(run(true) == "");
    CHECK(says(run(false), "(create) on another worker in the same call"));
    world.flush();
    CHECK(world.validate());
  }
}

}  // namespace strata::test::access_guard_test

#endif
