#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <cstdint>
#include <memory_resource>
#include <string>
#include <vector>

#include "../support/components.hpp"
#include "../support/failing_memory.hpp"
#include "../support/refusal.hpp"

namespace strata::test::prefabs_test {

namespace {

struct Aim {
  Entity at;

  void remap_entities(const EntityMap& map) { at = map(at); }
};
struct Fuel {
  int litres = 0;
};
struct Title {
  std::string text;
};
struct Number {
  int value = 0;
};

}  // namespace

}  // namespace strata::test::prefabs_test

template <>
inline constexpr strata::Storage strata::storage_of<strata::test::prefabs_test::Fuel> =
    strata::Storage::sparse;
template <>
inline constexpr auto strata::members_of<strata::test::prefabs_test::Number> =
    strata::Members{strata::member("value", &strata::test::prefabs_test::Number::value)};

namespace strata::test::prefabs_test {

namespace {

/// A prefab: a tank with a turret, which has a barrel; the barrel aims at the turret.
struct Tank {
  explicit Tank(World& world) {
    root = world.create(Health{100}, Title{"tank"}, Fuel{50});
    turret = world.create(child_of(root), Health{40}, Title{"turret"});
    barrel = world.create(child_of(turret), Health{10}, Title{"barrel"}, Aim{turret});
    world.make_prefab(root);
  }

