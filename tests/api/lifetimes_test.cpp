// Objects that end, move or change while they call code of the program, and walks that go past their end.
#include <doctest/doctest.h>
#include <strata/storage_advisor.hpp>
#include <strata/strata.hpp>

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "../support/ended_process.hpp"
#include "../support/refusal.hpp"

namespace strata::test::lifetimes_test {

namespace {

struct Number {
  int value = 0;
};

/// Calls a function once, when a value is moved.
struct Moving {
  static inline std::function<void()> moved;

  explicit Moving(int of = 0) : value(std::make_unique<int>(of)) {}
  Moving(Moving&& other) noexcept : value(std::move(other.value)) {
    if (auto call = std::exchange(moved, nullptr)) call();
  }
  Moving& operator=(Moving&&) = delete;

  std::unique_ptr<int> value;
};
struct SparseMoving : Moving {
  using Moving::Moving;
};

/// An executor on the calling thread that says at each call that it has one more worker.
struct GrowingExecutor final : Executor {
  mutable std::size_t asked = 0;

  void parallel_for(std::size_t count, std::size_t, RangeFunction body) override {
    if (count != 0) body(0, count);
  }
  std::size_t worker_count() const noexcept override { return 2 + asked++; }
  std::size_t worker_index() const noexcept override { return 0; }
};

}  // namespace

}  // namespace strata::test::lifetimes_test

template <>
inline constexpr strata::Storage strata::storage_of<strata::test::lifetimes_test::SparseMoving> =
    strata::Storage::sparse;

