#include <doctest/doctest.h>

#include <functional>
#include <memory>
#include <optional>
#include <strata/strata.hpp>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../support/components.hpp"
#include "../support/ended_process.hpp"
#include "../support/failing_memory.hpp"
#include "../support/hooked.hpp"
#include "../support/refusal.hpp"

namespace strata::test::world_moves_test {

static_assert(std::is_nothrow_move_constructible_v<World> && std::is_nothrow_move_assignable_v<World>);
static_assert(std::is_nothrow_swappable_v<World>);
static_assert(!std::is_copy_constructible_v<World> && !std::is_copy_assignable_v<World>);

namespace {

/// Asks at its end whether its world still has entities.
struct Witness {
  World* world;
  int* alive;

  Witness(World& of, int& found) : world(&of), alive(&found) {}
  Witness(Witness&& other) noexcept : world(std::exchange(other.world, nullptr)), alive(other.alive) {}
  Witness& operator=(Witness&&) = delete;
  ~Witness() {
    if (world == nullptr) return;
    world->query<Entity>().each([&](Entity) { ++*alive; });
  }
};

/// An event, a value of a pair, or what a function has captured, that calls a function when it is destroyed.
struct AtEnd {
  std::function<void()> call;

  explicit AtEnd(std::function<void()> what) : call(std::move(what)) {}
  AtEnd(AtEnd&& other) noexcept : call(std::exchange(other.call, nullptr)) {}
  AtEnd& operator=(AtEnd&&) = delete;
  ~AtEnd() {
    if (call) call();
  }
};

/// A world with values in tables and in the side store, a child, and a recorded command.
struct Filled {
  World world;
  Entity root = world.create(Counted(1), SparseCounted(2), Position{1, 2, 3});
  Entity child = world.create(child_of(root), Counted(3), Position{4, 5, 6});

