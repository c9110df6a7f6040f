#include "../../include/strata/observers.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../../include/strata/strata.hpp"

namespace strata::test::observers_test {

namespace {

struct Health {
  int points = 0;
};
struct Name {
  std::string text;
};
struct Frozen {};
struct Burning {
  int left = 0;
};
struct Moved {};
struct Body {
  int number = 0;
};
struct Shape {
  int number = 0;
};

std::string hook_log;

void body_added(World& world, Entity entity, Body& body) {
  hook_log += "+body" + std::to_string(body.number);
  world.commands().add(entity, Shape{body.number});
}
void body_removed(World& world, Entity entity, Body& body) {
  hook_log += "-body" + std::to_string(body.number) + (world.has<Shape>(entity) ? "s" : "");
}
void shape_replaced(World&, Entity, const Shape& old, Shape& now) {
  hook_log += " " + std::to_string(old.number) + ">" + std::to_string(now.number);
}

// What observers were told, as text.
struct Log {
  std::string text;

  template <class... Words>
  void operator()(const Words&... words) {
    (add(words), ...);
    text += ";";
  }
  std::string take() { return std::exchange(text, {}); }

 private:
  void add(Entity entity) { text += entity ? std::to_string(entity.index()) : "none"; }
  void add(const char* word) { text += word; }
  void add(int number) { text += std::to_string(number); }
  void add(std::uint32_t number) { text += std::to_string(number); }
};

}  // namespace
}  // namespace strata::test::observers_test

namespace strata {
using namespace test::observers_test;
template <>
inline constexpr Storage storage_of<Burning> = Storage::sparse;
template <>
inline constexpr Storage storage_of<Moved> = Storage::sparse;
template <>
inline constexpr Hooks<Body> hooks_of<Body> = {.on_add = body_added, .on_remove = body_removed};
template <>
inline constexpr Hooks<Shape> hooks_of<Shape> = {.on_replace = shape_replaced};
}  // namespace strata