namespace strata::test::lifetimes_test {

TEST_SUITE("api/lifetimes") {
  TEST_CASE("an iterator at the end of a range has no entity") {
    World world;
    const Entity leaf = world.create();
    const std::string refused =
        "an iterator at the end of a range refers to no entity: compare it with end() first";
    CHECK(refusal([&] { static_cast<void>(*world.children(leaf).begin()); }) == refused);
    CHECK(refusal([&] { static_cast<void>(*world.ancestors(leaf).end()); }) == refused);
  }
  TEST_CASE("a walk ends when the entity that it visits has left the subtree") {
    World world;
    const Entity root = world.create();
    const Entity first = world.create(child_of(root));
    world.create(child_of(root));
    std::vector<Entity> visited;
    for (const Entity entity : world.depth_first(root)) {
      visited.push_back(entity);
      if (entity == first) world.destroy(first);
    }
    CHECK(visited == std::vector{root, first});
  }
  TEST_CASE("ancestors, targets and subtrees are not walked while values move") {
    const auto message = [](auto walk) {
      return message_at_end([&] {
        World world;
        const Entity parent = world.create(Number{1});
        const Entity child = world.create(child_of(parent));
        Moving::moved = [&] { walk(world, child); };
        world.add(parent, Moving());
      });
    };
    const std::string refused =
        "a query while add makes or moves values: rows are incomplete; look entities up by their handles "
        "instead";
    CHECK(message([](World& world, Entity child) {
            for (const Number& number : world.ancestors_with<Number>(child)) static_cast<void>(number);
          }) == refused);
    CHECK(message([](World& world, Entity child) { static_cast<void>(world.depth_first(child)); }) ==
          refused);
    CHECK(message([](World& world, Entity child) { static_cast<void>(world.breadth_first(child)); }) ==
          refused);
    CHECK(message([](World& world, Entity) {
            world.observers().on_add<Number>([](Entity, Number&) {}, Existing::notify).detach();
          }) == refused);
  }
  TEST_CASE("a null handle is not found while the value of the first entity is hidden") {
    World world;
    const Entity first = world.create();
    REQUIRE(first.index() == 0);
    bool is_found = true;
    Moving::moved = [&] { is_found = world.find<SparseMoving>(Entity()) != nullptr; };
    world.add(first, SparseMoving(1));
    CHECK(!is_found);
  }
  TEST_CASE("an executor may get more workers between two calls of parallel_for") {
    World world;
    for (int i = 0; i < 4'096; ++i) world.add(world.create(Number{i}), Dirty());
    auto query = world.query<Number>();
    GrowingExecutor executor;
    CHECK(query.cascade().par(executor, 1).propagate([](Number& number) { ++number.value; }).size() == 4'096);
  }
  TEST_CASE("a recorded call may replace the world and the query") {
    World world;
    world.create(Number{1});
    InlineExecutor executor;
    auto query = std::make_unique<Query<Number>>(world.query<Number>());
    query->par(executor).recording(world).each([&](Recorder<World>& recorder, Number&) {
      recorder.defer([&](World& target) {
        target = World();
        query.reset();
      });
    });
    CHECK(world.size() == 0);
    CHECK(query == nullptr);
  }
  TEST_CASE("a view of a query that was moved from reads nothing of it") {
    World world;
    const Entity parent = world.create(Number{0});
    world.create(child_of(parent), Number{1});
    auto query = world.query<const Number>();
    auto children = query.children_of(parent);
    int visited = 0;
    children.each([&](const Number&) { ++visited; });
    { const auto moved = std::move(query); }
    children.each([&](const Number&) { ++visited; });
    CHECK(visited <= 2);  // The moved query may visit nothing.
  }
  TEST_CASE("a layered query is not assigned to, moved or destroyed while it goes through layers") {
    const auto message = [](auto change) {
      return message_at_end([&] {
        World world;
        world.create(Number{1});
        world.set_layer(world.create(Number{2}), 5);
        auto layered = std::make_unique<LayeredQuery<const Number>>(world.layered_query<const Number>());
        layered->each_layer([&](const auto&) { change(world, layered); });
      });
    };
    const std::string refused =
        "a query is destroyed, moved or assigned to while it iterates: keep it until the iteration has ended";
    CHECK(message([](World& world, auto& layered) { *layered = world.layered_query<const Number>(); }) ==
          refused);
    CHECK(message([](World&, auto& layered) { const auto moved = std::move(*layered); }) == refused);
    CHECK(message([](World&, auto& layered) { layered.reset(); }) == refused);
    CHECK(message([](World&, auto& layered) { const auto copied = *layered; }).empty());
  }
  TEST_CASE("an observer of marks may destroy the query that propagates") {
    World world;
    const Entity entity = world.create(Number{1});
    world.add(entity, Dirty());
    auto query = std::make_unique<Query<Number>>(world.query<Number>());
    const Subscription removed = world.observers().on_remove<Dirty>([&](Entity) { query.reset(); });
    query->cascade().propagate([](Number& number) { ++number.value; });
    CHECK(query == nullptr);
    CHECK(world.get<Number>(entity).value == 2);
  }
  TEST_CASE("an assignment takes from an object that the old value owns") {
    struct Level {
      World world;
    };
    struct Node {
      Subscription next;
    };
    World world;
    SUBCASE("worlds") {
      Level& next = world.resources().set(Level{World()});
      next.world.create();
      world = std::move(next.world);
      CHECK(world.size() == 1);
    }
    SUBCASE("subscriptions") {
      int calls = 0;
      auto node = std::make_unique<Node>();
      Node* const inner = node.get();
      inner->next = world.observers().on_create([&](Entity) { ++calls; });
      Subscription first = world.observers().on_create([owned = std::move(node)](Entity) {});
      first = std::move(inner->next);
      world.create();
      CHECK(calls == 1);
    }
    SUBCASE("schedules") {
      int runs = 0;
      auto inner = std::make_shared<Schedule>(world);
      inner->add("count", [&] { ++runs; });
      Schedule outer(world);
      outer.add("inner", [inner](World&) { inner->run(); });
      Schedule* const address = inner.get();
      inner.reset();
      outer = std::move(*address);
      outer.run();
      CHECK(runs == 1);
    }
  }
  TEST_CASE("a schedule that runs in steps may be moved, but not run by its own systems") {
    World world;
    int runs = 0;
    Schedule schedule(world);
    SUBCASE("moved") {
      std::optional<Schedule> kept;
      schedule.add("move", [&](World&) {
        ++runs;
        if (!kept) kept.emplace(std::move(schedule));
      });
      CHECK(schedule.run_steps(1, 0.25, 4) == 4);
      CHECK(runs == 4);
      CHECK(refusal([&] { schedule.run_steps(1, 0.25, 4); }) ==
            "a schedule that was moved from can only be destroyed or assigned to");
    }
    SUBCASE("refused steps do not count") {
      bool nests = true;
      schedule.add("nest", [&](World&) {
        ++runs;
        if (nests) schedule.run_steps(0.125, 0.25, 4);
      });
      CHECK(refusal([&] {
              schedule.run_steps(0.25, 0.25, 4);
            }).starts_with("a schedule cannot be run by one of its own systems"));
      nests = false;
      CHECK(schedule.run_steps(0.125, 0.25, 4) == 0);
      CHECK(runs == 1);
    }
    SUBCASE("infinite steps are refused") {
      CHECK(!refusal([&] { schedule.run_steps(1, std::numeric_limits<double>::infinity(), 1); }).empty());
      CHECK(schedule.run_steps(1, 0.25, 4) == 4);
    }
  }
  TEST_CASE("a System and a SystemSet know that their schedule has gone") {
    World world;
    std::optional<Schedule> schedule(std::in_place, world);
    System system = schedule->add("move", [] {}).in("physics");
    SystemSet set = schedule->set("physics");
    Schedule moved = std::move(*schedule);
    CHECK(system.disable().name() == "move");
    set.disable();
    moved = Schedule(world);
    CHECK(says(refusal([&] { system.enable(); }), "destroyed or assigned to"));
    CHECK(says(refusal([&] { set.enable(); }), "destroyed or assigned to"));
    system = moved.add("other", [] {});
    CHECK(system.name() == "other");
  }
  TEST_CASE("a system does not assign to the world of the schedule that runs it") {
    CHECK(message_at_end([] {
            World world;
            Schedule schedule(world);
            schedule.add("load", [](World& all) { all = World(); });
            schedule.run();
          }) ==
          "a world is destroyed or assigned to while a run of a schedule is under way: do it when that has "
          "ended");
  }
  TEST_CASE("a value that is superseded by a later command may stop the advisor") {
    struct Stopping {
      std::optional<StorageAdvisor>* advisor = nullptr;

      Stopping() = default;
      explicit Stopping(std::optional<StorageAdvisor>* of) : advisor(of) {}
      Stopping(Stopping&& other) noexcept : advisor(std::exchange(other.advisor, nullptr)) {}
      Stopping& operator=(Stopping&&) = delete;
      ~Stopping() {
        if (advisor != nullptr) advisor->reset();
      }
    };
    World world;
    const Entity entity = world.create();
    std::optional<StorageAdvisor> advisor(std::in_place, world);
    advisor->start();
    world.commands().add(entity, Stopping(&advisor));
    world.commands().add(entity, Stopping());
    world.flush();
    CHECK(!advisor);
    CHECK(world.has<Stopping>(entity));
  }
}

}  // namespace strata::test::lifetimes_test