  Entity root, turret, barrel;
};

std::size_t visited(World& world) {
  return world.query<Entity>().count();
}

}  // namespace

TEST_SUITE("api/prefabs") {
  TEST_CASE("a prefab leaves queries with all below it, and its copies are in them") {
    World world;
    const Tank tank(world);
    CHECK(visited(world) == 0);
    CHECK(world.query<With<Prefab>>().count() == 3);
    CHECK(world.query<Maybe<Prefab>, const Health>().count() == 3);
    CHECK(world.is_prefab(tank.barrel));
    CHECK_FALSE(world.make_prefab(tank.root));
    const Entity added = world.create(child_of(tank.barrel), Health{1});
    CHECK(world.is_prefab(added));
    const Entity copy = world.instantiate(tank.root);
    CHECK_FALSE(world.is_prefab(copy));
    CHECK(visited(world) == 4);
    CHECK(world.clear_parent(added));
    CHECK(visited(world) == 5);
    CHECK(world.is_prefab(world.instantiate(child_of(tank.turret), tank.root)));
    CHECK(world.unmake_prefab(tank.root));
    CHECK_FALSE(world.unmake_prefab(tank.root));
    CHECK(visited(world) == world.size());
    CHECK(world.validate());
  }

  TEST_CASE("an entity may be disabled and a prefab") {
    World world;
    const Tank tank(world);
    world.disable(tank.root);
    CHECK(world.query<With<Prefab>>().count() == 2);
    CHECK(world.query<With<Prefab>, Maybe<Disabled>>().count() == 3);
    CHECK(world.query<With<Disabled>>().count() == 0);
    CHECK(world.disabled(world.instantiate(tank.root)));
    CHECK(world.unmake_prefab(tank.root));
    CHECK(world.query<With<Disabled>>().count() == 2);
    CHECK(world.query<const Health>().explain().find("is disabled") == std::string::npos);
  }

  TEST_CASE("copies get values instead of those of the prefab, wherever these are stored") {
    World world;
    const Tank tank(world);
    const auto copies =
        world.instantiate(tank.root, 2, Title{"new"}, Fuel{7}, override_at(tank.turret, Health{3}),
                          override_at(tank.barrel, Aim{tank.root}), Health{1}, Health{2});
    for (const Entity copy : copies) {
      const Entity turret = world.counterpart(copy, tank.turret);
      const Entity barrel = world.counterpart(copy, tank.barrel);
      CHECK(world.get<Title>(copy).text == "new");
      CHECK(world.get<Fuel>(copy).litres == 7);
      CHECK(world.get<Health>(copy).points == 2);
      CHECK(world.get<Health>(turret).points == 3);
      CHECK(world.get<Title>(turret).text == "turret");
      CHECK(world.get<Health>(barrel).points == 10);
      CHECK(world.get<Aim>(barrel).at == copy);
    }
    CHECK(world.get<Title>(tank.root).text == "tank");
    const Entity below = world.instantiate(child_of(copies[0]), tank.turret, Title{"second"});
    CHECK(world.parent(below) == copies[0]);
    CHECK(world.get<Title>(below).text == "second");
    CHECK(world.instantiate(child_of(copies[0]), tank.turret, 3, Health{0}).size() == 3);
    world.set_storage<Health>(Storage::sparse);
    CHECK(world.get<Health>(world.instantiate(tank.root, Health{4})).points == 4);
    CHECK(world.validate());
  }

  TEST_CASE("an override of what the prefab lacks is refused by name, and nothing is created") {
    World world;
    const Tank tank(world);
    const Entity stranger = world.create(Health{});
    const Entity stale = world.create();
    world.destroy(stale);
    const std::size_t before = world.size();
    const auto refused = [&](const char* words, auto... values) {
      const std::string sentence = refusal([&] { (void)world.instantiate(tank.root, values...); });
      CHECK_MESSAGE(says(sentence, words), sentence);
    };
    refused("Aim\"", override_at(tank.turret, Aim{}));
    refused(to_string(tank.turret).c_str(), override_at(tank.turret, Aim{}));
    refused("which has none", override_at(tank.turret, Fuel{}));
    refused("is not in the subtree", override_at(stranger, Health{}));
    refused("is not in the subtree", override_at(stale, Health{}));
    refused("is not in the subtree", override_at(Entity(), Health{}));
    CHECK(world.size() == before);
    CHECK(says(refusal([&] { (void)world.instantiate(stale, Health{}); }), "stale"));
    CHECK(says(refusal([&] { (void)world.instantiate(child_of(stale), tank.root, Health{}); }), "stale"));
    CHECK_FALSE(world.make_prefab(stale));
    CHECK_FALSE(world.is_prefab(stale));
    CHECK_FALSE(world.prefab_of(stale));
    CHECK(world.validate());
  }

  TEST_CASE("an instance knows its prefab, and the prefab its instances") {
    World world;
    const Tank tank(world);
    const auto copies = world.instantiate(tank.root, 3);
    for (const Entity copy : copies) CHECK(world.prefab_of(copy) == tank.root);
    CHECK(world.relations().list_sources<InstanceOf>(tank.root) == copies);
    CHECK(world.query<With<Pair<InstanceOf>>>().count() == 3);
    CHECK_FALSE(world.prefab_of(world.counterpart(copies[0], tank.turret)));
    CHECK_FALSE(world.prefab_of(world.instantiate(tank.turret)));
    CHECK_FALSE(world.prefab_of(tank.root));
    const Entity again = world.instantiate(copies[1]);
    CHECK(world.prefab_of(again) == tank.root);
    CHECK(world.parent(world.counterpart(again, tank.turret)) == again);
    world.destroy(tank.root);
    CHECK_FALSE(world.prefab_of(copies[0]));
    CHECK_FALSE(world.counterpart(copies[0], tank.turret));
    CHECK(world.alive(copies[0]));
    CHECK(world.validate());
  }

  TEST_CASE("a counterpart is the same entity as long as it lives, or null") {
    World world;
    const Tank tank(world);
    const Entity copy = world.instantiate(tank.root);
    const Entity turret = world.counterpart(copy, tank.turret);
    const Entity barrel = world.counterpart(copy, tank.barrel);
    CHECK(world.counterpart(copy, tank.root) == copy);
    CHECK(world.parent(barrel) == turret);
    world.clear_parent(barrel);
    CHECK(world.counterpart(copy, tank.barrel) == barrel);
    const Entity later = world.create(child_of(tank.root));
    CHECK_FALSE(world.counterpart(copy, later));
    CHECK(world.counterpart(world.instantiate(tank.root), later));
    CHECK_FALSE(world.counterpart(copy, copy));
    CHECK_FALSE(world.counterpart(turret, tank.turret));
    // A copy of the instance has no copy of what has moved out of it.
    const Entity again = world.instantiate(copy);
    CHECK(world.counterpart(again, tank.turret) == *world.children(again).begin());
    CHECK_FALSE(world.counterpart(again, tank.barrel));
    world.destroy(turret);
    CHECK_FALSE(world.counterpart(copy, tank.turret));
    CHECK(world.counterpart(copy, tank.barrel) == barrel);
    world.destroy(tank.barrel);
    CHECK_FALSE(world.counterpart(copy, tank.barrel));
  }

  TEST_CASE("variants are prefabs made from prefabs") {
    World world;
    const Tank tank(world);
    const Entity heavy = world.instantiate(tank.root, Health{200});
    world.make_prefab(heavy);
    const Entity heaviest = world.instantiate(heavy, Health{300});
    world.make_prefab(heaviest);
    CHECK(world.prefab_of(heavy) == tank.root);
    const Entity copy =
        world.instantiate(heaviest, override_at(world.counterpart(heaviest, tank.turret), Health{5}));
    CHECK(world.prefab_of(copy) == heaviest);
    CHECK(world.get<Health>(copy).points == 300);
    CHECK(world.get<Health>(world.counterpart(copy, tank.turret)).points == 5);
    const Entity turret = *world.children(copy).begin();
    for (const Entity node : {tank.turret, world.counterpart(heavy, tank.turret)}) {
      CHECK(world.counterpart(copy, node) == turret);
    }
    CHECK(world.counterpart(copy, tank.root) == copy);
    // Pairs that a program adds may lead in a circle.
    world.relations().add<InstanceOf>(tank.root, heaviest);
    CHECK_FALSE(world.counterpart(copy, world.create()));
    world.destroy(heavy);
    CHECK_FALSE(world.counterpart(copy, tank.turret));
    CHECK(world.validate());
  }

  TEST_CASE("a prefab may have instances of other prefabs below it, and of itself") {
    World world;
    const Tank tank(world);
    const Entity convoy = world.create(Health{0});
    const Entity first = world.instantiate(child_of(convoy), tank.root);
    world.make_prefab(convoy);
    const Entity copy = world.instantiate(convoy);
    const Entity tank_copy = world.counterpart(copy, first);
    CHECK(world.prefab_of(tank_copy) == tank.root);
    CHECK(world.parent(world.counterpart(tank_copy, tank.turret)) == tank_copy);

    const Entity own = world.instantiate(child_of(tank.barrel), tank.root);
    CHECK(world.is_prefab(own));
    const Entity nested = world.instantiate(tank.root);
    CHECK(world.breadth_first(nested).size() == 6);
    CHECK(world.prefab_of(world.counterpart(nested, own)) == nested);
    CHECK(world.set_parent(tank.root, tank_copy));
    CHECK(world.is_prefab(tank.root));
    CHECK(world.breadth_first(world.instantiate(copy)).size() == 10);
    CHECK(world.validate());
  }

  TEST_CASE("observers see sets with prefabs, and copies with their values") {
    World world;
    const Tank tank(world);
    std::vector<int> points;
    int entered = 0, left = 0;
    const auto a = world.observers().on_add<Health>(
        [&](Entity, const Health& health) { points.push_back(health.points); });
    const auto b = world.observers().on_enter<With<Health>>([&](Entity) { ++entered; });
    const auto c = world.observers().on_leave<With<Health>>([&](Entity) { ++left; });
    const Entity copy = world.instantiate(tank.root, Health{1});
    CHECK(points == std::vector{1, 40, 10});
    CHECK(entered == 3);
    world.make_prefab(copy);
    CHECK(left == 3);
    world.destroy(world.counterpart(copy, tank.turret));
    CHECK(left == 3);
    world.unmake_prefab(copy);
    CHECK(entered == 4);
  }

  TEST_CASE("worlds with equal instances have equal digests") {
    std::vector<std::uint64_t> digests;
    for (int i = 0; i < 3; ++i) {
      World world;
      const Entity root = world.create(Number{1});
      const Entity inner = world.create(child_of(root), Number{2});
      world.make_prefab(root);
      const Entity copy = world.instantiate(root);
      if (i == 2) world.instantiate(copy);
      if (i == 2) world.destroy(*world.children(copy).begin());
      if (i == 1) CHECK(world.counterpart(copy, inner));
      digests.push_back(digest(world));
    }
    CHECK(digests[0] == digests[1]);
    CHECK(digests[0] != digests[2]);
  }

  TEST_CASE("a world that is moved keeps its prefabs") {
    World world;
    const Tank tank(world);
    const Entity copy = world.instantiate(tank.root);
    World moved = std::move(world);
    CHECK(moved.prefab_of(copy) == tank.root);
    moved.shrink();
    CHECK(moved.counterpart(moved.instantiate(tank.root), tank.barrel));
    CHECK(moved.validate());
  }

  TEST_CASE("deep and wide prefabs") {
    constexpr std::uint32_t kNodes = 50'000;
    for (const bool deep : {true, false}) {
      World world;
      std::vector<std::uint32_t> parents(kNodes);
      for (std::uint32_t i = 1; i < kNodes; ++i) parents[i] = deep ? i - 1 : 0;
      parents[0] = kNoParent;
      const std::vector<Entity> nodes = world.build_hierarchy(parents, Health{1}).entities;
      world.make_prefab(nodes[0]);
      CHECK(visited(world) == 0);
      const Entity copy = world.instantiate(nodes[0], override_at(nodes.back(), Health{2}));
      CHECK(world.get<Health>(world.counterpart(copy, nodes.back())).points == 2);
      CHECK(visited(world) == kNodes);
      const Entity root = world.create();
      CHECK(world.set_parent(nodes[0], root));
      CHECK(world.unmake_prefab(nodes[0]));
      CHECK(visited(world) == 2 * kNodes + 1);
      world.destroy(copy);
    }
    World world;
    Entity variant = world.create(Health{0});
    const Entity first = variant;
    for (int i = 0; i < 2000; ++i) {
      world.make_prefab(variant);
      variant = world.instantiate(variant);
    }
    CHECK(world.counterpart(variant, first) == variant);
  }

  TEST_CASE("without memory, nothing has changed") {
    FailingMemory memory;
    World world({.memory = &memory});
    const Tank tank(world);
    const Entity other = world.create(Health{});
    const auto unchanged = [&] {
      CHECK(visited(world) == 1);
      CHECK(world.query<With<Prefab>>().count() == 3);
      CHECK(world.relations().size<InstanceOf>() == 0);
    };
    const auto sweep = [&](auto change, auto still) {
      sweep_out_of_memory(memory, change, [&] {
        still();
        CHECK(world.validate());
      });
    };
    const std::string title = "a title that needs memory of its own";
    sweep([&] { (void)world.instantiate(tank.root, 3, Title{title}); }, unchanged);
    const Entity copy = world.relations().list_sources<InstanceOf>(tank.root).front();
    CHECK(world.counterpart(copy, tank.barrel));
    sweep([&] { world.make_prefab(other); }, [&] { CHECK_FALSE(world.is_prefab(other)); });
    sweep([&] { (void)world.set_parent(copy, tank.barrel); }, [&] { CHECK_FALSE(world.is_prefab(copy)); });
    sweep([&] { world.unmake_prefab(tank.root); }, [&] { CHECK(world.is_prefab(copy)); });
    CHECK_FALSE(world.is_prefab(copy));
  }

  TEST_CASE("a value of InstanceOf takes counterparts in ascending order, as many as it has room for") {
    World world;
    const Entity a = world.create(), b = world.create();
    const auto appends = [](InstanceOf& value, Entity original, Entity copy) {
      return refusal([&] { value.append(original, copy); });
    };
    InstanceOf none;
    CHECK(says(appends(none, a, b), "no room left"));
    InstanceOf one(std::pmr::new_delete_resource(), 1);
    one.append(a, b);
    CHECK(says(appends(one, b, a), "no room left"));
    InstanceOf two(std::pmr::new_delete_resource(), 2);
    two.append(b, a);
    CHECK(says(appends(two, a, b), "not in ascending order"));
    CHECK(says(appends(two, b, b), "not in ascending order"));
    CHECK(one.find(a) == b);
    CHECK(two.find(b) == a);
    CHECK_FALSE(one.find(b));
  }
}

}  // namespace strata::test::prefabs_test