namespace strata::test::observers_test {

TEST_SUITE("api/observers") {
  TEST_CASE("an observer of a component sees the value when it comes, and when it goes") {
    World world;
    Log log;
    const Subscription added =
        world.observers().on_add<Health>([&](Entity e, Health& h) { log("+", e, "=", h.points); });
    const Subscription removed = world.observers().on_remove<Health>([&](Entity e, Health& h) {
      CHECK(world.alive(e));
      CHECK(world.get<Health>(e).points == h.points);
      log("-", e, "=", h.points);
    });
    const Entity one = world.create(Health{1});
    const Entity two = world.create(Name{"two"});
    world.add(two, Health{2});
    CHECK(log.take() == "+0=1;+1=2;");
    world.add(two, Health{3});
    CHECK(log.take() == "");
    world.remove<Health>(two);
    world.destroy(one);
    CHECK(log.take() == "-1=3;-0=1;");
    world.destroy(two);
    CHECK(log.take() == "");
  }

  TEST_CASE("values of the side store are told of alike") {
    World world;
    Log log;
    const Subscription added =
        world.observers().on_add<Burning>([&](Entity e, Burning& b) { log("+", e, "=", b.left); });
    const Subscription set =
        world.observers().on_set<Burning>([&](Entity e, Burning& b) { log("s", e, "=", b.left); });
    const Subscription removed =
        world.observers().on_remove<Burning>([&](Entity e, Burning& b) { log("-", e, "=", b.left); });
    const Entity one = world.create(Burning{1});
    world.set(one, Burning{2});
    auto burning = world.accessor<Burning>();
    burning.add(one, Burning{3});
    const Entity two = world.create();
    burning.add(two, Burning{4});
    CHECK(log.take() == "+0=1;s0=1;s0=2;s0=3;+1=4;s1=4;");
    burning.remove(one);
    CHECK(world.pool<Burning>().clear() == 1);
    CHECK(log.take() == "-0=3;-1=4;");
  }

  TEST_CASE("replacing sees the old and the new value") {
    World world;
    Log log;
    const Subscription replaced = world.observers().on_replace<Name>(
        [&](Entity e, const Name& old, Name& now) { log(e, old.text.c_str(), ">", now.text.c_str()); });
    const Entity one = world.create(Name{"one"});
    world.set(one, Name{"two"});
    world.add(one, Name{"three"});
    world.commands().add(one, Name{"four"});
    world.flush();
    CHECK(log.take() == "0one>two;0two>three;0three>four;");
    CHECK(world.get<Name>(one).text == "four");
  }

  TEST_CASE("patch and modified tell; writing through a reference does not") {
    World world;
    Log log;
    const Entity one = world.create(Health{1});
    const Subscription set =
        world.observers().on_set<Health>([&](Entity e, Health& h) { log(e, "=", h.points); });
    world.get<Health>(one).points = 2;
    CHECK(log.take() == "");
    world.modified<Health>(one);
    world.patch<Health>(one, [](Health& h) { h.points = 5; });
    CHECK(log.take() == "0=2;0=5;");
  }

  TEST_CASE("hooks run in order of components, and may add what others hook") {
    hook_log.clear();
    {
      World world;
      const Entity one = world.create(Body{7});
      CHECK(world.get<Shape>(one).number == 7);
      CHECK(hook_log == "+body7");
      world.set(one, Shape{8});
      CHECK(hook_log == "+body7 7>8");
      hook_log.clear();
    }
    CHECK(hook_log == "-body7s");
  }

  TEST_CASE("described components have hooks, too") {
    World world;
    static int calls;
    calls = 0;
    ComponentInfo info{.name = "scripted", .size = 4, .alignment = 4};
    info.hooks.on_add = [](World&, Entity, void* now, const void*) { calls += *static_cast<int*>(now); };
    const ComponentId id = world.component(info);
    int value = 4;
    const Entity one = world.create();
    world.add(one, id, &value);
    CHECK(calls == 4);
    world.observers().set_hooks(
        id, {.on_remove = [](World&, Entity, void* now, const void*) { calls -= *static_cast<int*>(now); }});
    world.remove(one, id);
    CHECK(calls == 0);
  }

  TEST_CASE("an observer of several terms is told once on entering and once on leaving") {
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

  TEST_CASE("the destruction of a subtree tells of children first, each once") {
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

  TEST_CASE("what is created together is told of parents first") {
    World world;
    Log log;
    const Subscription created = world.observers().on_create([&](Entity e) { log(world.depth(e)); });
    const std::vector<std::uint32_t> parents{2, 0, kNoParent, 2};
    const BuiltHierarchy built = world.build_hierarchy(parents);
    CHECK(log.take() == "0;1;1;2;");
    world.instantiate(built.entities[2], 2);
    CHECK(log.take() == "0;1;2;1;0;1;2;1;");
  }

  TEST_CASE("re-parenting tells of the old and the new parent, and of depths") {
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

  TEST_CASE("another order of children is told of") {
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

  TEST_CASE("clear, restore and set_children are told of") {
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

  TEST_CASE("an observer made inside an observer is told from then on; one may end itself or another") {
    World world;
    Log log;
    std::vector<Subscription> kept;
    Subscription self;
    Subscription other;
    self = world.observers().on_create([&](Entity e) {
      log("self", e);
      other.end();
      kept.push_back(world.observers().on_create([&](Entity made) { log("new", made); }));
      self.end();
    });
    other = world.observers().on_create([&](Entity) { log("other"); });
    world.create();
    CHECK(log.take() == "self0;");
    world.create();
    CHECK(log.take() == "new1;");
    CHECK(!self.active());
    CHECK(!other.active());
  }

  TEST_CASE(
      "observers read and record; structural changes are refused, and recorded ones are applied at the end") {
    World world;
    int refused = 0;
    const Subscription added = world.observers().on_add<Health>([&](Entity e, Health&) {
      try {
        world.create();
      } catch (const ContractViolation& violation) {
        refused += std::string(violation.what()).find("an observer is under way") != std::string::npos;
      }
      CHECK(world.query<Health>().count() == 1);
      world.commands().add(e, Name{"recorded"});
      CHECK(!world.has<Name>(e));
    });
    const Entity one = world.create(Health{1});
    CHECK(refused == 1);
    CHECK(world.get<Name>(one).text == "recorded");
  }

  TEST_CASE(
      "after an exception the operation has happened, the others are told, and the first is passed on") {
    World world;
    Log log;
    const Subscription one =
        world.observers().on_add<Health>([&](Entity) { throw std::runtime_error("first"); });
    const Subscription two = world.observers().on_add<Health>([&](Entity) {
      log("told");
      throw std::runtime_error("second");
    });
    CHECK_THROWS_WITH(world.create(Health{}), "first");
    CHECK(world.size() == 1);
    CHECK(log.take() == "told;");
    const Entity other = world.create();
    world.commands().add(other, Health{});
    world.commands().add(other, Name{"n"});
    CHECK_THROWS_WITH(world.flush(), "first");
    CHECK(world.get<Name>(other).text == "n");
    CHECK(world.commands().empty());
  }

  TEST_CASE("observers that call for each other without end break a contract") {
    World world({.max_rounds = 20});
    int rounds = 0;
    const Subscription added = world.observers().on_add<Frozen>([&](Entity e) {
      ++rounds;
      world.commands().remove<Frozen>(e);
    });
    const Subscription removed =
        world.observers().on_remove<Frozen>([&](Entity e) { world.commands().add(e, Frozen{}); });
    const Entity one = world.create();
    CHECK_THROWS_AS(world.add(one, Frozen{}), ContractViolation);
    CHECK(rounds <= 21);
    const Subscription set =
        world.observers().on_set<Health>([&](Entity e, Health& h) { world.set(e, Health{h.points + 1}); });
    CHECK_THROWS_AS(world.create(Health{}), ContractViolation);
  }

  TEST_CASE("an observer may be told at once of what is there") {
    World world;
    Log log;
    const Entity a = world.create(Health{1});
    world.create(child_of(a), Health{2});
    const Entity c = world.create();
    const Subscription added = world.observers().on_add<Health>(
        [&](Entity e, Health& h) {
          log(e, "=", h.points);
          world.commands().add(c, Frozen{});
        },
        Existing::tell);
    CHECK(log.take() == "0=1;1=2;");
    CHECK(world.has<Frozen>(c));
    const Subscription enter =
        world.observers().on_enter<Health>([&](Entity e) { log("in", e); }, Existing::tell);
    CHECK(log.take() == "in0;in1;");
  }

  TEST_CASE("bulk loading may be quiet") {
    World world;
    Log log;
    const Subscription added = world.observers().on_add<Health>([&](Entity e) { log(e); });
    {
      const Observers::Quiet quiet = world.observers().quiet();
      world.create_many<Health>(100, Health{1});
    }
    CHECK(log.take() == "");
    world.create_many<Health>(2, Health{1});
    CHECK(log.take() == "100;101;");
  }

  TEST_CASE("marks are collected without a line of the user, and one cascade visits them") {
    World world;
    const auto marks = world.observers().collect<Moved, OnSet<Health>, OnParentChange>();
    const Entity a = world.create(Health{1});
    const Entity b = world.create(child_of(a), Health{2});
    CHECK(world.pool<Moved>().size() == 2);
    Query<Health, Entity> healths = world.query<Health, Entity>();
    std::vector<Entity> visited;
    const auto pass = [&] {
      visited.clear();
      healths.cascade().propagate<Moved>([&](Health&, Entity e) { visited.push_back(e); });
      return visited;
    };
    CHECK(pass() == std::vector{a, b});
    CHECK(pass().empty());
    world.set(b, Health{3});
    CHECK(pass() == std::vector{b});
    world.clear_parent(b);
    CHECK(pass() == std::vector{b});
    healths.each([&](Health&, Entity e) { world.set(e, Health{4}); });
    CHECK(pass() == std::vector{a, b});
  }

  TEST_CASE("a moved world passes itself to hooks, and the end of a world is told of") {
    hook_log.clear();
    {
      World first;
      first.create(Body{1});
      World second = std::move(first);
      second.create(Body{2});
      CHECK(hook_log == "+body1+body2");
      hook_log.clear();
    }
    CHECK(hook_log == "-body1s-body2s");
  }

  TEST_CASE("set_storage and moved rows are told to nobody") {
    World world;
    Log log;
    const Entity a = world.create(Health{1});
    const Subscription added = world.observers().on_add<Health>([&](Entity e) { log("+", e); });
    const Subscription removed = world.observers().on_remove<Health>([&](Entity e) { log("-", e); });
    world.set_storage<Health>(Storage::sparse);
    world.add(a, Name{"n"});
    world.set_storage<Health>(Storage::table);
    world.defragment();
    CHECK(log.take() == "");
    world.destroy(a);
    CHECK(log.take() == "-0;");
  }
}

}  // namespace strata::test::observers_test
