// Systems with System::par that record commands: the order of the commands, and what happens if a row throws.
#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "../support/failing_memory.hpp"
#include "../support/refusal.hpp"
#include "../support/thread_executor.hpp"

namespace strata::test::schedule_par_commands_test {

namespace {

struct Health {
  std::int64_t points = 0;
};
struct Burning {
  std::int64_t damage = 0;
};
struct Log {
  std::int64_t row = 0;
  Entity of = {};
};
struct Owned {
  std::shared_ptr<std::int64_t> value;
};
template <int number>
struct Mark {};

}  // namespace

}  // namespace strata::test::schedule_par_commands_test

template <>
inline constexpr strata::Storage strata::storage_of<strata::test::schedule_par_commands_test::Burning> =
    strata::Storage::sparse;
template <>
inline constexpr auto strata::members_of<strata::test::schedule_par_commands_test::Health> =
    strata::Members{member("points", &strata::test::schedule_par_commands_test::Health::points)};
template <>
inline constexpr auto strata::members_of<strata::test::schedule_par_commands_test::Burning> =
    strata::Members{member("damage", &strata::test::schedule_par_commands_test::Burning::damage)};
template <>
inline constexpr auto strata::members_of<strata::test::schedule_par_commands_test::Log> =
    strata::Members{member("row", &strata::test::schedule_par_commands_test::Log::row),
                    member("of", &strata::test::schedule_par_commands_test::Log::of)};

