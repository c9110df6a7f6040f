// Observers of sets of entities, and of the tree: subtrees that come and go, other parents, other orders of children.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <strata/strata.hpp>
#include <string>
#include <vector>

#include "observer_log.hpp"

namespace strata::test::tree_observers_test {

using observer_log::Burning, observer_log::Frozen, observer_log::Health, observer_log::Log,
    observer_log::Name;

TEST_SUITE("api/tree_observers") {
  TEST_CASE("an observer of several terms is called once on entering and once on leaving") {
    World world;
    Log log;
    const Subscription enter = world.observers().on_enter<With<Health>, Without<Frozen>, With<Burning>>(
        [&](Entity e) { log("in", e); });
    const Subscription leave = world.observers().on_leave<With<Health>, Without<Frozen>, With<Burning>>(
        [&](Entity e) { log("out", e, world.has<Burning>(e) ? "b" : ""); });
    const Entity one = world.create(Health{1});
    CHECK(log.take() == "");
    world.add(one, Burning{1});
    CHECK(log.take() == "in0;");
    world.add(one, Name{"n"});
    world.add(one, Burning{2});
    CHECK(log.take() == "");
    world.add(one, Frozen{});
    CHECK(log.take() == "out0b;");
    world.remove<Frozen>(one);
    CHECK(log.take() == "in0;");
    world.remove<Burning>(one);
    CHECK(log.take() == "out0b;");
    world.create(Health{}, Burning{}, Frozen{});
    const Entity two = world.create(Health{}, Burning{});
    CHECK(log.take() == "in2;");
    world.commands().remove<Health>(two);
    world.commands().add(two, Frozen{});
    world.flush();
    CHECK(log.take() == "out2b;");
  }

  TEST_CASE("the destruction of a subtree reports children first, each once") {
    World world;
    Log log;
    const Entity tank = world.create(Health{1});
    const Entity turret = world.create(child_of(tank), Health{2});
    world.create(child_of(turret), Health{3});
    world.create(child_of(tank), Health{4});
    const Subscription removed = world.observers().on_remove<Health>([&](Entity e) {
      log("-", e);
      CHECK(world.size() == 4);
    });
    const Subscription destroyed = world.observers().on_destroy([&](Entity e) { log("x", e); });
    world.destroy(tank);
    CHECK(log.take() == "-2;-3;-1;-0;x2;x3;x1;x0;");
    CHECK(world.size() == 0);
  }

  TEST_CASE("entities that are created together are reported, parents first") {
    World world;
    Log log;
    const Subscription created = world.observers().on_create([&](Entity e) { log(world.depth(e)); });
    const std::vector<std::uint32_t> parents{2, 0, kNoParent, 2};
    const BuiltHierarchy built = world.build_hierarchy(parents);
    CHECK(log.take() == "0;1;1;2;");
    world.instantiate(built.entities[2], 2);
    CHECK(log.take() == "0;1;2;1;0;1;2;1;");
  }

  TEST_CASE("re-parenting reports the old and the new parent, and depths") {
    World world;
    Log log;
    const Entity a = world.create();
    const Entity b = world.create();
    const Entity c = world.create(child_of(b));
    const Subscription parent = world.observers().on_parent_change(
        [&](Entity e, Entity before, Entity now) { log(e, ":", before, ">", now); });
    const Subscription depth = world.observers().on_depth_change(
        [&](Entity e, std::uint32_t before, std::uint32_t now) { log(e, "d", before, ">", now); });
    REQUIRE(world.set_parent(b, a));
    CHECK(log.take() == "1:none>0;1d0>1;2d1>2;");
    REQUIRE(world.set_parent(b, a));
    CHECK(!world.set_parent(a, b));
    CHECK(log.take() == "");
    world.destroy(b, ChildPolicy::orphan);
    CHECK(log.take() == "2:1>none;2d2>0;");
    world.commands().set_parent(c, a);
    world.flush();
    world.clear_parent(c);
    CHECK(log.take() == "2:none>0;2d0>1;2:0>none;2d1>0;");
  }

  TEST_CASE("another order of children is reported") {
    World world;
    Log log;
    const Entity a = world.create();
    const Entity b = world.create(child_of(a));
    const Entity c = world.create(child_of(a));
    const Subscription order = world.observers().on_order_change([&](Entity e) { log(e); });
    world.sort_children(a, [](Entity x, Entity y) { return x < y; });
    REQUIRE(world.move_child_before(b, c));
    CHECK(log.take() == "");
    REQUIRE(world.move_child_before(c, b));
    world.sort_children(a, [](Entity x, Entity y) { return x < y; });
    CHECK(log.take() == "0;0;");
  }

  TEST_CASE("clear, restore and set_children are reported") {
    World world;
    Log log;
    const Entity a = world.create();
    const Entity b = world.create(child_of(a));
    const Entity c = world.create();
    const auto created = world.observers().on_create([&](Entity e) { log("+", e); });
    const auto destroyed = world.observers().on_destroy([&](Entity e) { log("-", e); });
    const auto parent = world.observers().on_parent_change(
        [&](Entity e, Entity before, Entity now) { log(e, ":", before, ">", now); });
    const auto order = world.observers().on_order_change([&](Entity e) { log("order", e); });
    REQUIRE(world.set_children(a, std::vector{c, b}));
    CHECK(log.take() == "2:none>0;order0;");
    REQUIRE(world.set_children(a, std::vector{c}));
    CHECK(log.take() == "1:0>none;");
    CHECK(world.clear() == 3);
    CHECK(log.take() == "-2;-0;-1;");
    REQUIRE(world.restore(b));
    CHECK(log.take() == "+1;");
  }

  TEST_CASE("set_children takes a list that is stored in a row that moves") {
    struct Kids {
      std::array<Entity, 128> list;
    };
    World world({.layout = Layout::per_level});
    const Entity parent = world.create();
    REQUIRE(world.names().set(parent, "parent"));
    std::vector<Entity> all;
    for (int i = 0; i < 128; ++i)
      all.push_back(i < 40 ? world.create(child_of(parent), Kids{}) : world.create(Kids{}));
    Kids& kids = world.get<Kids>(all[0]);
    std::ranges::copy(all, kids.list.begin());
    REQUIRE(world.set_children(parent, kids.list));
    const auto children = world.children(parent);
    CHECK(std::ranges::equal(children, all));
    CHECK(world.validate());
  }
}

}  // namespace strata::test::tree_observers_test
