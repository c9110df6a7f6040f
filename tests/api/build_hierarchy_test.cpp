#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "../support/failing_memory.hpp"
#include "../support/fragile.hpp"
#include "../support/values.hpp"

namespace strata::test::build_hierarchy_test {

namespace {

const std::vector<Layout> kLayouts{Layout::per_parent, Layout::per_level, Layout::adaptive};
// 3 and 5 are roots; parents come after their children.
const std::vector<std::uint32_t> kParents{3, 3, 0, kNoParent, 3, kNoParent, 2, 5, 0};

template <class T>
std::vector<T> numbered(std::size_t count) {
  std::vector<T> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(make_value<T>(static_cast<int>(i)));
  return values;
}

std::vector<Entity> children_of(const World& world, Entity entity) {
  const auto children = world.children(entity);
  return {children.begin(), children.end()};
}

/// Leaves so many slots to be recycled.
void leave_holes(World& world, std::size_t count) {
  std::vector<Entity> entities;
  for (std::size_t i = 0; i < count; ++i) entities.push_back(world.create());
  for (const Entity entity : entities) world.destroy(entity);
}

/// Calls `sweep` on a world with a family, where the build fails at each step in turn, and checks that
/// nothing stays of it.
template <class Sweep>
void check_nothing_left(Layout layout, std::size_t holes, Sweep sweep) {
  const CountedScope scope;
  FailingMemory memory;
  {
    World world(WorldOptions{.layout = layout, .memory = &memory});
    const Entity above = world.create(SparseCounted{1});
    world.create(child_of(above), Counted{2});
    leave_holes(world, holes);
    const auto unchanged = [&] {
      const Outcome sound = world.validate();
      CHECK_MESSAGE(sound, sound.message());
      CHECK(world.size() == 2);
      CHECK(world.child_count(above) == 1);
    };
    sweep(world, memory, above, unchanged);
    CHECK(world.size() == 2 + kParents.size());
    const Outcome sound = world.validate();
    CHECK_MESSAGE(sound, sound.message());
  }
  CHECK(memory.blocks() == 0);
  CHECK(memory.complaint().empty());
  CHECK(scope.clean());
}

template <class Sweep>
void check_nothing_left(Sweep sweep) {
  for (const Layout layout : kLayouts) {
    for (const std::size_t holes : {0u, 4u, 20u}) check_nothing_left(layout, holes, sweep);
  }
}

}  // namespace

TEST_SUITE("api/build_hierarchy") {
  TEST_CASE("a forest is built from parents and columns, in any order of nodes") {
    for (const Layout layout : kLayouts) {
      World world(WorldOptions{.layout = layout});
      const std::vector<Health> healths = numbered<Health>(9);
      const std::array<SparseHealth, 9> sparse{SparseHealth{90}};
      const std::vector<Frozen> tags(9);
      const BuiltHierarchy built =
          world.build_hierarchy(kParents, healths, sparse, std::span(tags), std::vector<SparseFrozen>(9));
      REQUIRE(built.outcome);
      const std::vector<Entity>& e = built.entities;
      REQUIRE(e.size() == 9);
      for (std::size_t i = 0; i < 9; ++i) {
        CHECK(world.get<Health>(e[i]).points == static_cast<int>(i));
        CHECK(world.get<SparseHealth>(e[i]).points == (i == 0 ? 90 : 0));
        CHECK(world.has<Frozen>(e[i]));
        CHECK(world.has<SparseFrozen>(e[i]));
        CHECK(world.parent(e[i]) == (kParents[i] == kNoParent ? Entity() : e[kParents[i]]));
      }
      CHECK(children_of(world, e[3]) == std::vector{e[0], e[1], e[4]});
      CHECK(world.depth(e[6]) == 3);
      CHECK(world.validate());
    }
  }
  TEST_CASE("a forest goes below an existing parent, behind its children") {
    for (const Layout layout : kLayouts) {
      World world(WorldOptions{.layout = layout});
      const Entity above = world.create(child_of(world.create()));
      const Entity first = world.create(child_of(above));
      const BuiltHierarchy built = world.build_hierarchy(child_of(above), kParents, numbered<Wide>(9));
      REQUIRE(built.outcome);
      CHECK(children_of(world, above) == std::vector{first, built.entities[3], built.entities[5]});
      CHECK(world.depth(built.entities[6]) == 5);
      CHECK(world.get<Wide>(built.entities[8]) == Wide(8));
      CHECK(world.validate());
      CHECK_THROWS_AS((void)world.build_hierarchy(child_of(Entity()), kParents), ContractViolation);
    }
  }
  TEST_CASE("a forest takes recycled slots first, and new ones for the rest") {
    for (const Layout layout : kLayouts) {
      for (const std::size_t holes : {1u, 4u, 9u}) {
        World world(WorldOptions{.layout = layout});
        const Entity above = world.create();
        leave_holes(world, holes);
        const BuiltHierarchy built = world.build_hierarchy(child_of(above), kParents, numbered<Wide>(9));
        std::uint32_t highest = 0;
        for (std::size_t i = 0; i < 9; ++i) {
          const Entity entity = built.entities[i];
          CHECK(world.get<Wide>(entity) == make_value<Wide>(static_cast<int>(i)));
          CHECK(world.parent(entity) == (kParents[i] == kNoParent ? above : built.entities[kParents[i]]));
          highest = std::max(highest, entity.index());
        }
        CHECK(highest == above.index() + 9);
        CHECK(world.validate());
        CHECK(world.create().index() == highest + 1);
      }
    }
  }
  TEST_CASE("no nodes and no columns are fine") {
    World world;
    CHECK(world.build_hierarchy({}).outcome);
    CHECK(world.build_hierarchy({}, std::vector<Health>()).entities.empty());
    CHECK(world.build_hierarchy(kParents).entities.size() == 9);
    CHECK(world.size() == 9);
    CHECK(world.validate());
  }
  TEST_CASE("what is no forest is refused in a sentence, and nothing is created") {
    World world;
    const std::vector<std::uint32_t> missing{kNoParent, 0, 7};
    CHECK(world.build_hierarchy(missing).outcome.message() ==
          "node 2: its parent 7 is not one of the 3 nodes");
    const std::vector<std::uint32_t> own{kNoParent, 1};
    CHECK(world.build_hierarchy(own).outcome.message() == "node 1 is its own parent");
    const std::vector<std::uint32_t> cycle{kNoParent, 2, 1};
    CHECK(world.build_hierarchy(cycle).outcome.message() ==
          "nodes 1, 2 form a cycle of 2: each is followed by its parent, the last by node 1");
    CHECK(world.build_hierarchy(kParents, numbered<Health>(8)).outcome.message() ==
          "the column of \"strata::test::Health\" has 8 values for 9 nodes");
    CHECK(world.build_hierarchy(kParents, std::vector<SparseFrozen>(10)).outcome.message() ==
          "the column of \"strata::test::SparseFrozen\" has 10 values for 9 nodes");
    CHECK(world.size() == 0);
    CHECK(world.validate());
  }
  TEST_CASE("more nodes than there are slots is a contract") {
    World world(WorldOptions{.max_entities = 8});
    CHECK_THROWS_AS((void)world.build_hierarchy(kParents), ContractViolation);
    CHECK(world.size() == 0);
    CHECK(world.validate());
  }
  TEST_CASE("out of memory leaves nothing behind") {
    check_nothing_left([](World& world, FailingMemory& memory, Entity above, auto unchanged) {
      const std::vector<Counted> counted = numbered<Counted>(9);
      const std::vector<SparseCounted> sparse = numbered<SparseCounted>(9);
      const std::vector<SparseHealth> healths(9);
      const std::vector<Huge> huges = numbered<Huge>(9);
      const std::vector<SparseFrozen> tags(9);
      const std::size_t failures = sweep_out_of_memory(
          memory,
          [&] {
            (void)world.build_hierarchy(child_of(above), kParents, counted, sparse, healths, huges, tags);
          },
          unchanged);
      CHECK(failures > 10);
    });
  }
  TEST_CASE("a copy that throws leaves nothing behind") {
    check_nothing_left([](World& world, FailingMemory&, Entity above, auto unchanged) {
      const std::vector<Fragile> fragile = numbered<Fragile>(9);
      const std::vector<Counted> counted = numbered<Counted>(9);
      const std::vector<SparseFragile> sparse = numbered<SparseFragile>(9);
      const std::vector<SparseHealth> healths(9);
      const std::size_t failures = sweep_throwing_copies(
          [&] { (void)world.build_hierarchy(child_of(above), kParents, healths, counted, fragile, sparse); },
          unchanged);
      CHECK(failures == 18);
    });
  }
}

}  // namespace strata::test::build_hierarchy_test
