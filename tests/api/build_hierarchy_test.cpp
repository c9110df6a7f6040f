#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <algorithm>
#include <array>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "../support/failing_memory.hpp"
#include "../support/fragile.hpp"
#include "../support/hooked.hpp"
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
  TEST_CASE("columns are made by a function or are one value for all, in the order of nodes") {
    // Depth first, so that nodes are created in another order; and breadth first.
    const std::vector<std::uint32_t> by_level{kNoParent, kNoParent, 0, 0, 1, 2};
    for (const std::vector<std::uint32_t>& parents : {kParents, by_level}) {
      for (const Layout layout : kLayouts) {
        const CountedScope scope;
        World world(WorldOptions{.layout = layout});
        std::vector<Entity> entities(parents.size());
        const Outcome built = world.build_hierarchy(
            entities, parents, [](std::uint32_t node) { return Counted(static_cast<int>(node)); }, Health{7},
            Frozen{}, [](std::uint32_t node) { return SparseHealth{static_cast<int>(node) * 2}; },
            SparseCounted(5), [](std::uint32_t) { return SparseFrozen{}; });
        REQUIRE(built);
        for (std::size_t i = 0; i < parents.size(); ++i) {
          const Entity entity = entities[i];
          CHECK(world.get<Counted>(entity).value() == static_cast<int>(i));
          CHECK(world.get<Health>(entity).points == 7);
          CHECK(world.get<SparseHealth>(entity).points == static_cast<int>(i) * 2);
          CHECK(world.get<SparseCounted>(entity).value() == 5);
          CHECK((world.has<Frozen>(entity) && world.has<SparseFrozen>(entity)));
          CHECK(world.parent(entity) == (parents[i] == kNoParent ? Entity() : entities[parents[i]]));
        }
        CHECK(world.validate());
      }
    }
  }
  TEST_CASE(
      "a forest is built into a span, below a parent or not, and the span has an element for each node") {
    World world;
    std::array<Entity, 9> entities;
    const Entity above = world.create(Health{4});
    const auto points = [&](std::uint32_t node) {
      return Health{world.get<Health>(above).points + static_cast<int>(node)};
    };
    REQUIRE(world.build_hierarchy(child_of(above), entities, kParents, points));
    CHECK(children_of(world, above) == std::vector{entities[3], entities[5]});
    CHECK(world.get<Health>(entities[8]).points == 12);
    CHECK(world.build_hierarchy(std::span(entities).first(8), kParents).message() ==
          "the span for the entities has 8 elements for 9 nodes");
    CHECK(world.size() == 10);
    // A value that is stored in the world is copied before rows move.
    REQUIRE(world.build_hierarchy(entities, kParents, world.get<Health>(above)));
    CHECK(world.get<Health>(entities[0]).points == 4);
    CHECK(world.validate());
  }
  TEST_CASE("a function that makes values may read and record, and makes no structural change") {
    World world;
    const Entity other = world.create(Health{1});
    const auto refused = [&](std::uint32_t) {
      world.destroy(other);
      return Health{};
    };
    CHECK_THROWS_AS((void)world.build_hierarchy(kParents, refused), ContractViolation);
    CHECK(world.size() == 1);
    const auto records = [&](std::uint32_t node) {
      if (node == 4) world.commands().destroy(other);
      return Health{2};
    };
    CHECK(world.build_hierarchy(kParents, records).outcome);
    CHECK(!world.alive(other));
    const auto asks = [&](std::uint32_t) { return Health{static_cast<int>(world.roots().size())}; };
    CHECK_THROWS_AS((void)world.build_hierarchy(kParents, asks), ContractViolation);
    CHECK(world.size() == 9);
    CHECK(world.validate());
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
  TEST_CASE("out of memory while columns are made by functions leaves nothing behind") {
    check_nothing_left([](World& world, FailingMemory& memory, Entity above, auto unchanged) {
      std::vector<Entity> entities(kParents.size());
      const auto make = [](std::uint32_t node) { return Counted(static_cast<int>(node)); };
      const std::size_t failures = sweep_out_of_memory(
          memory,
          [&] {
            (void)world.build_hierarchy(child_of(above), entities, kParents, make, SparseCounted(1), Huge(2));
          },
          unchanged);
      CHECK(failures > 5);
    });
  }
  TEST_CASE("a function that throws leaves nothing behind") {
    check_nothing_left([](World& world, FailingMemory&, Entity above, auto unchanged) {
      for (int calls = 0; calls < 18; ++calls) {
        int left = calls;
        const auto count_down = [&left] {
          if (left-- == 0) throw std::runtime_error("no more values");
        };
        CHECK_THROWS_AS((void)world.build_hierarchy(
                            child_of(above), kParents, Wide(1),
                            [&](std::uint32_t) {
                              count_down();
                              return Counted(1);
                            },
                            [&](std::uint32_t) {
                              count_down();
                              return SparseCounted(1);
                            }),
                        std::runtime_error);
        unchanged();
      }
      CHECK(world.build_hierarchy(child_of(above), kParents).outcome);
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

  TEST_CASE("code that makes or copies values does not find the new entities") {
    HookScope hooks;
    World world;
    std::array<Entity, 9> made;
    int looks = 0;
    bool found = false;
    const auto look = [&] {
      ++looks;
      for (const Entity entity : made)
        found = found || world.alive(entity) || world.find<Health>(entity) != nullptr;
    };
    const auto make = [&](std::uint32_t) {
      look();
      return Wide(1);
    };
    REQUIRE(world.build_hierarchy(made, kParents, make, Health{2}));
    CHECK(looks == 9);
    CHECK(world.get<Health>(made[8]).points == 2);
    const std::vector<SparseHooked> hooked(9, SparseHooked(4));
    made = {};
    hooks->copied = [&](int) { look(); };
    REQUIRE(world.build_hierarchy(made, kParents, hooked, Health{3}));
    hooks->copied = nullptr;
    CHECK(looks == 18);
    CHECK(world.get<Health>(made[8]).points == 3);
    made = {};
    const auto fails = [&](std::uint32_t node) {
      look();
      if (node == 5) throw std::runtime_error("no more values");
      return SparseHealth{};
    };
    CHECK_THROWS_AS((void)world.build_hierarchy(made, kParents, Health{5}, fails), std::runtime_error);
    CHECK(looks > 18);
    CHECK_FALSE(found);
    CHECK(world.size() == 18);
    CHECK(world.validate());
  }
}

}  // namespace strata::test::build_hierarchy_test
