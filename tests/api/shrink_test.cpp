#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <string>
#include <vector>

#include "../support/components.hpp"
#include "../support/failing_memory.hpp"

namespace strata::test::shrink_test {

namespace {

/// A world that was large once: a forest of many families with something of most kinds, of which little is left.
struct Fixture {
  FailingMemory memory;
  std::vector<Entity> kept;
  std::vector<Entity> gone;

  /// Keeps one of the first `among` families for each `distance`.
  void fill(World& world, int distance = 50, int among = 1000) {
    for (int i = 0; i < 2000; ++i) {
      const Entity root = world.create(Position{static_cast<float>(i), 0, 0}, SparseHealth{i});
      std::vector<Entity>& list = i < among && i % distance == 0 ? kept : gone;
      list.push_back(root);
      for (int child = 0; child < 5; ++child) {
        list.push_back(world.create(child_of(root), Health{child}, SparseCounted(child)));
        if (child == 2) world.add(list.back(), Frozen{});
      }
    }
    world.create_many(50'000, Position{}, Velocity{});
  }

  void empty(World& world) {
    for (const Entity entity : gone) world.destroy(entity);
    std::vector<Entity> others;
    world.query<Entity, const Velocity>().each(
        [&](Entity entity, const Velocity&) { others.push_back(entity); });
    for (const Entity entity : others) world.destroy(entity);
    gone.insert(gone.end(), others.begin(), others.end());
  }

  std::string seen(World& world) const {
    std::string text;
    for (const Entity entity : kept) {
      text += to_string(entity) + ' ' + to_string(world.parent(entity)) + ' ';
      if (const Health* health = world.find<Health>(entity)) text += std::to_string(health->points);
      if (const auto* counted = world.find<SparseCounted>(entity))
        text += ' ' + std::to_string(counted->value());
    }
    world.query<Entity>().cascade().each([&](Entity entity) { text += ' ' + to_string(entity); });
    return text;
  }
};

}  // namespace

TEST_SUITE("api/shrink") {
  TEST_CASE("what a large world took goes back, and what is left stays as it is") {
    for (const Layout layout : {Layout::per_parent, Layout::per_level, Layout::adaptive}) {
      Fixture f;
      {
        World world({.layout = layout, .memory = &f.memory});
        f.fill(world, 1, 20);  // What lies between things that stay cannot go back.
        const std::size_t full = f.memory.bytes();
        f.empty(world);
        const std::string before = f.seen(world);
        const std::size_t emptied = f.memory.bytes();
        CHECK(world.shrink());
        const std::size_t shrunk = f.memory.bytes();
        CAPTURE(full);
        CAPTURE(emptied);
        CAPTURE(shrunk);
        // Slots stay: they know which handles are stale.
        const std::size_t slots = world.stats().memory.slots.reserved;
        CHECK(slots == world.stats().slots * 16);
        CHECK(shrunk - slots < full / 10);
        CHECK(shrunk - slots < emptied / 4);
        CHECK(world.stats().memory.pool_spare < 40'000);
        CHECK(f.seen(world) == before);
        for (const Entity entity : f.gone) CHECK(!world.alive(entity));
        CHECK(world.validate());
        f.kept.clear();
        f.fill(world);
        CHECK(world.validate());
        for (const Entity entity : f.gone) {
          if (world.alive(entity) && entity.generation() == 1) FAIL("a stale handle came back");
        }
      }
      CHECK(f.memory.blocks() == 0);
      CHECK(f.memory.complaint().empty());
    }
  }
  TEST_CASE("an emptied world keeps its slots and little else") {
    FailingMemory memory;
    World world({.memory = &memory});
    std::vector<Entity> entities(100'000);
    world.create_many(entities, Position{}, Velocity{}, SparseHealth{});
    CHECK(memory.bytes() > 5'000'000);
    for (const Entity entity : entities) world.destroy(entity);
    CHECK(world.shrink());
    CHECK(memory.bytes() < 100'000 * 16 + 100'000);
    CHECK(world.stats().blocks == 0);
    CHECK(world.stats().memory.pool_spare == 0);
  }
  TEST_CASE("slots that were made for a far handle and never used go back") {
    FailingMemory memory;
    World world({.memory = &memory});
    const Entity far(100'000, 1);
    CHECK(world.create_at(far));
    world.shrink();
    CHECK(world.alive(far));
    CHECK(world.stats().slots == 100'001);
    world.destroy(far);
    world.shrink();
    CHECK(world.stats().slots == 100'001);  // The last one must not be forgotten.
    CHECK(!world.create_at(far));

    World other({.memory = &memory});
    CHECK(other.create_at(Entity(5, 1)));
    CHECK(!other.create_at(Entity(5, 1)));
    CHECK(other.stats().slots == 6);
    other.shrink();
    CHECK(other.stats().slots == 6);
  }
  TEST_CASE("lists of pairs that are gone go back") {
    struct Knows {};
    FailingMemory memory;
    World world({.memory = &memory});
    std::vector<Entity> entities(2000);
    world.create_many(std::span(entities), Position{});
    // From here on, the world knows the relation. Its tables of types stay, and have room for all types of the program.
    world.relations().add<Knows>(entities[0], entities[1]);
    world.relations().remove_sources<Knows>(entities[1]);
    world.shrink();
    const std::size_t before = memory.bytes();
    for (const std::size_t target : {0u, 1u}) {
      for (std::size_t i = 2; i < entities.size(); ++i)
        world.relations().add<Knows>(entities[i], entities[target]);
      world.relations().remove_sources<Knows>(entities[target]);
    }
    CHECK(memory.bytes() > before + 40'000);
    world.shrink();
    CHECK(memory.bytes() < before + 4'000);
    CHECK(world.validate());
  }

  TEST_CASE("stops when it is told to, and goes on where it was") {
    Fixture f;
    World world({.layout = Layout::per_parent, .memory = &f.memory});
    f.fill(world);
    f.empty(world);
    const std::size_t before = f.memory.bytes();
    int calls = 1;
    std::size_t last = before;
    while (!world.shrink([] { return false; })) {
      ++calls;
      CHECK(f.memory.bytes() <= last + 10'000);
      CHECK(world.validate());
      if (calls % 5 == 0 && calls < 20) world.destroy(world.create(child_of(f.kept.front()), Health{}));
      last = f.memory.bytes();
    }
    CHECK(calls > 10);
    CHECK(last < before);
    int asked = 0;
    CHECK(world.shrink([&] { return ++asked != 0; }));
    CHECK(asked > 5);
  }
  TEST_CASE("is refused while a query iterates, and so by what it asks") {
    World world;
    world.create(Health{});
    world.query<Health>().each([&](Health&) { CHECK_THROWS_AS(world.shrink(), ContractViolation); });
    CHECK(world.shrink());
  }
  TEST_CASE("pointers into tables of several blocks and into the side store stay") {
    World world;
    std::vector<Entity> entities(80'000);
    world.create_many(entities, Position{1, 2, 3}, SparseHealth{4});
    const Position* const position = world.find<Position>(entities[36'000]);
    const SparseHealth* const health = world.find<SparseHealth>(entities[36'000]);
    for (std::size_t i = 48'000; i < entities.size(); ++i) world.destroy(entities[i]);
    world.shrink();
    CHECK(world.find<Position>(entities[36'000]) == position);
    CHECK(world.find<SparseHealth>(entities[36'000]) == health);
  }
  TEST_CASE("a cascade after it finds the parents' values") {
    for (const Layout layout : {Layout::per_parent, Layout::per_level, Layout::adaptive}) {
      Fixture f;
      World world({.layout = layout, .memory = &f.memory});
      f.fill(world);
      auto healths = world.query<Entity, const Health, Parent<const Position>>();
      const auto check = [&] {
        std::size_t wrong = 0;
        healths.cascade().each([&](Entity entity, const Health&, const Position* parent) {
          const Position* const expected = world.find<Position>(world.parent(entity));
          wrong += parent == nullptr || expected == nullptr || *parent != *expected ? 1 : 0;
        });
        CHECK(wrong == 0);
      };
      check();
      f.empty(world);
      check();
      world.shrink();
      check();
      CHECK(world.validate());
    }
  }
}

}  // namespace strata::test::shrink_test
