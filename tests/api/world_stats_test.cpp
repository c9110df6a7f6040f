#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <sstream>
#include <string>
#include <vector>

#include "../support/components.hpp"
#include "../support/failing_memory.hpp"

namespace strata::test::world_stats_test {

TEST_SUITE("api/world_stats") {
  TEST_CASE("an empty world has nothing") {
    const World world;
    const WorldStats stats = world.stats();
    CHECK(stats.entities == 0);
    CHECK(stats.rows == 0);
    CHECK(stats.unused_share() == 0);
    CHECK(stats.tables_per_row() == 0);
    CHECK(stats.memory.values == MemoryUse{});
  }
  TEST_CASE("counts entities, tables, blocks and rows, by archetype too") {
    World world({.layout = Layout::per_parent});
    const Entity parent = world.create(Position{});
    for (int i = 0; i < 3; ++i) world.create(child_of(parent), Position{}, Frozen{}, SparseHealth{i});
    world.destroy(world.create(Position{}));
    world.resources().set(3);
    const WorldStats stats = world.stats();
    CHECK(stats.entities == 4);
    CHECK(stats.slots == 5);
    CHECK(stats.archetypes == 3);  // With that of no components.
    CHECK(stats.tables == 2);
    CHECK(stats.blocks == 2);
    CHECK(stats.rows == 4);
    CHECK(stats.side_store_members == 3);
    CHECK(stats.resources == 1);
    CHECK(stats.tables_per_row() == 0.5);
    const WorldStats::Archetype& tagged = stats.by_archetype[2];
    CHECK(tagged.components == std::vector<std::string>{"strata::test::Position", "strata::test::Frozen"});
    CHECK(tagged.rows == 3);
    CHECK(tagged.tables == 1);
    CHECK(tagged.fill() == doctest::Approx(3.0 / static_cast<double>(tagged.capacity)));
    CHECK(stats.unused_share() == doctest::Approx(1 - 4.0 / static_cast<double>(stats.capacity)));
  }
  TEST_CASE("the parts of the memory are what was taken from it") {
    FailingMemory memory;
    World world({.layout = Layout::per_level, .memory = &memory});
    const Entity root = world.create(Position{}, Velocity{});
    for (int i = 0; i < 2000; ++i)
      world.create(child_of(i % 7 == 0 ? root : Entity(1, 1)), Position{}, SparseHealth{i});
    world.create_many(30'000, Position{}, Velocity{});
    world.query<Position, Parent<const Position>>().cascade().each([](Position&, const Position*) {});
    const WorldStats::Memory parts = world.stats().memory;
    // Blocks and caches, and nothing else, come from the pool.
    CHECK(parts.values.reserved + parts.block_headers.reserved + parts.caches.reserved ==
          detail::parts_of(world).store.pool().bytes_in_use());
    CHECK(parts.caches.used != 0);
    const MemoryUse total = parts.total();
    CHECK(total.used <= total.reserved);
    CHECK(total.reserved <= memory.bytes());
    CHECK(total.reserved > memory.bytes() - memory.bytes() / 50);
    CHECK(parts.slots.used == world.size() * 16);
    CHECK(parts.values.used == 30'001 * (12 + 12 + 8) + 2000 * (12 + 8));
  }
  TEST_CASE("the memory of many archetypes and layers is counted, and in proportion to them") {
    for (const bool layered : {false, true}) {
      FailingMemory memory;
      World world({.memory = &memory});
      const std::size_t before = memory.bytes();
      const Entity entity = world.create(Position{});
      for (int i = 1; i <= 4000; ++i) {
        if (layered) {
          world.set_layer(entity, i);
        } else {
          const ComponentId tag = world.component({.name = "tag " + std::to_string(i)});
          world.add(world.create(Position{}), tag, nullptr);
        }
      }
      CHECK((memory.bytes() - before) / 4000 < 2048);
      const MemoryUse total = world.stats().memory.total();
      CHECK(total.reserved <= memory.bytes());
      CHECK(total.reserved > memory.bytes() - memory.bytes() / 20);
    }
  }
  TEST_CASE("components that come and go at the end of a deep chain leave little behind") {
    for (const Layout layout : {Layout::per_level, Layout::per_parent}) {
      FailingMemory memory;
      World world({.layout = layout, .memory = &memory});
      Entity node = world.create(Position{});
      for (int depth = 0; depth < 2000; ++depth) node = world.create(child_of(node), Position{});
      const std::size_t before = memory.bytes();
      for (int i = 0; i < 200; ++i) {
        const ComponentId tag = world.component({.name = "tag " + std::to_string(i)});
        world.add(node, tag, nullptr);
        world.remove(node, tag);
      }
      CHECK((memory.bytes() - before) / 200 < 2048);
      const MemoryUse total = world.stats().memory.total();
      CHECK(total.reserved <= memory.bytes());
      CHECK(total.reserved > memory.bytes() - memory.bytes() / 20);
    }
  }
  TEST_CASE("the memory of many small tables is counted with their lists") {
    FailingMemory memory;
    World world({.layout = Layout::per_parent, .memory = &memory});
    for (int i = 0; i < 3000; ++i) world.create(child_of(world.create(Position{})), Position{});
    CHECK(world.stats().tables > 3000);
    const WorldStats::Memory parts = world.stats().memory;
    // A pointer for each in the list of its rank.
    CHECK(parts.tables.used >
          3000 * (sizeof(detail::Table) + sizeof(detail::Branch) + sizeof(detail::Block*)));
    CHECK(parts.total().reserved <= memory.bytes());
    CHECK(parts.total().reserved > memory.bytes() - memory.bytes() / 50);
  }
  TEST_CASE("queries add up what they did") {
    World world({.layout = Layout::per_level});
    auto cascade = world.query<Position, Parent<const Position>>();
    auto positions = world.query<const Position>();
    CHECK(world.stats().query_costs.archetypes_seen == 0);
    const Entity root = world.create(Position{});
    for (int i = 0; i < 10; ++i) world.create(child_of(root), Position{});
    world.create(Velocity{});
    for (int i = 0; i < 2; ++i) {
      CHECK(positions.count() == 11);
      cascade.cascade().each([](Position&, const Position*) {});
      const WorldStats::QueryCosts costs = world.stats().query_costs;
      CHECK(costs.archetypes_seen == 2);
      CHECK(costs.archetypes_matched == 2);
      CHECK(costs.patches == 1);
      CHECK(costs.patched_rows == 10);
    }
    world.create(child_of(root), Position{});
    cascade.cascade().each([](Position&, const Position*) {});
    CHECK(world.stats().query_costs.patches == 2);
    CHECK(world.stats().query_costs.patched_rows == 21);
  }
  TEST_CASE("can be read as text") {
    World world;
    for (int i = 0; i < 5; ++i) world.create(Position{}, Frozen{});
    std::ostringstream out;
    out << world.stats();
    const std::string text = out.str();
    CHECK(text == describe(world.stats()));
    CHECK(text.starts_with(
        "5 entities in 5 slots, 3 archetypes, 1 table, 1 block, 0 side-store members, 0 resources\n"));
    CHECK(text.find("\n  slots: 80 B used of ") != std::string::npos);
    CHECK(text.find("\narchetype [strata::test::Position, strata::test::Frozen]: 5 rows in 1 table and 1 "
                    "block, filled to ") != std::string::npos);
    CHECK(text.find("\nqueries: looked at 0 archetypes, matched 0; patched 0 blocks of 0 rows\n") !=
          std::string::npos);
  }
}

}  // namespace strata::test::world_stats_test
