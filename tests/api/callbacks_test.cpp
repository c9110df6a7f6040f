// The table of include/strata/callbacks.hpp, cell by cell; what destructors and moves may do is in files of their own.
#include <strata/strata.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "../support/thread_executor.hpp"
#include "callbacks_scene.hpp"

namespace strata::test::callbacks_test {

namespace {

using Scene = CallbackScene;

/// Written by a function of the test.
struct Noted {
  static inline std::function<void()> written;
  static inline std::function<bool()> is_read;
  int number = 0;
};

}  // namespace

}  // namespace strata::test::callbacks_test

namespace callbacks = strata::test::callbacks_test;
template <>
inline constexpr auto strata::members_of<callbacks::Noted> =
    strata::OwnFormat{[](const callbacks::Noted& noted, strata::ByteWriter& writer) {
                        if (callbacks::Noted::written) callbacks::Noted::written();
                        writer.write(noted.number);
                      },
                      [](callbacks::Noted& noted, strata::ByteReader& reader) {
                        noted.number = reader.read<int>();
                        return !callbacks::Noted::is_read || callbacks::Noted::is_read();
                      }};

namespace strata::test::callbacks_test {

TEST_SUITE("api/callbacks") {
  TEST_CASE("visitors: each, each_block, range-for, cascade, changed") {
    Scene s;
    s.world.query<const Health>().each([&](const Health&) { s.everything("a query is iterating"); });
    s.calls = 0;
    s.world.query<const Health>().each_block(
        [&](std::span<const Health>) { s.everything("a query is iterating"); });
    s.calls = 0;
    for ([[maybe_unused]] auto [health] : s.world.query<const Health>()) s.everything("a query is iterating");
    s.calls = 0;
    s.world.query<const Health>().cascade().each(
        [&](const Health&) { s.everything("a query is iterating"); });
    s.calls = 0;
    s.world.add<Dirty>(s.parent);
    auto query = s.world.query<const Health>();
    (void)query.cascade().propagate([&](const Health&) { s.everything("a query is iterating"); });
    s.check();
  }
  TEST_CASE("functions that listen to events") {
    struct Rung {};
    Scene s;
    const Subscription everywhere =
        s.world.events().on<Rung>([&](Rung&) { s.everything("emit is under way"); });
    s.world.events().emit(Rung{});
    s.calls = 0;
    s.world.events().emit(Rung{}, s.parent, Spread::sink);
    s.calls = 0;
    s.world.events().emit(Rung{}, s.children[1], Spread::bubble);
    const Subscription quiet = s.world.events().on<int>([&](int&) { s.everything("deliver is under way"); });
    s.calls = 0;
    for (int i = 0; i < 5; ++i) s.world.events().queue(i, s.children[2]);
    s.world.events().deliver();
    s.check();
  }
  TEST_CASE("events are queued, but not emitted, while values are moved") {
    struct Rung {};
    Scene s;
    int told = 0;
    const Subscription counts = s.world.events().on<Rung>([&](Rung&) { ++told; });
    s.hooks->moved = [&](int) {
      ++s.calls;
      s.expect(says(refusal([&] { s.world.events().emit(Rung{}); }), "makes or moves values"), "emit");
      s.expect(says(refusal([&] { s.world.events().deliver(); }), "makes or moves values"), "deliver");
      s.world.events().queue(Rung{});
    };
    const Entity entity = s.world.create(Hooked(1));
    s.calls = 0;
    s.world.events().drop_queued();
    s.world.add(entity, Velocity{});
    s.hooks->moved = nullptr;
    CHECK(told == 0);
    CHECK(s.world.events().deliver().delivered == s.calls);
    CHECK(told == static_cast<int>(s.calls));
    s.check();
  }
  TEST_CASE("comparisons and keys: sort_children, order_by") {
    Scene s;
    s.world.sort_children(s.parent, [&](Entity a, Entity b) {
      s.everything("sort_children is under way");
      return a < b;
    });
    s.calls = 0;
    auto query = s.world.query<const Health>();
    query
        .order_by<Health>([&](const Health& a, const Health& b) {
          s.everything("a query is iterating");
          return a.points < b.points;
        })
        .each([](const Health&) {});
    s.check();
  }
  TEST_CASE("comparisons and keys: sort, in every way, and sort_step") {
    const auto sort_by = [](Scene& s, auto way) {
      s.calls = 0;
      s.world.pool<SparseHealth>().sort(
          [&](const SparseHealth& a, const SparseHealth& b) {
            s.everything("sort is under way");
            return a.points < b.points;
          },
          way);
    };
    Scene s;
    sort_by(s, sorting::Stable{});
    s.world.pool<SparseHealth>().sort([](Entity a, Entity b) { return b < a; });
    sort_by(s, sorting::Insertion{});
    s.calls = 0;
    s.world.pool<SparseHealth>().sort_step(
        [&](const SparseHealth& a) {
          s.everything("sort_step is under way");
          return -a.points;
        },
        1000);
    s.check();
  }
  TEST_CASE("fill functions do not see what is being made by queries, and find it by its handle") {
    Scene s;
    auto sparse = s.world.query<const SparseHealth>();
    auto both = s.world.query<const Health, const SparseHealth>();
    for (const std::size_t count : {1u, 10u, 20'000u}) {
      s.calls = 0;
      s.world.create_many<Health, SparseHealth>(
          count, [&](std::span<const Entity> entities, std::span<Health> healths, std::span<SparseHealth>) {
            s.expect(sparse.count() == 8 && both.count() == 8, "a query sees what is being made");
            s.everything("create_many is under way");
            s.expect(s.world.alive(entities[0]) && s.world.has<Health>(entities[0]), "alive");
            s.world.commands().destroy(entities[0]);
            s.world.commands().remove<Health>(entities[0]);
            for (const Entity entity : entities) s.world.commands().destroy(entity);
            for (Health& health : healths) health.points = 5;
          });
      CHECK(sparse.count() == 8);
    }
    const Entity top = s.world.create();
    s.calls = 0;
    s.world.create_many<Hooked, SparseHooked>(3, [&](std::span<const Entity> entities, auto, auto) {
      s.everything("create_many is under way");
      s.expect(s.world.get<Hooked>(entities[0]).number() == 0, "a value that is built is found");
    });
    CHECK(s.world.query<const SparseHooked>().count() == 3);
    s.calls = 0;
    s.world.spawner<Trusting, Velocity>(child_of(top)).create_many(5, [&](auto, auto, auto) {
      s.everything("create_many is under way");
      ++s.recorded;
    });
    s.recorded += 4;
    CHECK(s.world.child_count(top) == 5);
    s.check();
  }
  TEST_CASE("a fill function that throws leaves nothing, and queries as they were") {
    Scene s;
    for (const bool first : {true, false}) {
      const auto make = [&] {
        s.world.create_many<Health, SparseHooked>(30'000, [&](std::span<const Entity>, auto, auto) {
          ++s.calls;
          s.query(9);
          if (first || s.calls > 2) throw 1;
        });
      };
      CHECK_THROWS_AS(make(), int);
      s.query(9);
      CHECK(s.world.validate());
    }
    s.check();
  }
  TEST_CASE("a cascade inside a fill function leaves later cascades right") {
    World world;
    const Entity first = world.create(Health{1});
    const Entity second = world.create(Health{2});
    world.create(child_of(first), Health{10});
    Query<const Health, Parent<const Health>> healths = world.query<const Health, Parent<const Health>>();
    const auto sum_above = [&] {
      int sum = 0;
      healths.cascade().each([&](const Health&, const Health* above) {
        if (above != nullptr) sum += above->points;
      });
      return sum;
    };
    CHECK(sum_above() == 1);
    int during = 0;
    world.spawner<Health>(child_of(second)).create_many(100, [&](std::span<const Entity>, std::span<Health>) {
      during = sum_above();
    });
    CHECK(during == 1);
    CHECK(sum_above() == 201);
  }

  TEST_CASE("keep_going of shrink") {
    Scene s;
    CHECK(s.world.shrink([&] {
      s.everything("shrink is under way");
      return true;
    }));
    s.check();
  }
  TEST_CASE("visits of par, and functions that a Recorder has recorded") {
    Scene s;
    s.world.component<Velocity>();
    ThreadExecutor executor(2);
    std::mutex one_at_a_time;
    s.healths.par(executor, 1).each([&](Entity, const Health&) {
      const std::scoped_lock lock(one_at_a_time);
      if (++s.calls > 3) return;
      s.read();
      s.expect(std::as_const(s.world).query<const Health>().count() == 9, "a query of its own");
      s.change("a query is iterating");
    });
    s.calls = 0;
    s.world.query<const Health>()
        .par(executor, 1)
        .recording(s.world.commands())
        .each([&](Recorder<Commands>& recorder, const Health&) {
          recorder.defer([&](Commands&) { s.everything("a query is iterating"); });
        });
    s.check();
  }
  TEST_CASE("systems change structure only if they take the world") {
    Scene s;
    Schedule schedule(s.world);
    schedule.add("one", [&](const World&) { s.everything("a stage of a schedule is under way"); });
    schedule.run();
    s.calls = 0;
    schedule.add("beside it", [&](Elapsed) { s.everything("a stage of a schedule is under way"); });
    schedule.run();
    Entity made;
    schedule.add("alone", [&](World& world) { made = world.create(Velocity{}); });
    schedule.run();
    CHECK(s.world.has<Velocity>(made));
    s.check();
  }
  TEST_CASE("copies of values by a History") {
    Scene s;
    const Entity entity = s.world.create(Hooked(1), SparseHooked(2));
    History history(s.world);
    s.hooks->copied = [&](int) { s.everything("checkpoint is under way"); };
    CHECK(history.checkpoint());
    CHECK(s.calls != 0);
    CHECK(s.world.query<With<Trusting>>().count() == s.recorded);
    s.hooks->copied = nullptr;
    s.world.set(entity, Hooked(3));
    s.calls = 0;
    s.hooks->copied = [&](int) {
      if (++s.calls > 3) return;
      s.read();
      s.query(9);
      s.change("restore is under way");
    };
    CHECK(history.restore(0));
    CHECK(s.world.get<Hooked>(entity).number() == 1);
    s.recorded = 0;  // What was created since is gone.
    s.check();
  }
  TEST_CASE("copies of values that record commands: not a part of a checkpoint, and refused by restore") {
    Scene s;
    const Entity entity = s.world.create(Hooked(1));
    s.world.resources().set(Hooked(2));
    const std::uint64_t before = digest(s.world, Undescribed::leave_out);
    History history(s.world);
    s.hooks->copied = [&](int) { s.record(); };
    CHECK(history.checkpoint());
    CHECK(s.recorded >= 2);
    CHECK(s.world.query<With<Trusting>>().count() == s.recorded);
    s.hooks->copied = nullptr;
    CHECK(history.restore(0));
    CHECK(digest(s.world, Undescribed::leave_out) == before);
    CHECK(s.world.size() == 10);
    s.world.set(entity, Hooked(3));
    s.recorded = 0;
    s.hooks->copied = [&](int) { s.record(); };
    CHECK(says(refusal([&] { (void)history.restore(0); }),
               "a function that copies values has recorded commands"));
    s.hooks->copied = nullptr;
    CHECK(s.world.get<Hooked>(entity).number() == 3);
    s.world.flush();
    CHECK(history.checkpoint());
    const HistoryDelta none = history.delta(1, 1, Undescribed::leave_out);
    s.hooks->copied = [&](int) { s.record(); };
    CHECK(says(refusal([&] { (void)history.apply(none.bytes); }),
               "apply: a function that copies values has recorded commands"));
    s.hooks->copied = nullptr;
    s.calls = 1;
    s.world.flush();
    s.check();
  }
  TEST_CASE("commands that a function records while a delta is applied are lost if the delta is refused") {
    World world;
    const Entity entity = world.create(Noted{1});
    History history(world);
    REQUIRE(history.checkpoint());
    world.set(entity, Noted{2});
    REQUIRE(history.checkpoint());
    const HistoryDelta delta = history.delta(0, 1);
    REQUIRE(delta.outcome);
    REQUIRE(history.restore(0));
    Noted::is_read = [&] {
      (void)world.commands().create(Health{1});
      return false;
    };
    CHECK(!history.apply(delta.bytes));
    Noted::is_read = nullptr;
    CHECK(world.commands().empty());
    world.flush();
    CHECK(world.size() == 1);
    CHECK(world.get<Noted>(entity).number == 1);
    (void)world.create(Health{2});
    CHECK(world.validate());
  }
  TEST_CASE("commands that a copy records while set by id is under way are applied at its end") {
    Scene s;
    const Entity entity = s.world.create(Hooked(1));
    const Hooked value(2);
    s.hooks->copied = [&](int) { s.record(); };
    s.world.set(entity, s.world.component<Hooked>(), &value);
    s.hooks->copied = nullptr;
    CHECK(s.world.get<Hooked>(entity).number() == 2);
    CHECK(s.recorded != 0);
    CHECK(s.world.commands().empty());
    CHECK(s.world.query<With<Trusting>>().count() == s.recorded);
    CHECK(s.world.validate());
  }
  TEST_CASE("functions called by save") {
    Scene s;
    s.world.create(Noted{});
    Noted::written = [&] { s.everything("a query is iterating"); };
    std::ostringstream file;
    CHECK(save(s.world, file, {.undescribed = Undescribed::leave_out}));
    CHECK(s.calls != 0);
    Noted::written = nullptr;
    s.calls = 0;
    auto progress = [&](const SavingProgress&) {
      s.everything("a query is iterating");
      return true;
    };
    CHECK(save(s.world, file, {.undescribed = Undescribed::leave_out, .progress = progress}));
    s.world.flush();
    s.check();
  }
  TEST_CASE("the contract handler may do what is allowed where the contract is broken") {
    static Scene* scene = nullptr;
    Scene s;
    scene = &s;
    s.world.query<const Health>().each([&](const Health&) {
      if (s.calls != 0) return;
      const ContractHandler before = set_contract_handler([](const ContractFailure& failure) {
        set_contract_handler(nullptr);
        scene->everything("a query is iterating");
        throw ContractViolation(failure.message);
      });
      CHECK_THROWS_AS(s.world.destroy(s.parent), ContractViolation);
      set_contract_handler(before);
    });
    s.check();
  }
}

}  // namespace strata::test::callbacks_test