  Filled() { world.commands().add(child, SparseCounted(4)); }
};

int sum_of(World& world) {
  int sum = 0;
  world.query<const Counted>().each([&](const Counted& counted) { sum += counted.value(); });
  return sum;
}

}  // namespace

TEST_SUITE("api/world_moves") {
  TEST_CASE("a world that was moved has all that the other had, at the same addresses") {
    const CountedScope scope;
    {
      Filled f;
      const Counted* const value = f.world.find<Counted>(f.root);
      f.world.resources().set(7);
      World moved = std::move(f.world);
      CHECK(moved.size() == 2);
      CHECK(moved.find<Counted>(f.root) == value);
      CHECK(moved.get<SparseCounted>(f.root).value() == 2);
      CHECK(moved.parent(f.child) == f.root);
      CHECK(moved.resources().get<int>() == 7);
      moved.flush();
      CHECK(moved.get<SparseCounted>(f.child).value() == 4);
      CHECK(moved.validate());
    }
    CHECK(scope.clean());
  }
  TEST_CASE("what was made from a world goes on with the one that it was moved to") {
    Filled f;
    auto query = f.world.query<Entity, const Counted>();
    auto layered = f.world.layered_query<const Counted>();
    auto spawner = f.world.spawner<Counted>();
    auto below = f.world.spawner<Counted>(child_of(f.root));
    auto accessor = f.world.accessor<Counted>();
    Pool<SparseCounted> pool = f.world.pool<SparseCounted>();
    Commands& commands = f.world.commands();
    Resources& resources = f.world.resources();
    World moved = std::move(f.world);
    const Entity made = spawner.create(Counted(10));
    CHECK(moved.parent(below.create(Counted(20))) == f.root);
    CHECK(query.count() == 4);
    int sum = 0;
    layered.each([&](const Counted& counted) { sum += counted.value(); });
    CHECK(sum == 34);
    CHECK(accessor.get(made).value() == 10);
    CHECK(pool.size() == 1);
    pool.sort_by_depth();
    query.each([&](Entity entity, const Counted&) {
      if (entity == made) commands.destroy(entity);
    });
    CHECK(!moved.alive(made));
    CHECK(moved.has<SparseCounted>(f.child));  // Was recorded before the move.
    resources.set(3);
    CHECK(moved.resources().get<int>() == 3);
    CHECK(moved.validate());
  }
  TEST_CASE("assigning to a world ends what it had") {
    const CountedScope scope;
    int paid = 0;
    {
      Filled f;
      Filled other;
      other.world.resources().emplace<std::shared_ptr<int>>(&paid, [](int* sum) { ++*sum; });
      other.world.commands().create(Counted(5));
      const int live = Counted::live();
      other.world = std::move(f.world);
      CHECK(Counted::live() == live - 5);  // Three values, and two that were recorded.
      CHECK(paid == 1);
      CHECK(sum_of(other.world) == 4);
      other.world.flush();
      CHECK(other.world.has<SparseCounted>(f.child));
      CHECK(other.world.validate());
      f.world = World();  // One that was moved from may be assigned to.
      CHECK(f.world.size() == 0);
      CHECK(sum_of(other.world) == 4);
    }
    CHECK(scope.clean());
  }
  TEST_CASE("assigning a world to itself leaves it as it is") {
    Filled f;
    World& same = f.world;
    f.world = std::move(same);
    CHECK(f.world.size() == 2);
    CHECK(f.world.validate());
  }
  TEST_CASE("destructors see no entity alive when a world is assigned to") {
    int alive = 0;
    World world;
    world.create(Witness(world, alive));
    world.create(Witness(world, alive));
    World other;
    other.create(Position{});
    world = std::move(other);
    CHECK(alive == 0);
    CHECK(world.size() == 1);
  }
  TEST_CASE("worlds are swapped") {
    const CountedScope scope;
    {
      Filled f;
      World other({.world_number = 2});
      const Entity lone = other.create(Counted(9));
      auto query = f.world.query<const Counted>();
      std::swap(f.world, other);
      CHECK(other.size() == 2);
      CHECK(f.world.alive(lone));
      CHECK(!f.world.alive(f.root));
      CHECK(query.count() == 2);
      World empty = std::move(f.world);
      std::swap(f.world, other);  // One of them was moved from.
      CHECK(sum_of(f.world) == 4);
      CHECK(sum_of(empty) == 9);
      other = std::move(empty);
      CHECK(other.validate());
      CHECK(f.world.validate());
    }
    CHECK(scope.clean());
  }
  TEST_CASE("a vector of worlds grows, and loses one of them") {
    const CountedScope scope;
    {
      std::vector<World> worlds;
      std::vector<Entity> entities;
      for (int i = 0; i < 20; ++i) {
        worlds.emplace_back(WorldOptions{.world_number = static_cast<std::uint32_t>(i) + 1});
        entities.push_back(worlds.back().create(Counted(i), SparseCounted(i)));
      }
      worlds.erase(worlds.begin() + 3);
      for (std::size_t i = 0; i < worlds.size(); ++i) {
        const std::size_t before = i < 3 ? i : i + 1;
        CHECK(worlds[i].get<SparseCounted>(entities[before]).value() == static_cast<int>(before));
        CHECK(worlds[i].validate());
      }
    }
    CHECK(scope.clean());
  }
  TEST_CASE("a world may be moved while it is iterated, and refuses changes until that ends") {
    Filled f;
    std::optional<World> moved;
    int visited = 0;
    f.world.query<Entity, const Counted>().each([&](Entity entity, const Counted&) {
      if (!moved) moved.emplace(std::move(f.world));
      CHECK_THROWS_AS(moved->destroy(entity), ContractViolation);
      moved->commands().remove<Counted>(entity);
      ++visited;
    });
    CHECK(visited == 2);
    CHECK(!moved->has<Counted>(f.root));
    CHECK(moved->validate());
  }
  TEST_CASE("a world is not destroyed or assigned to while a query iterates or an observer is called") {
    const auto fill = [](World& world) { world.create_many(100, Position{1, 2, 3}); };
    const std::string iterated =
        "a world is destroyed or assigned to while a query is iterating: do it when that has ended";
    CHECK(message_at_end([&] {
            World world;
            fill(world);
            world.query<const Position>().each([&](const Position&) { world = World(); });
          }) == iterated);
    CHECK(message_at_end([&] {
            auto world = std::make_unique<World>();
            fill(*world);
            for (const auto& [position] : world->query<const Position>()) {
              static_cast<void>(position);
              world.reset();
            }
          }) == iterated);
    CHECK(message_at_end([&] {
            World world;
            const Subscription added =
                world.observers().on_add<Position>([&](Entity, Position&) { world = World(); });
            fill(world);
          }) ==
          "a world is destroyed or assigned to while an observer is under way: do it when that has ended");

    // When an exception ends an iteration, the world may be destroyed.
    CHECK(message_at_end([&] {
            try {
              World world;
              fill(world);
              world.query<const Position>().each([](const Position&) { throw 1; });
            } catch (int) {
            }
          }).empty());
  }
  TEST_CASE("destructors at the end of a world make no structural changes") {
    int refused = 0;
    {
      World world;
      const Entity a = world.create(), b = world.create();
      const auto create = [&] {
        refused += says(refusal([&] { world.create(); }), "is under way") ? 1 : 0;
        world.commands().create(Position{});
      };
      world.events().queue(AtEnd(create));
      world.events().on<int>(a, [end = std::make_shared<AtEnd>(create)](int&) {}).detach();
      world.relations().add(a, b, AtEnd(create));
      world.commands().add(a, AtEnd(create));
    }
    CHECK(refused == 4);
  }
  TEST_CASE("a destructor at the end of a world does not assign to the world") {
    const auto message = [](auto give) {
      return message_at_end([&] {
        World world;
        bool assigned = false;
        give(world, AtEnd([&] {
               if (!std::exchange(assigned, true)) world = World();
             }));
        world = World();
      });
    };
    const std::string expected =
        "a world is destroyed or assigned to while the end of the world is under way: do it when that has "
        "ended";
    CHECK(message([](World& world, AtEnd end) { world.events().queue(std::move(end)); }) == expected);
    CHECK(message([](World& world, AtEnd end) {
            const Entity entity = world.create();
            world.relations().add(entity, world.create(), std::move(end));
          }) == expected);
    CHECK(says(message([](World& world, AtEnd end) { world.commands().create(std::move(end)); }),
               "a world is destroyed or assigned to while"));
  }
  TEST_CASE("a world may be moved by the function of patch") {
    for (const bool listens : {false, true}) {
      World world;
      const Entity entity = world.create(Position{1, 2, 3});
      int sets = 0;
      Subscription set;
      if (listens) set = world.observers().on_set<Position>([&](Entity, Position&) { ++sets; });
      std::optional<World> kept;
      world.patch<Position>(entity, [&](Position& position) {
        kept.emplace(std::move(world));
        position.x = 5;
      });
      CHECK(kept->get<Position>(entity).x == 5);
      CHECK(sets == (listens ? 1 : 0));
      CHECK(kept->validate());
    }
  }
  TEST_CASE("a world may be moved by observers of an addition to many entities, and of a removal") {
    World world;
    std::vector<Entity> entities(3);
    world.create_many(entities);
    std::optional<World> kept;
    const Subscription added = world.observers().on_add<Position>([&](Entity, Position&) {
      if (!kept) kept.emplace(std::move(world));
    });
    CHECK(world.add(entities, Position{1, 2, 3}) == 3);
    CHECK(kept->query<const Position>().count() == 3);
    std::optional<World> again;
    const Subscription removed = kept->observers().on_remove<Position>([&](Entity, Position&) {
      if (!again) again.emplace(std::move(*kept));
    });
    CHECK(kept->remove<Position>(entities) == 3);
    CHECK(again->query<const Position>().count() == 0);
    CHECK(again->validate());
  }
  TEST_CASE("the destructor of a copy that is added to many entities does not destroy the world") {
    CHECK(message_at_end([] {
            auto world = std::make_unique<World>();
            std::vector<Entity> entities(3);
            world->create_many(entities);
            HookScope hooks;
            const Hooked value(1);
            hooks->destroyed = [&](int) {
              Hooks::all().destroyed = nullptr;
              world.reset();
            };
            world->add(entities, value);
          }) == "a world is destroyed or assigned to while add is under way: do it when that has ended");
  }
  TEST_CASE("a world may be moved while set_storage moves values") {
    World world;
    const Entity entity = world.create(Hooked(1));
    std::optional<World> kept;
    HookScope hooks;
    hooks->moved = [&](int) {
      if (!kept) kept.emplace(std::move(world));
    };
    world.set_storage<Hooked>(Storage::sparse);
    REQUIRE(kept);
    CHECK(kept->get<Hooked>(entity).number() == 1);
    CHECK(kept->create(Hooked(2)));
    CHECK(kept->validate());
  }
  TEST_CASE("the function of patch may change structure, but not destroy the world") {
    World world;
    const Entity entity = world.create(Position{1, 2, 3});
    world.patch<Position>(entity, [&](Position&) { world.add(entity, Velocity{}); });
    CHECK(world.has<Velocity>(entity));
    CHECK_THROWS_AS(world.patch<Position>(entity, [](Position&) { throw 1; }), int);
    CHECK(message_at_end([&] {
            world.patch<Position>(entity, [&](Position&) {
              world.patch<Position>(entity, [](Position&) {});
              world = World();
            });
          }) == "a world is destroyed or assigned to while patch is under way: do it when that has ended");
    world = World();
    CHECK(world.size() == 0);
  }

  TEST_CASE("all memory is given back by the world that it was moved to") {
    FailingMemory memory;
    {
      World moved;
      {
        World world({.memory = &memory});
        world.create(Position{}, SparseHealth{1});
        moved = std::move(world);
      }
      CHECK(memory.blocks() != 0);
      CHECK(moved.query<const SparseHealth>().count() == 1);
    }
    CHECK(memory.blocks() == 0);
  }
}

}  // namespace strata::test::world_moves_test
