#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <cstdint>
#include <span>
#include <vector>

#include "../support/components.hpp"

namespace strata::test::seed_example_test {

namespace {

/// Two parents with a child each, and a grandchild.
struct Families {
  explicit Families(Layout layout) : world(WorldOptions{.layout = layout}) {}

  World world;
  Entity p1 = world.create(Position{1, 0, 0});
  Entity p2 = world.create(Position{2, 0, 0});
  Entity c1 = world.create(child_of(p1), Position{3, 0, 0});
  Entity c2 = world.create(child_of(p2), Position{4, 0, 0});
  Entity g = world.create(child_of(c2), Position{5, 0, 0});
  Query<Entity, const Position> positions = world.query<Entity, const Position>();

  struct Visit {
    std::uint32_t depth;
    std::vector<Entity> entities;
    friend bool operator==(const Visit&, const Visit&) = default;
  };

  /// Returns: the tables in the order in which a cascade visits them.
  std::vector<Visit> visits() {
    std::vector<Visit> tables;
    positions.cascade().each_block([&](std::span<const Entity> entities, std::span<const Position>) {
      tables.push_back({world.depth(entities.front()), {entities.begin(), entities.end()}});
    });
    return tables;
  }
};

}  // namespace

TEST_SUITE("api/seed_example") {
  TEST_CASE("per_parent keeps a table per family, visited by depth 0, 1, 1, 2") {
    Families f(Layout::per_parent);
    CHECK(f.world.stats().tables == 4);
    const std::vector<Families::Visit> expected{{0, {f.p1, f.p2}}, {1, {f.c1}}, {1, {f.c2}}, {2, {f.g}}};
    CHECK((f.visits() == expected));
  }
  TEST_CASE("per_level keeps a table per depth") {
    Families f(Layout::per_level);
    CHECK(f.world.stats().tables == 3);
    const std::vector<Families::Visit> expected{{0, {f.p1, f.p2}}, {1, {f.c1, f.c2}}, {2, {f.g}}};
    CHECK((f.visits() == expected));
  }
  TEST_CASE("no table is created and nothing re-ordered when children come and go") {
    for (const Layout layout : {Layout::per_parent, Layout::per_level}) {
      Families f(layout);
      const std::vector<Families::Visit> before = f.visits();
      const WorldStats stats = f.world.stats();
      std::vector<Entity> further;
      for (int i = 0; i < 10; ++i) further.push_back(f.world.create(child_of(f.p1), Position{}));
      CHECK(f.world.stats().tables == stats.tables);
      CHECK(f.positions.count() == 15);
      for (const Entity child : further) f.world.destroy(child);
      CHECK(f.world.stats().tables == stats.tables);
      CHECK((f.visits() == before));
    }
  }
}

}  // namespace strata::test::seed_example_test
