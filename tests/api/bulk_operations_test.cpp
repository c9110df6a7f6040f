#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <random>
#include <span>
#include <stdexcept>
#include <vector>

#include "../support/fragile.hpp"
#include "../support/hooked.hpp"
#include "../support/refusal.hpp"
#include "../support/tracked.hpp"
#include "typed_kinds.hpp"

namespace strata::test::bulk_operations_test {

namespace {

using Entities = std::vector<Entity>;

constexpr std::array kLayouts{Layout::per_parent, Layout::per_level, Layout::adaptive};

/// Calls a function when it is destroyed, also after it was moved from.
struct Ending {
  static inline std::function<void()> ended;
  int number = 0;

  Ending() = default;
  Ending(const Ending&) = default;
  Ending(Ending&&) noexcept {}
  ~Ending() {
    if (const std::function<void()> call = ended) call();
  }
};

/// A world with entities of several tables and pools, in families or without parents.
struct Fixture {
  CountedScope scope;
  World world;
  Entities entities;

  explicit Fixture(Layout layout = Layout::adaptive) : world({.layout = layout, .large_family = 8}) {}
  ~Fixture() {
    const Outcome sound = world.validate();
    CHECK_MESSAGE(sound, sound.message());
  }

  void grow(int count, bool in_families) {
    for (int i = 0; i < count; ++i) {
      const Entity entity =
          in_families && i > 3 ? world.create(child_of(entities[entities.size() / 5])) : world.create();
      entities.push_back(entity);
      world.add(entity, Health{i});
      if (i % 2 == 0) world.add(entity, Counted(i));
      if (i % 3 == 0) world.add(entity, SparseCounted(i));
      if (i % 5 == 0) world.add(entity, SparseHealth{i});
      if (i % 7 == 0) world.add(entity, Position{});
    }
  }
  Entities some(std::size_t count, unsigned seed) const {
    Entities chosen = entities;
    std::shuffle(chosen.begin(), chosen.end(), std::mt19937(seed));
    chosen.resize(std::min(count, chosen.size()));
    return chosen;
  }
};

/// Returns: the entities as rows of tables and members of pools, in the order of a query.
Entities visited(World& world) {
  Entities found;
  world.query<Entity>().each([&](Entity entity) { found.push_back(entity); });
  return found;
}

}  // namespace

TEST_SUITE("api/bulk_operations") {
  TEST_CASE("adding to many gives each its own copy, and replaces the values that are there") {
    for (const Layout layout : kLayouts) {
      for (const std::size_t count : {0u, 1u, 7u, 100u, 400u}) {
        Fixture fixture(layout);
        fixture.grow(400, count % 2 == 0);
        World& world = fixture.world;
        Entities chosen = fixture.some(count, 1);
        CHECK(world.add(chosen, Counted(1000)) == count);
        CHECK(world.add<SparseCounted>(chosen, SparseCounted(2000)) == count);
        CHECK(world.add<Frozen>(chosen) == count);
        CHECK(world.add(std::span<const Entity>(chosen), Wide(3)) == count);
        std::sort(chosen.begin(), chosen.end());
        for (int i = 0; i < 400; ++i) {
          const Entity entity = fixture.entities[static_cast<std::size_t>(i)];
          const bool is_chosen = std::binary_search(chosen.begin(), chosen.end(), entity);
          const Counted* const counted = world.find<Counted>(entity);
          CHECK((counted != nullptr) == (is_chosen || i % 2 == 0));
          if (counted != nullptr) CHECK(counted->value() == (is_chosen ? 1000 : i));
          const SparseCounted* const sparse = world.find<SparseCounted>(entity);
          CHECK((sparse != nullptr) == (is_chosen || i % 3 == 0));
          if (sparse != nullptr) CHECK(sparse->value() == (is_chosen ? 2000 : i));
          CHECK(world.has<Frozen>(entity) == is_chosen);
          CHECK(world.has<Wide>(entity) == is_chosen);
          CHECK(world.get<Health>(entity).points == i);
        }
      }
    }
  }
  TEST_CASE("removing from many keeps the other values") {
    for (const Layout layout : kLayouts) {
      for (const std::size_t count : {0u, 1u, 7u, 100u, 400u}) {
        Fixture fixture(layout);
        fixture.grow(400, count % 2 == 0);
        World& world = fixture.world;
        Entities chosen = fixture.some(count, 2);
        const auto had = [&](auto has) {
          return static_cast<std::size_t>(std::count_if(chosen.begin(), chosen.end(), has));
        };
        const std::size_t counted = had([&](Entity e) { return world.has<Counted>(e); });
        const std::size_t sparse = had([&](Entity e) { return world.has<SparseCounted>(e); });
        CHECK(world.remove<Counted>(chosen) == counted);
        CHECK(world.remove<Counted>(chosen) == 0);
        CHECK(world.remove<SparseCounted>(chosen) == sparse);
        std::sort(chosen.begin(), chosen.end());
        for (int i = 0; i < 400; ++i) {
          const Entity entity = fixture.entities[static_cast<std::size_t>(i)];
          const bool is_chosen = std::binary_search(chosen.begin(), chosen.end(), entity);
          CHECK(world.has<Counted>(entity) == (i % 2 == 0 && !is_chosen));
          CHECK(world.has<SparseCounted>(entity) == (i % 3 == 0 && !is_chosen));
          CHECK(world.get<Health>(entity).points == i);
        }
      }
    }
  }
  TEST_CASE("destroying many leaves exactly the others, and takes subtrees along") {
    for (const Layout layout : kLayouts) {
      for (const bool in_families : {false, true}) {
        for (const std::size_t count : {0u, 1u, 5u, 30u, 200u, 400u}) {
          Fixture fixture(layout);
          fixture.grow(400, in_families);
          Fixture other(layout);
          other.grow(400, in_families);
          const Entities chosen = fixture.some(count, 3);
          const std::size_t before = fixture.world.size();
          const std::size_t destroyed = fixture.world.destroy(chosen);
          for (const Entity entity : chosen) other.world.destroy(entity);
          CHECK(destroyed == before - fixture.world.size());
          CHECK(fixture.world.size() == other.world.size());
          for (const Entity entity : fixture.entities) {
            CHECK(fixture.world.alive(entity) == other.world.alive(entity));
            CHECK(fixture.world.parent(entity) == other.world.parent(entity));
            const auto children = fixture.world.children(entity);
            const auto expected = other.world.children(entity);
            CHECK(std::equal(children.begin(), children.end(), expected.begin(), expected.end()));
            if (fixture.world.alive(entity)) {
              CHECK(fixture.world.get<Health>(entity).points == other.world.get<Health>(entity).points);
            }
          }
          CHECK(fixture.world.pool<SparseCounted>().size() == other.world.pool<SparseCounted>().size());
        }
      }
    }
  }
  TEST_CASE("stale handles are left out, and doubles count once") {
    Fixture fixture;
    fixture.grow(50, true);
    World& world = fixture.world;
    const Entity gone = fixture.entities[49];
    world.destroy(gone);
    const Entities named{fixture.entities[5], gone,     fixture.entities[6],
                         fixture.entities[5], Entity(), Entity(999, 4)};
    CHECK(world.add(named, Wide(1)) == 2);
    CHECK(world.add(named, SparseWide(1)) == 2);
    CHECK(world.pool<SparseWide>().size() == 2);
    CHECK(world.remove<Wide>(named) == 2);
    CHECK(world.remove<SparseWide>(named) == 2);
    CHECK(world.destroy(named) >= 2);
    CHECK(world.destroy(named) == 0);
    CHECK(world.destroy(std::span<const Entity>()) == 0);
  }
  TEST_CASE("a query names the entities that it matches") {
    for (const Layout layout : kLayouts) {
      Fixture fixture(layout);
      fixture.grow(300, true);
      World& world = fixture.world;
      auto counted = world.query<const Counted>();
      const std::size_t count = counted.count();
      CHECK(world.add(counted, Wide(4)) == count);
      CHECK(world.query<With<Wide>, Without<Counted>>().count() == 0);
      CHECK(world.query<With<Wide>>().count() == count);
      // Of the side store, with a term of tables.
      auto both = world.query<const SparseCounted, const Health>();
      CHECK(world.add<SparseFrozen>(both) == both.count());
      CHECK(world.pool<SparseFrozen>().size() == both.count());
      CHECK(world.add(both, Huge(3)) == both.count());
      CHECK(world.remove<SparseCounted>(both) == world.pool<SparseFrozen>().size());
      CHECK(both.count() == 0);
      CHECK(world.remove<Wide>(world.query<With<Wide>>()) == count);
      const std::array terms{Term{Role::with, world.component<Huge>()}};
      auto runtime = world.query(terms);
      const std::size_t size = world.size();
      const std::size_t destroyed = world.destroy(runtime);
      CHECK(destroyed >= 100);
      CHECK(world.size() == size - destroyed);
      CHECK(runtime.count() == 0);
      CHECK(world.destroy(world.query<Entity>()) == size - destroyed);
      CHECK(world.size() == 0);
    }
  }
  TEST_CASE("rows keep their order in the new table, in tables of several blocks, too") {
    World world;
    Entities entities(50'000);
    world.create_many(entities, Health{1});
    Entities third;
    for (std::size_t i = 0; i < entities.size(); i += 3) third.push_back(entities[i]);
    Entities shuffled = third;
    std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937(5));
    CHECK(world.add(shuffled, Wide(2)) == third.size());
    Entities moved;
    world.query<Entity, With<Wide>>().each([&](Entity entity) { moved.push_back(entity); });
    CHECK(moved == third);
    CHECK(world.query<Entity, Without<Wide>>().count() == entities.size() - third.size());
    CHECK(world.remove<Wide>(world.query<With<Wide>>()) == third.size());
    CHECK(visited(world).size() == entities.size());
    CHECK(world.destroy(shuffled) == third.size());
    CHECK(world.size() == entities.size() - third.size());
    CHECK(world.validate());
  }
  TEST_CASE("while a query iterates, they are refused; what is recorded meanwhile is applied at the end") {
    const HookScope hooks;
    World world;
    const Entities entities{world.create(Health{1}, Hooked(1)), world.create(Health{2}, Hooked(2))};
    const Entity extra = world.create();
    auto healths = world.query<const Health>();
    healths.each([&](const Health&) {
      CHECK_THROWS_AS(world.destroy(entities), ContractViolation);
      CHECK_THROWS_AS(world.add<Wide>(healths), ContractViolation);
      CHECK_THROWS_AS(world.remove<Health>(entities), ContractViolation);
    });
    int destroyed = 0;
    hooks->destroyed = [&](int) {
      ++destroyed;
      CHECK(!world.has<Hooked>(entities[0]));
      CHECK(world.has<Health>(entities[1]));
      CHECK(healths.count() == 2);
      CHECK(world.validate());
      world.commands().destroy(extra);
    };
    CHECK(world.remove<Hooked>(entities) == 2);
    CHECK(destroyed == 2);
    CHECK(!world.alive(extra));
    hooks->destroyed = nullptr;
  }
  TEST_CASE("observers are told of each entity") {
    World world;
    const Entity root = world.create(Health{1});
    const Entity child = world.create(child_of(root), Health{2});
    const Entities entities{root, child, root};
    Entities told;
    const Subscription added =
        world.observers().on_add<Wide>([&](Entity entity, auto&&...) { told.push_back(entity); });
    CHECK(world.add(entities, Wide(1)) == 2);
    CHECK(told == Entities{root, child});
    CHECK(world.remove<Wide>(world.query<With<Wide>>()) == 2);
    CHECK(world.destroy(entities) == 2);
    CHECK(world.size() == 0);
    CHECK(world.validate());
  }
  TEST_CASE(
      "what observers of many changes record is applied at the end, and the first exception comes then") {
    World world;
    Entities entities(3);
    world.create_many(entities, Health{1});
    const Subscription recording = world.observers().on_add<Wide>([&](Entity entity, auto&&...) {
      world.commands().add(entity, Health{2});
      CHECK(world.get<Health>(entities[0]).points == 1);
    });
    const Subscription throwing =
        world.observers().on_add<Wide>([](Entity) { throw std::runtime_error("first"); });
    CHECK_THROWS_WITH(world.add(entities, Wide(1)), "first");
    for (const Entity entity : entities) {
      CHECK(world.has<Wide>(entity));
      CHECK(world.get<Health>(entity).points == 2);
    }
  }
  TEST_CASE("a query of another world is refused") {
    World world;
    World other;
    other.create(Health{1});
    auto query = other.query<const Health>();
    CHECK_THROWS_AS(world.destroy(query), ContractViolation);
    CHECK_THROWS_AS(world.add<Wide>(query), ContractViolation);
    CHECK(other.size() == 1);
  }
  TEST_CASE("a value that is stored in the world may be given") {
    World world;
    Entities entities(100);
    world.create_many(entities, Counted(5));
    CHECK(world.add(entities, world.get<Counted>(entities[50])) == 100);
    world.add(entities[0], Wide(6));
    CHECK(world.add(entities, world.get<Wide>(entities[0])) == 100);
    for (const Entity entity : entities) CHECK(world.get<Wide>(entity) == Wide(6));
    CHECK(world.validate());
  }
  TEST_CASE("writes of tracked components are seen") {
    World world;
    Entities entities(10);
    world.create_many(entities, ByRow{1});
    auto query = world.query<const ByRow>();
    std::size_t seen = 0;
    const auto count = [&](const ByRow&) { ++seen; };
    query.changed<ByRow>().each(count);
    seen = 0;
    CHECK(world.add(std::span(entities).first(3), ByRow{2}) == 3);
    query.changed<ByRow>().each(count);
    CHECK(seen >= 3);
    seen = 0;
    CHECK(world.add<Frozen>(query) == 10);
    query.changed<ByRow>().each(count);
    CHECK(seen == 0);
  }
  TEST_CASE(
      "copies that an addition to many makes change nothing, and what they record is applied at its end") {
    for (const bool observed : {false, true}) {
      const HookScope hooks;
      World world;
      Entities entities(3);
      world.create_many(entities);
      Subscription added;
      if (observed) added = world.observers().on_add<Hooked>([](Entity) {});
      std::size_t copies = 0, refused = 0;
      hooks->copied = [&](int) {
        ++copies;
        refused += says(refusal([&] { world.create(); }), "add is under way");
        world.commands().create(Health{1});
      };
      CHECK(world.add(entities, Hooked(1)) == 3);
      CHECK(copies == 4);
      CHECK(refused == 4);
      CHECK(world.commands().empty());
      CHECK(world.query<const Health>().count() == 4);
      CHECK(world.validate());
    }
  }
  TEST_CASE("destructors of copies for many change nothing, and what they record is applied at its end") {
    for (const bool observed : {false, true}) {
      World world;
      Entities entities(3);
      world.create_many(entities);
      Subscription added;
      if (observed) added = world.observers().on_add<Ending>([](Entity) {});
      const Ending value;
      std::size_t ends = 0, refused = 0;
      Ending::ended = [&] {
        ++ends;
        refused += says(refusal([&] { world.create(); }), "add is under way");
        world.commands().create(Health{1});
      };
      CHECK(world.add(entities, value) == 3);
      Ending::ended = nullptr;
      CHECK(ends >= (observed ? 4 : 1));
      CHECK(refused == ends);
      CHECK(world.commands().empty());
      CHECK(world.query<const Health>().count() == ends);
      CHECK(world.validate());
    }
  }
  TEST_CASE("a copy that throws leaves everything as it was") {
    World world;
    Entities entities(30);
    world.create_many(entities, Health{1});
    for (std::size_t i = 0; i < 10; ++i) world.add(entities[i], Fragile(static_cast<int>(i)));
    for (std::size_t i = 5; i < 15; ++i) world.add(entities[i], SparseFragile(static_cast<int>(i)));
    const auto unchanged = [&] {
      const Outcome sound = world.validate();
      CHECK_MESSAGE(sound, sound.message());
      for (std::size_t i = 0; i < 30; ++i) {
        CHECK(world.has<Fragile>(entities[i]) == (i < 10));
        CHECK(world.has<SparseFragile>(entities[i]) == (i >= 5 && i < 15));
        if (i < 10) CHECK(number_in(world.get<Fragile>(entities[i])) == static_cast<int>(i));
      }
    };
    CHECK(sweep_throwing_copies([&] { world.add(entities, Fragile(50)); }, unchanged) == 31);
    for (std::size_t i = 10; i < 30; ++i) world.remove<Fragile>(entities[i]);
    for (std::size_t i = 0; i < 10; ++i) world.add(entities[i], Fragile(static_cast<int>(i)));
    CHECK(sweep_throwing_copies([&] { world.add(entities, SparseFragile(50)); }, unchanged) == 31);
  }
}

}  // namespace strata::test::bulk_operations_test
