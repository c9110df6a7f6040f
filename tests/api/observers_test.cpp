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
#include "../support/refusal.hpp"
#include "observer_log.hpp"

namespace strata::test::observers_test {

using observer_log::Burning, observer_log::Frozen, observer_log::Health, observer_log::Log,
    observer_log::Name;

namespace {

struct Ally {};
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
void shape_added(World& world, Entity entity, Shape& shape) {
  hook_log += "+shape" + std::to_string(shape.number) + (world.has<Body>(entity) ? "b" : "");
}
void shape_replaced(World&, Entity, const Shape& old, Shape& now) {
  hook_log += " " + std::to_string(old.number) + ">" + std::to_string(now.number);
}

}  // namespace
}  // namespace strata::test::observers_test

template <>
inline constexpr strata::RelationOptions strata::relation_options_of<strata::test::observers_test::Ally> = {
    .queried = true};
template <>
inline constexpr strata::Storage strata::storage_of<strata::test::observers_test::Moved> =
    strata::Storage::sparse;
template <>
inline constexpr strata::Hooks<strata::test::observers_test::Body>
    strata::hooks_of<strata::test::observers_test::Body> = {
        .on_add = strata::test::observers_test::body_added,
        .on_remove = strata::test::observers_test::body_removed};
template <>
inline constexpr strata::Hooks<strata::test::observers_test::Shape>
    strata::hooks_of<strata::test::observers_test::Shape> = {
        .on_add = strata::test::observers_test::shape_added,
        .on_replace = strata::test::observers_test::shape_replaced};

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

  TEST_CASE("values of the side store are reported alike") {
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

  TEST_CASE("patch and modified notify observers; writing through a reference does not") {
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

  TEST_CASE("hooks may add components whose hooks then run, too") {
    hook_log.clear();
    {
      World world;
      const Entity one = world.create(Body{7});
      CHECK(world.get<Shape>(one).number == 7);
      CHECK(hook_log == "+body7+shape7b");
      world.set(one, Shape{8});
      CHECK(hook_log == "+body7+shape7b 7>8");
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

  TEST_CASE("an observer made inside an observer is called from then on; one may end itself or another") {
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

  TEST_CASE("an exception of an observer that another one has called is thrown by the outermost operation") {
    World world;
    Log log;
    const Entity one = world.create(Health{1});
    const Subscription set =
        world.observers().on_set<Health>([&](Entity) { throw std::runtime_error("inner"); });
    const auto set_health = [&](Entity e) {
      world.set(e, Health{2});
      log("after");
    };
    const Subscription added = world.observers().on_add<Burning>(set_health);
    const Subscription removed = world.observers().on_remove<Burning>(set_health);
    CHECK_THROWS_WITH(world.add(one, Burning{1}), "inner");
    CHECK_THROWS_WITH(world.remove<Burning>(one), "inner");
    CHECK(log.take() == "after;after;");
    CHECK(!world.has<Burning>(one));
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

  TEST_CASE("an observer may be notified at once of what is there") {
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
        Existing::notify);
    CHECK(log.take() == "0=1;1=2;");
    CHECK(world.has<Frozen>(c));
    const Subscription enter =
        world.observers().on_enter<Health>([&](Entity e) { log("in", e); }, Existing::notify);
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

  TEST_CASE("a moved world passes itself to hooks, and the end of a world is reported") {
    hook_log.clear();
    {
      World first;
      first.create(Body{1});
      World second = std::move(first);
      second.create(Body{2});
      CHECK(hook_log == "+body1+shape1b+body2+shape2b");
      hook_log.clear();
    }
    CHECK(hook_log == "-body1s-body2s");
  }

  TEST_CASE("set_storage and moved rows notify no observer") {
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

  TEST_CASE("the component of pairs is observed by pairs") {
    World world;
    const auto refused = [](auto observe) { return says(refusal(observe), "use on_pair_add"); };
    CHECK(refused([&] { (void)world.observers().on_add<Pair<Ally>>([](Entity) {}); }));
    CHECK(refused([&] { (void)world.observers().on_enter<With<Pair<Ally>>>([](Entity) {}); }));
    CHECK(refused([&] { (void)world.observers().on_leave<Without<Pair<Ally>>>([](Entity) {}); }));
    const Entity source = world.create();
    world.relations().add<Ally>(source, world.create());
    CHECK(world.query<With<Pair<Ally>>>().count() == 1);
  }
  TEST_CASE("patch reports the value where it is when its function has changed the entity") {
    World world;
    Log log;
    const Entity entity = world.create(Health{1});
    const Subscription set = world.observers().on_set<Health>([&](Entity of, Health& health) {
      log(health.points == 2 && &health == world.find<Health>(of) ? "=" : "?", of);
    });
    world.patch<Health>(entity, [&](Health& health) {
      health.points = 2;
      world.add(entity, Name{"n"});
    });
    CHECK(log.take() == "=0;");
    CHECK(says(refusal([&] { world.patch<Health>(entity, [&](Health&) { world.destroy(entity); }); }),
               "patch"));
  }
}

}  // namespace strata::test::observers_test
