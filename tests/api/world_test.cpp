#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "../support/failing_memory.hpp"
#include "typed_kinds.hpp"

namespace strata::test::world_test {

namespace {

bool mentions(const std::string& text, Entity entity) {
  return text.find(to_string(entity)) != std::string::npos;
}

const std::vector<Layout> kLayouts{Layout::per_parent, Layout::per_level, Layout::adaptive};

}  // namespace

TEST_SUITE("api/world") {
  TEST_CASE("an entity is created with its values, and they are read, replaced and removed") {
    World world;
    const Entity entity = world.create(Position{1, 2, 3}, SparseHealth{4});
    CHECK(world.get<Position>(entity) == Position{1, 2, 3});
    CHECK(world.get<SparseHealth>(entity).points == 4);
    CHECK(world.add(entity, Position{5, 6, 7}) == Position{5, 6, 7});
    world.set(entity, SparseHealth{8});
    CHECK(world.find<SparseHealth>(entity)->points == 8);
    CHECK(world.remove<Position>(entity));
    CHECK(!world.remove<Position>(entity));
    CHECK(!world.has<Position>(entity));
    CHECK(world.find<Position>(entity) == nullptr);
    CHECK(world.size() == 1);
  }
  TEST_CASE("an entity has several components if it has all of them") {
    World world;
    const Entity entity = world.create(Position{}, Frozen{}, SparseHealth{});
    const World& read = world;
    CHECK(read.has<Position, Frozen>(entity));
    CHECK(read.has<SparseHealth, Frozen, Position>(entity));
    CHECK_FALSE(read.has<Position, Velocity>(entity));
    CHECK_FALSE(read.has<Velocity, Position>(entity));
    world.destroy(entity);
    CHECK_FALSE(read.has<Position, Frozen>(entity));
  }
  TEST_CASE("a stale handle is answered where it may happen and refused where it is a bug") {
    World world;
    const Entity stale = world.create(Health{1});
    CHECK(world.destroy(stale));
    CHECK(!world.destroy(stale));
    CHECK(!world.alive(stale));
    CHECK(!world.has<Health>(stale));
    CHECK(world.find<Health>(stale) == nullptr);
    CHECK(!world.remove<Health>(stale));
    CHECK(!world.clear_parent(stale));
    CHECK(!world.parent(stale));
    CHECK(world.child_count(stale) == 0);
    CHECK_THROWS_AS((void)world.get<Health>(stale), ContractViolation);
    CHECK_THROWS_AS(world.add(stale, Health{1}), ContractViolation);
    CHECK_THROWS_AS(world.add(stale, SparseHealth{1}), ContractViolation);
    CHECK_THROWS_AS(world.set(stale, Health{1}), ContractViolation);
    CHECK_THROWS_AS(world.create(child_of(stale)), ContractViolation);
    CHECK(!world.set_parent(stale, world.create()));
  }
  TEST_CASE("a handle of a world with another number is stale, wherever it is used") {
    World other({.world_number = 1});
    for (const std::uint32_t number : {0u, 2u}) {
      CAPTURE(number);
      World world({.world_number = number});
      const Entity own = world.create(Health{1}, SparseHealth{2});
      const Entity foreign = other.create(Health{3}, SparseHealth{4});
      auto healths = world.accessor<Health>();
      auto sparse_healths = world.accessor<SparseHealth>();
      auto query = world.query<const Health>();
      CHECK(!world.alive(foreign));
      CHECK(!world.has<Health>(foreign));
      CHECK(world.find<Health>(foreign) == nullptr);
      CHECK(world.find<SparseHealth>(foreign) == nullptr);
      CHECK(healths.find(foreign) == nullptr);
      CHECK(sparse_healths.find(foreign) == nullptr);
      CHECK(!query.contains(foreign));
      CHECK(!world.remove<Health>(foreign));
      CHECK(!world.remove<SparseHealth>(foreign));
      CHECK(!world.destroy(foreign));
      CHECK(!world.create_at(number == 0 ? Entity() : foreign));
      CHECK(!world.set_parent(own, foreign));
      CHECK_THROWS_AS((void)world.get<Health>(foreign), ContractViolation);
      CHECK_THROWS_AS(world.add(foreign, SparseHealth{1}), ContractViolation);
      CHECK_THROWS_AS(world.create(child_of(foreign)), ContractViolation);
      CHECK(!other.alive(own));
      CHECK(world.get<Health>(own).points == 1);
      CHECK(world.validate());
    }
  }
  TEST_CASE("the world's number is no part of what it does: slots and order are the same") {
    World plain;
    World numbered({.world_number = 255});
    for (World* world : {&plain, &numbered}) {
      const Entity root = world->create(Health{0});
      for (int i = 1; i < 100; ++i) {
        const Entity child = world->create(child_of(root), Health{i});
        if (i % 3 == 0) world->destroy(child);
      }
    }
    std::vector<std::uint32_t> slots;
    plain.query<Entity>().each([&](Entity entity) { slots.push_back(entity.index()); });
    std::vector<std::uint32_t> numbered_slots;
    numbered.query<Entity>().each([&](Entity entity) { numbered_slots.push_back(entity.index()); });
    CHECK(slots == numbered_slots);
    CHECK(numbered.validate());
  }
  TEST_CASE("get and set of a component that is not there are refused with both names") {
    World world;
    const Entity entity = world.create();
    const auto message = [](auto call) {
      try {
        call();
      } catch (const ContractViolation& violation) {
        return std::string(violation.what());
      }
      return std::string();
    };
    for (const std::string& text :
         {message([&] { (void)world.get<Health>(entity); }), message([&] { world.set(entity, Health{1}); }),
          message([&] { (void)world.get<SparseHealth>(entity); })}) {
      CHECK(mentions(text, entity));
      CHECK(text.find("Health") != std::string::npos);
    }
  }
  TEST_CASE("a parent that would close a circle is refused with both names") {
    for (const Layout layout : kLayouts) {
      World world(WorldOptions{.layout = layout});
      const Entity top = world.create();
      const Entity middle = world.create(child_of(top));
      const Entity leaf = world.create(child_of(middle));
      for (const auto& [child, parent] :
           {std::pair(top, leaf), std::pair(top, top), std::pair(middle, leaf)}) {
        const Outcome outcome = world.set_parent(child, parent);
        CHECK(!outcome);
        CHECK(mentions(outcome.message(), child));
        CHECK(mentions(outcome.message(), parent));
      }
      CHECK(world.validate());
    }
  }
  TEST_CASE("children keep their order when one of them leaves") {
    World world;
    const Entity parent = world.create();
    std::vector<Entity> expected;
    for (int i = 0; i < 6; ++i) expected.push_back(world.create(child_of(parent)));
    world.destroy(expected[2]);
    expected.erase(expected.begin() + 2);
    world.clear_parent(expected[0]);
    expected.erase(expected.begin());
    std::vector<Entity> children;
    for (const Entity child : world.children(parent)) children.push_back(child);
    CHECK((children == expected));
  }
  TEST_CASE("roots and siblings are found on both sides") {
    World world;
    const Entity parent = world.create();
    const Entity other = world.create();
    const Entity first = world.create(child_of(parent));
    const Entity middle = world.create(child_of(parent));
    const Entity last = world.create(child_of(parent));
    CHECK(world.roots() == std::vector{parent, other});
    CHECK(world.next_sibling(first) == middle);
    CHECK(world.next_sibling(middle) == last);
    CHECK(!world.next_sibling(last));
    CHECK(world.previous_sibling(last) == middle);
    CHECK(!world.previous_sibling(first));
    CHECK((!world.next_sibling(parent) && !world.previous_sibling(other)));
    world.destroy(middle);
    CHECK(world.next_sibling(first) == last);
    CHECK(world.previous_sibling(last) == first);
    CHECK((!world.next_sibling(middle) && !world.previous_sibling(middle)));
    world.clear_parent(last);
    CHECK(world.roots() == std::vector{parent, other, last});
    CHECK(!world.next_sibling(first));
  }
  TEST_CASE("a chain of 50,000 is walked, moved and destroyed without recursion") {
    for (const Layout layout : kLayouts) {
      World world(WorldOptions{.layout = layout});
      const Entity top = world.create(Health{0});
      Entity last = top;
      for (int i = 1; i < 50'000; ++i) last = world.create(child_of(last), Health{i});
      CHECK(world.depth(last) == 49'999);
      int next = 0;
      world.query<const Health>().cascade().each(
          [&](const Health& health) { next += health.points == next; });
      CHECK(next == 50'000);
      const Entity root = world.create();
      CHECK(world.set_parent(top, root));
      CHECK(world.depth(last) == 50'000);
      CHECK(world.destroy(root));
      CHECK(world.size() == 0);
      CHECK(world.validate());
    }
  }
  TEST_CASE("a component described at run time is stored like any other") {
    World world;
    for (const Storage storage : {Storage::table, Storage::sparse}) {
      const ComponentId id = world.component({.name = storage == Storage::table ? "mass" : "heat",
                                              .size = sizeof(double),
                                              .alignment = alignof(double),
                                              .storage = storage});
      const Entity entity = world.create(Position{});
      double value = 1.5;
      CHECK(*static_cast<double*>(world.add(entity, id, &value)) == 1.5);
      CHECK(world.has(entity, id));
      CHECK(*static_cast<double*>(world.find(entity, id)) == 1.5);
      CHECK(world.remove(entity, id));
      CHECK(!world.has(entity, id));
      CHECK(world.validate());
    }
  }
  TEST_CASE("a handle is created where it was before, unless it is stale or taken") {
    World world;
    const Entity first = world.create();
    CHECK(!world.create_at(first));
    world.destroy(first);
    CHECK(!world.create_at(first));
    CHECK(!world.create_at(Entity()));
    CHECK(world.create_at(Entity(9, 4)));
    CHECK(world.alive(Entity(9, 4)));
    CHECK(world.create().index() != 9);
    CHECK(world.validate());
  }
  TEST_CASE("what was prepared for a world goes on after it is cleared") {
    const CountedScope scope;
    World world;
    auto healths = world.query<Entity, const Health>();
    auto spawner = world.spawner<Health, SparseHealth, Counted>();
    world.resources().set(Velocity{1, 2, 3});
    world.set_storage<Position>(Storage::sparse);
    const Entity root = spawner.create(Health{1}, SparseHealth{2}, Counted(3));
    world.create(child_of(root), Health{4}, Position{});
    world.set_layout(root, Layout::per_parent);
    const Entity recorded = world.commands().create(Health{5});
    world.commands().add(root, Health{6});
    CHECK(healths.count() == 2);
    CHECK(world.clear() == 2);
    CHECK(world.size() == 0);
    CHECK(healths.count() == 0);
    CHECK(world.pool<SparseHealth>().size() == 0);
    CHECK(world.roots().empty());
    world.flush();
    CHECK(world.alive(recorded));
    CHECK(world.clear() == 1);
    const Entity again = spawner.create(Health{7}, SparseHealth{8}, Counted(9));
    CHECK(!world.alive(root));
    CHECK(healths.first() == again);
    CHECK(world.child_count(again) == 0);
    CHECK(world.layout_below(again) == Layout::adaptive);
    CHECK(world.storage<Position>() == Storage::sparse);
    CHECK(world.resources().get<Velocity>().y == 2);
    CHECK(world.validate());
  }
  TEST_CASE("a destroyed handle is restored on purpose, and refused with the reason") {
    World world;
    const Entity parent = world.create(Health{1});
    const Entity child = world.create(child_of(parent), SparseHealth{2});
    world.destroy(parent);
    CHECK(world.restore(child));
    CHECK(world.restore(parent));
    CHECK(world.alive(parent));
    CHECK((!world.parent(child) && !world.has<Health>(parent) && !world.has<SparseHealth>(child)));
    world.add(parent, Health{3});
    CHECK(world.set_parent(child, parent));
    CHECK(world.get<Health>(parent).points == 3);
    CHECK(world.restore(parent).message() == "entity 0v1 cannot be restored: it is alive");
    world.destroy(child);
    const Entity reused = world.create();
    CHECK(world.restore(child).message() == "entity 1v1 cannot be restored: its slot is in use");
    CHECK(world.restore(Entity()).message() == "entity none cannot be restored: it was never issued");
    CHECK(world.restore(Entity(1, 3)).message() == "entity 1v3 cannot be restored: its slot is in use");
    CHECK(world.restore(Entity(70, 1)).message() == "entity 70v1 cannot be restored: it was never issued");
    world.destroy(reused);
    CHECK(world.restore(Entity(1, 3)).message() == "entity 1v3 cannot be restored: it was never issued");
    // The older handle takes the slot back, and the newer one is issued once more.
    CHECK(world.restore(child));
    world.destroy(child);
    CHECK(world.create() == reused);
    CHECK(world.validate());
  }
  TEST_CASE("a pool is sorted by what its entities hold") {
    World world;
    std::vector<Entity> entities;
    for (const int points : {3, 1, 2}) entities.push_back(world.create(SparseHealth{points}));
    world.pool<SparseHealth>().sort([&](Entity a, Entity b) {
      return world.get<SparseHealth>(a).points < world.get<SparseHealth>(b).points;
    });
    std::vector<int> visited;
    world.query<const SparseHealth>().each(
        [&](const SparseHealth& health) { visited.push_back(health.points); });
    CHECK((visited == std::vector{1, 2, 3}));
  }
  TEST_CASE("every structural change is refused while a query visits") {
    World world;
    const Entity entity = world.create(Health{1}, SparseHealth{1});
    const Entity other = world.create();
    world.query<Entity, const Health>().each([&](Entity visited, const Health&) {
      CHECK_THROWS_AS(world.create(), ContractViolation);
      CHECK_THROWS_AS(world.create(child_of(visited)), ContractViolation);
      CHECK_THROWS_AS((void)world.create_at(Entity(9, 9)), ContractViolation);
      CHECK_THROWS_AS(world.destroy(visited), ContractViolation);
      CHECK_THROWS_AS(world.add(visited, Velocity{}), ContractViolation);
      CHECK_THROWS_AS(world.add(visited, SparseOwner(1)), ContractViolation);
      CHECK_THROWS_AS(world.remove<Health>(visited), ContractViolation);
      CHECK_THROWS_AS(world.remove<SparseHealth>(visited), ContractViolation);
      CHECK_THROWS_AS((void)world.set_parent(visited, other), ContractViolation);
      CHECK_THROWS_AS(world.clear_parent(visited), ContractViolation);
      CHECK_THROWS_AS(world.flush(), ContractViolation);
      CHECK_THROWS_AS(world.pool<SparseHealth>().sort([](Entity a, Entity b) { return a < b; }),
                      ContractViolation);
      CHECK_NOTHROW(world.set(visited, Health{2}));
    });
    CHECK(world.get<Health>(entity).points == 2);
    CHECK(world.size() == 2);
    CHECK(world.validate());
  }
  TEST_CASE("the cascade of a temporary query holds that query") {
    World world;
    const Entity root = world.create(Health{1});
    world.create(child_of(root), Health{2});
    auto cascade = world.query<const Health>().cascade();
    std::vector<int> visited;
    cascade.each([&](const Health& health) { visited.push_back(health.points); });
    CHECK(visited == std::vector<int>{1, 2});
  }
  TEST_CASE("all memory comes from where the options say") {
    FailingMemory memory;
    for (const Layout layout : kLayouts) {
      std::pmr::memory_resource* before = std::pmr::set_default_resource(std::pmr::null_memory_resource());
      {
        World world(WorldOptions{.layout = layout, .memory = &memory});
        Entity parent = world.create(Health{1});
        for (int i = 0; i < 100; ++i) parent = world.create(child_of(parent), Health{i}, SparseOwner(i));
        world.commands().destroy(parent);
        world.query<Entity, const Health, Parent<const Health>>().cascade().each([](auto&&...) {});
      }
      std::pmr::set_default_resource(before);
      CHECK(memory.allocations() > 0);
      CHECK(memory.blocks() == 0);
      CHECK(memory.complaint().empty());
    }
  }
}

}  // namespace strata::test::world_test
