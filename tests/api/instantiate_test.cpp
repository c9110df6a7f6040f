#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "../support/described.hpp"
#include "../support/failing_memory.hpp"
#include "../support/fragile.hpp"
#include "../support/values.hpp"

namespace strata::test::instantiate_test {

namespace {

const std::vector<Layout> kLayouts{Layout::per_parent, Layout::per_level, Layout::adaptive};

/// Refers to an entity, and throws instead of following it if so asked.
struct Aim {
  Entity at;
  static inline bool broken = false;
};
void remap_entities(Aim& aim, const EntityMap& map) {
  if (Aim::broken) throw Broken();
  aim.at = map(aim.at);
}

std::vector<Entity> children_of(const World& world, Entity entity) {
  const auto children = world.children(entity);
  return {children.begin(), children.end()};
}

/// A turret: a base with a barrel and a sight, which aims at the barrel and at something outside.
struct Turret {
  Entity outside;
  Entity base;
  Entity barrel;
  Entity sight;

  explicit Turret(World& world) {
    outside = world.create();
    base = world.create(Health{1}, SparseCounted{10});
    barrel = world.create(child_of(base), Health{2}, Wide(20), Aim{outside});
    sight = world.create(child_of(base), Health{3}, Counted{30}, SparseFrozen{}, Aim{barrel});
  }
};

/// Calls `sweep` on a world with a turret, where the copy fails at each step in turn, and checks that nothing
/// stays of it.
template <class Sweep>
void check_nothing_left(Sweep sweep) {
  for (const Layout layout : kLayouts) {
    const CountedScope scope;
    FailingMemory memory;
    {
      World world(WorldOptions{.layout = layout, .memory = &memory});
      const Turret turret(world);
      world.add(turret.base, Fragile(1));
      world.add(turret.sight, Fragile(2));
      world.add(turret.sight, SparseFragile(3));
      const auto unchanged = [&] {
        const Outcome sound = world.validate();
        CHECK_MESSAGE(sound, sound.message());
        CHECK(world.size() == 4);
        CHECK(world.child_count(turret.barrel) == 0);
      };
      sweep(world, memory, turret, unchanged);
      CHECK(world.size() == 4 + 9);
      const Outcome sound = world.validate();
      CHECK_MESSAGE(sound, sound.message());
    }
    CHECK(memory.blocks() == 0);
    CHECK(memory.complaint().empty());
    CHECK(scope.clean());
  }
}

}  // namespace

TEST_SUITE("api/instantiate") {
  TEST_CASE("handles in members that members_of names are those of the copies") {
    World world;
    const Entity outside = world.create();
    const Entity shop = world.create();
    const Entity below = world.create(child_of(shop));
    Item item;
    item.owner = shop;
    item.watchers = {outside, below};
    world.add(below, item);
    const Entity copy = world.instantiate(shop);
    const Entity part = children_of(world, copy).front();
    CHECK(world.get<Item>(part).owner == copy);
    CHECK(world.get<Item>(part).watchers == std::vector{outside, part});
    CHECK(to_text(world.get<Item>(below).owner) == to_string(shop));
  }
  TEST_CASE("a copy has the same children and components, and refers to itself") {
    for (const Layout layout : kLayouts) {
      World world(WorldOptions{.layout = layout});
      const Turret turret(world);
      const Entity copy = world.instantiate(turret.base);
      CHECK(!world.parent(copy));
      const std::vector<Entity> parts = children_of(world, copy);
      REQUIRE(parts.size() == 2);
      CHECK(world.get<Health>(copy).points == 1);
      CHECK(world.get<SparseCounted>(copy).value() == 10);
      CHECK(world.get<Wide>(parts[0]) == Wide(20));
      CHECK(world.get<Counted>(parts[1]).value() == 30);
      CHECK(world.has<SparseFrozen>(parts[1]));
      CHECK(!world.has<SparseFrozen>(parts[0]));
      CHECK(world.get<Aim>(parts[0]).at == turret.outside);
      CHECK(world.get<Aim>(parts[1]).at == parts[0]);
      CHECK(world.get<Aim>(turret.sight).at == turret.barrel);
      CHECK(world.validate());
    }
  }
  TEST_CASE("copies go below a parent in order, as many as asked for") {
    for (const Layout layout : kLayouts) {
      World world(WorldOptions{.layout = layout});
      const Turret turret(world);
      const Entity first = world.create(child_of(turret.outside));
      const std::vector<Entity> copies = world.instantiate(child_of(turret.outside), turret.base, 3);
      CHECK(children_of(world, turret.outside) == std::vector{first, copies[0], copies[1], copies[2]});
      for (const Entity copy : copies) CHECK(world.get<Aim>(children_of(world, copy)[1]).at != turret.barrel);
      const Entity one = world.instantiate(child_of(first), turret.barrel);
      CHECK(world.parent(one) == first);
      CHECK(world.depth(one) == 2);
      CHECK(world.instantiate(turret.base, 2).size() == 2);
      CHECK(world.instantiate(turret.base, 0).empty());
      CHECK(world.validate());
    }
  }
  TEST_CASE("copies are written into a span, one for each element") {
    World world;
    const Turret turret(world);
    std::vector<Entity> copies(3);
    world.instantiate(child_of(turret.outside), turret.base, std::span(copies).first(2));
    CHECK(children_of(world, turret.outside) == std::vector{copies[0], copies[1]});
    CHECK(!copies[2]);
    world.instantiate(turret.base, copies);
    for (const Entity copy : copies) CHECK((world.alive(copy) && !world.parent(copy)));
    const std::size_t size = world.size();
    world.instantiate(turret.base, std::span<Entity>());
    CHECK(world.size() == size);
    CHECK_THROWS_AS(world.instantiate(Entity(), std::span<Entity>()), ContractViolation);
    CHECK(world.validate());
  }
  TEST_CASE("a subtree is copied below itself once, not for ever") {
    for (const Layout layout : kLayouts) {
      World world(WorldOptions{.layout = layout});
      const Turret turret(world);
      const Entity copy = world.instantiate(child_of(turret.base), turret.base);
      CHECK(children_of(world, turret.base) == std::vector{turret.barrel, turret.sight, copy});
      CHECK(world.child_count(copy) == 2);
      const Entity inner = world.instantiate(child_of(turret.barrel), turret.base);
      CHECK(world.breadth_first(inner).size() == 6);
      CHECK(world.validate());
    }
  }
  TEST_CASE("a subtree that was moved to another depth is copied from there") {
    for (const Layout layout : kLayouts) {
      World world(WorldOptions{.layout = layout});
      const Turret turret(world);
      const Entity deep = world.create(child_of(world.create(child_of(turret.outside))));
      REQUIRE(world.set_parent(turret.base, deep));
      const Entity copy = world.instantiate(turret.base);
      CHECK(world.depth(children_of(world, copy)[1]) == 1);
      const Entity beside = world.instantiate(child_of(deep), turret.base);
      CHECK(world.depth(children_of(world, beside)[1]) == 4);
      CHECK(world.validate());
    }
  }
  TEST_CASE("what cannot be copied, and where it cannot go, is a contract") {
    World world(WorldOptions{.max_entities = 100});
    const Turret turret(world);
    const Entity stale = world.create();
    world.destroy(stale);
    CHECK_THROWS_AS((void)world.instantiate(stale), ContractViolation);
    CHECK_THROWS_AS((void)world.instantiate(stale, 0), ContractViolation);
    CHECK_THROWS_AS((void)world.instantiate(child_of(stale), turret.base), ContractViolation);
    CHECK_THROWS_AS((void)world.instantiate(child_of(Entity()), turret.base), ContractViolation);
    CHECK_THROWS_AS((void)world.instantiate(turret.base, 40), ContractViolation);
    world.query<Entity>().each(
        [&](Entity) { CHECK_THROWS_AS((void)world.instantiate(turret.base), ContractViolation); });
    world.add(turret.sight, Owner(1));
    CHECK_THROWS_AS((void)world.instantiate(turret.base), ContractViolation);
    CHECK(world.size() == 4);
    CHECK(world.validate());
  }
  TEST_CASE("components described at run time are copied by their operations") {
    World world;
    static int copies = 0;
    const ComponentId plain = world.component({.name = "plain", .size = 4, .alignment = 4});
    ComponentInfo counted{.name = "counted copies", .size = 8, .alignment = 8};
    counted.copy = [](void* to, const void* from, std::size_t count) {
      copies += static_cast<int>(count);
      std::copy_n(static_cast<const std::uint64_t*>(from), count, static_cast<std::uint64_t*>(to));
    };
    counted.remap = [](void* values, std::size_t count, const EntityMap& map) {
      auto* bits = static_cast<std::uint64_t*>(values);
      for (std::size_t i = 0; i < count; ++i) bits[i] = map(Entity::from_bits(bits[i])).bits();
    };
    const ComponentId reference = world.component(counted);
    const Entity entity = world.create();
    std::uint32_t number = 7;
    std::uint64_t itself = entity.bits();
    world.add(entity, plain, &number);
    world.add(entity, reference, &itself);
    const std::vector<Entity> made = world.instantiate(entity, 3);
    CHECK(copies == 3);
    for (const Entity copy : made) {
      CHECK(*static_cast<std::uint32_t*>(world.find(copy, plain)) == 7);
      CHECK(*static_cast<std::uint64_t*>(world.find(copy, reference)) == copy.bits());
    }
  }
  TEST_CASE("a copy that changes the world is refused, and leaves nothing behind") {
    World world;
    static World* meddled_with = nullptr;
    meddled_with = &world;
    ComponentInfo meddler{.name = "meddler", .size = 4, .alignment = 4};
    meddler.copy = [](void*, const void*, std::size_t) { meddled_with->create(); };
    const ComponentId id = world.component(meddler);
    const Turret turret(world);
    int value = 0;
    world.add(turret.sight, id, &value);
    CHECK_THROWS_AS((void)world.instantiate(turret.base, 2), ContractViolation);
    CHECK(world.size() == 4);
    CHECK(world.validate());
    CHECK(world.alive(world.create()));
  }
  TEST_CASE("out of memory leaves nothing behind") {
    check_nothing_left([](World& world, FailingMemory& memory, const Turret& turret, auto unchanged) {
      const std::size_t failures = sweep_out_of_memory(
          memory, [&] { (void)world.instantiate(child_of(turret.barrel), turret.base, 3); }, unchanged);
      CHECK(failures > 5);
    });
  }
  TEST_CASE("a copy that throws leaves nothing behind") {
    check_nothing_left([](World& world, FailingMemory&, const Turret& turret, auto unchanged) {
      const std::size_t failures = sweep_throwing_copies(
          [&] { (void)world.instantiate(child_of(turret.barrel), turret.base, 3); }, unchanged);
      CHECK(failures == 9);
    });
  }
  TEST_CASE("a reference that cannot be replaced leaves nothing behind") {
    check_nothing_left([](World& world, FailingMemory&, const Turret& turret, auto unchanged) {
      Aim::broken = true;
      CHECK_THROWS_AS((void)world.instantiate(turret.base, 3), Broken);
      Aim::broken = false;
      unchanged();
      (void)world.instantiate(turret.base, 3);
    });
  }
}

}  // namespace strata::test::instantiate_test