namespace strata::test::schedule_par_commands_test {

namespace {

constexpr std::int64_t kMany = 12'000;

/// Fills a world with entities in several tables, some of them with values in a sparse set.
void fill(World& world, std::int64_t rows = kMany) {
  (void)world.component<Log>();
  (void)world.component<Owned>();
  for (std::int64_t i = 0; i < rows; ++i) {
    Entity made;
    if (i % 3 == 0) made = world.create(Health{i}, Mark<0>{});
    if (i % 3 == 1) made = world.create(Health{i});
    if (i % 3 == 2) made = world.create(Health{i}, Mark<1>{});
    if (i % 2 == 0) world.add(made, Burning{i});
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

/// A world whose observers write down, in order, to which rows commands have added a Log.
class Scene {
 public:
  Scene() {
    fill(world);
    told_ =
        world.observers().on_add<Log>([this](Entity entity) { rows.push_back(world.get<Log>(entity).row); });
  }

  World world;
  std::vector<std::int64_t> rows;

 private:
  Subscription told_;
};

/// Records for each sixth row a new entity, and destroys or changes the row.
void grow(Entity entity, Health& health, Commands& commands) {
  if (health.points % 6 == 0) {
    const Entity made = commands.create(Log{health.points, entity});
    commands.add(entity, Log{-health.points, made});
  }
  if (health.points % 7 == 0) commands.destroy(entity);
  if (health.points % 11 == 0) commands.remove<Health>(entity);
  health.points += kMany;
}

/// Adds the systems to a schedule by `add_systems(schedule, par)`, and runs it without `par` and with, on several
/// executors: what it records is the same. `check` looks at the schedules with `par`.
template <class Add, class Check>
void compare_with_one_thread(Add add_systems, Check check) {
  Scene plain;
  Schedule one_by_one(plain.world);
  add_systems(one_by_one, false);
  one_by_one.run();
  with_executors([&](Executor* executor) {
    Scene scene;
    Schedule schedule(scene.world);
    schedule.set_executor(executor);
    add_systems(schedule, true);
    schedule.run();
    check(schedule);
    CHECK(scene.rows == plain.rows);
    CHECK(scene.world.validate());
  });
}

}  // namespace

TEST_SUITE("api/schedule_par_commands") {
  TEST_CASE("commands of several threads are applied in the order of the rows, with every executor") {
    Scene plain;
    Schedule one_by_one(plain.world);
    one_by_one.add(grow);
    for (int run = 0; run < 3; ++run) one_by_one.run();
    REQUIRE(plain.rows.size() > std::size_t{kMany} / 3);
    for (const std::size_t grain :
         {40'000, 64}) {  // The smaller grain makes more tasks than there are parts.
      std::vector<std::uint64_t> digests;
      with_executors([&](Executor* executor) {
        Scene scene;
        Schedule schedule(scene.world);
        schedule.set_executor(executor, grain);
        schedule.add(grow).par();
        for (int run = 0; run < 3; ++run) schedule.run();
        CHECK(scene.rows == plain.rows);
        digests.push_back(digest(scene.world));
        CHECK(scene.world.validate());
      });
      for (const std::uint64_t found : digests) CHECK(found == digests.front());
    }
  }

  TEST_CASE("handles of new entities are usable in the same call, on several threads") {
    with_executors([](Executor* executor) {
      World world;
      fill(world);
      Schedule schedule(world);
      schedule.set_executor(executor);
      schedule
          .add("spawn",
               [](Commands& commands, Elapsed, Entity entity, const Health& health, Resource<const int> few) {
                 if (health.points < 100 || health.points > kMany - *few) return;
                 const Entity child = commands.create(child_of(entity), Log{health.points, entity});
                 commands.add(child, Owned{std::make_shared<std::int64_t>(health.points)});
                 commands.set_name(child, "a name that is too long to be kept inside of a command");
               })
          .par();
      world.resources().set<int>(100);
      schedule.run();
      std::int64_t right = 0;
      world.query<Entity, const Log, const Owned>().each(
          [&](Entity child, const Log& log, const Owned& owned) {
            const bool named = !world.names().name(child).empty();
            right += named && world.parent(child) == log.of && *owned.value == log.row ? 1 : 0;
          });
      CHECK(right == kMany - 100 - 100 + 1);
      CHECK(world.validate());
    });
  }

  TEST_CASE("systems that run block by block each record in the order of their rows, on several threads") {
    const auto add_systems = [](Schedule& schedule, bool par) {
      const auto maybe_par = [par](System system) { return par ? system.par() : system; };
      maybe_par(schedule.add("odd", [](Commands& commands, const Health& health) {
        if (health.points % 2 == 1) commands.create(Log{health.points});
      }));
      maybe_par(schedule.add("marked", [](const Health& health, Commands& commands) {
        if (health.points % 50 == 0) commands.create(Log{-health.points});
      }));
      maybe_par(schedule.add<With<Mark<1>>, Entity>("tag", [](Entity entity, Commands& commands) {
        commands.add(entity, Log{1'000'000 + entity.index()});
      }));
      maybe_par(schedule.add("later", [](Health& health, Commands& commands) {
        if (health.points % 3 == 0) commands.create(Log{2'000'000 + health.points});
      }));
      for (const char* const name : {"odd", "marked", "tag", "later"})
        schedule.system(name).apply_commands_after("later");
    };
    compare_with_one_thread(add_systems, [](Schedule& schedule) {
      CHECK(schedule.explain().find("stage 2, block by block with stage 1") != std::string::npos);
    });
  }

  TEST_CASE("rows of sparse sets and of parents record in the order of a single thread") {
    const auto add_systems = [](Schedule& schedule, bool par) {
      System burn = schedule.add("burn", [](Entity entity, Burning& fire, Commands& commands) {
        commands.add(entity, Log{fire.damage});
        if (fire.damage % 8 == 0) commands.remove<Burning>(entity);
      });
      System follow = schedule.add<const Health, Parent<const Health>>(
          "follow", [](Commands& commands, const Health& health, const Health* parent) {
            commands.create(Log{parent == nullptr ? -health.points : health.points});
          });
      follow.after("burn");
      if (par) burn.par();
      if (par) follow.par();
    };
    compare_with_one_thread(add_systems, [](Schedule&) {});
  }

  TEST_CASE("a system in fixed steps records step by step, on several threads") {
    with_executors([](Executor* executor) {
      Scene scene;
      Schedule schedule(scene.world);
      schedule.set_executor(executor);
      schedule
          .add("step",
               [](Health& health, Commands& commands) {
                 health.points += kMany;
                 if (health.points % 500 == 0) commands.create(Log{health.points / kMany});
               })
          .par()
          .fixed_step(0.25, 8);
      schedule.run(0.75);
      REQUIRE(scene.rows.size() == 3 * std::size_t{kMany} / 500);
      for (std::size_t i = 0; i < scene.rows.size(); ++i)
        CHECK(scene.rows[i] == 1 + static_cast<std::int64_t>(i * 500 / std::size_t{kMany}));
    });
  }

  TEST_CASE("the commands of systems that run with one that throws are dropped, on several threads") {
    with_executors([](Executor* executor) {
      Scene scene;
      World& world = scene.world;
      const std::size_t before = world.size();
      bool throws = true;
      std::shared_ptr<std::int64_t> shared = std::make_shared<std::int64_t>(7);
      Schedule schedule(world);
      schedule.set_executor(executor);
      schedule.add("before", [](Commands& commands, Query<const Health>&) { commands.create(Log{-5}); });
      schedule
          .add("fail",
               [&](Entity entity, const Health& health, Commands& commands) {
                 commands.add(entity, Owned{shared});
                 commands.create(Log{health.points});
                 if (throws && health.points % 5'000 == 4'999)
                   throw std::runtime_error(std::to_string(health.points));
               })
          .par()
          .after("before");
      schedule.add("beside", [](const Health&, Commands& commands) { commands.create(Log{-1}); })
          .par()
          .after("before");
      CHECK_THROWS_WITH(schedule.run(), "4999");
      CHECK(scene.rows == std::vector<std::int64_t>{-5});
      CHECK(shared.use_count() == 1);
      CHECK(world.size() == before + 1);
      CHECK(world.validate());
      throws = false;
      schedule.run();
      CHECK(world.size() == before + 2 + 2 * std::size_t{kMany});
      CHECK(shared.use_count() == 1 + kMany);
      CHECK(world.validate());
    });
  }

  TEST_CASE("a system without memory for its commands leaves the world whole") {
    std::size_t failures = 0;
    for (std::size_t nth = 1; nth < 400; nth += 1 + nth / 16) {
      CAPTURE(nth);
      FailingMemory memory;
      World world({.memory = &memory});
      fill(world, 5'000);
      Schedule schedule(world);
      const auto shared = std::make_shared<std::int64_t>(7);
      schedule
          .add("own",
               [&](Entity entity, Health&, Commands& commands) {
                 commands.add(entity, Owned{shared});
                 commands.create(Owned{shared});
               })
          .par();
      schedule.add("log", [&](const Burning& fire, Commands& commands) { commands.create(Log{fire.damage}); })
          .par();
      memory.fail_at(nth);
      const bool failed = [&] {
        try {
          schedule.run();
        } catch (const std::bad_alloc&) {
          return true;
        }
        return false;
      }();
      memory.never_fail();
      failures += failed ? 1u : 0u;
      CHECK(world.validate());
      schedule.run();
      CHECK(world.validate());
      CHECK(memory.complaint().empty());
    }
    CHECK(failures > 20);
  }

  TEST_CASE("near the greatest number of entities, parts on several threads create equal shares") {
    with_executors([](Executor* executor) {
      World world({.max_entities = 2 * kMany + 100});
      fill(world);
      Schedule schedule(world);
      schedule.set_executor(executor, 64);
      bool is_few = true;
      schedule
          .add([&](const Health& health, Commands& commands) {
            if (is_few ? health.points % 2 == 0 : health.points < 1'000) commands.create(Log{health.points});
          })
          .par();
      schedule.run();
      CHECK(world.size() == kMany + kMany / 2);
      is_few = false;
      const std::string message = refusal([&] {
        while (world.size() < 2 * kMany + 100) schedule.run();
      });
      CHECK(says(message, "no slot is left for a new entity"));
      CHECK(world.size() <= 2 * kMany + 100);
      CHECK(world.validate());
    });
  }

  TEST_CASE("in a world that was full once, each part creates as many entities as it has rows") {
    with_executors([](Executor* executor) {
      World world({.max_entities = 3 * kMany});
      fill(world);
      std::vector<Entity> others(3 * kMany - world.size());
      world.create_many(others);
      for (const Entity other : others) world.destroy(other);
      Schedule schedule(world);
      schedule.set_executor(executor, 64);
      schedule.add([](const Health& health, Commands& commands) { commands.create(Log{health.points}); })
          .par();
      const std::size_t rows = world.query<const Health>().count();
      schedule.run();
      CHECK(world.query<const Log>().count() == rows);
      CHECK(world.validate());
    });
  }

  TEST_CASE("components that only commands name are registered before, with and without threads") {
    with_executors([](Executor* executor) {
      World world;
      world.create_many(10, Health{1});
      Schedule schedule(world);
      schedule.set_executor(executor);
      schedule.add([](Health&, Commands& commands) { commands.create(Mark<7>{}); }).par();
      CHECK(says(refusal([&] { schedule.run(); }), "is not registered"));
      (void)world.component<Mark<7>>();
      schedule.run();
      CHECK(world.size() == 20);
    });
  }
}

}  // namespace strata::test::schedule_par_commands_test
