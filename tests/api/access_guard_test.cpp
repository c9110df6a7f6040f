#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "../support/refusal.hpp"
#include "access_guard_scene.hpp"

#if STRATA_ACCESS_GUARD

namespace strata::test::access_guard_test {

namespace {

using Operation = std::function<void(Scene&)>;
struct Named {
  const char* name;
  Operation run;
  const char* first = name;  // What begins first: reading, for some.
};

const std::vector<Named>& changes() {
  static const std::vector<Named> all = {
      {"create", [](Scene& s) { s.world.create(Position{9}); }},
      {"create", [](Scene& s) { s.world.create(Burning{9}); }},
      {"create below", [](Scene& s) { s.world.create(child_of(s.parent), Position{9}); }},
      {"spawner", [](Scene& s) { s.world.create_many<Position>(3, Position{}); }},
      {"destroy", [](Scene& s) { s.world.destroy(s.child); }},
      {"destroy",
       [](Scene& s) {
         s.world.destroy(std::array{s.child, s.other});
       }},
      {"destroy_children", [](Scene& s) { s.world.destroy_children(s.parent); }},
      {"clear", [](Scene& s) { s.world.clear(); }},
      {"add", [](Scene& s) { s.world.add(s.other, Velocity{}); }},
      {"add", [](Scene& s) { s.world.add(s.other, Burning{}); }},
      {"add", [](Scene& s) { s.world.add<Velocity>(std::array{s.other}); }},
      {"remove", [](Scene& s) { s.world.remove<Velocity>(s.parent); }},
      {"remove", [](Scene& s) { s.world.remove<Burning>(s.child); }},
      {"set", [](Scene& s) { s.world.set(s.parent, Position{9}); }},
      {"patch", [](Scene& s) { s.world.patch<Position>(s.parent, [](Position& at) { at.x = 9; }); }},
      {"set_parent", [](Scene& s) { (void)s.world.set_parent(s.other, s.parent); }},
      {"clear_parent", [](Scene& s) { s.world.clear_parent(s.child); }},
      {"instantiate", [](Scene& s) { s.world.instantiate(s.parent); }},
      {"build_hierarchy",
       [](Scene& s) {
         s.world.build_hierarchy(std::array<std::uint32_t, 1>{kNoParent}, std::array{Position{}});
       }},
      {"set_layer", [](Scene& s) { s.world.set_layer(s.other, 3); }},
      {"disable", [](Scene& s) { s.world.disable(s.other); }},
      {"make_prefab", [](Scene& s) { s.world.make_prefab(s.other); }},
      {"set_storage", [](Scene& s) { s.world.set_storage<Velocity>(Storage::sparse); }, "component"},
      {"sort",
       [](Scene& s) { s.world.pool<Burning>().sort([](const Burning& burning) { return burning.heat; }); }},
      {"set_name", [](Scene& s) { (void)s.world.names().set(s.other, "other"); }},
      {"relations().add", [](Scene& s) { s.world.relations().add<Likes>(s.other, s.parent); }},
      {"remove of a pair", [](Scene& s) { s.world.relations().remove<Likes>(s.parent, s.other); }},
      {"recording a command", [](Scene& s) { s.world.commands().add(s.other, Velocity{}); }},
      {"flush", [](Scene& s) { s.world.flush(); }},
      {"registering a component", [](Scene& s) { (void)s.world.query<const Unknown>(); }, "query"},
      {"resources().set", [](Scene& s) { s.world.resources().set(Gravity{9}); }},
      {"resources().emplace", [](Scene& s) { s.world.resources().emplace<Wind>(9); }},
      {"resources().remove", [](Scene& s) { s.world.resources().remove<Gravity>(); }},
      {"resources().add_type", [](Scene& s) { s.world.resources().add_type<Wind>(); }},
      {"a query that writes ",
       [](Scene& s) { s.world.query<const Velocity, Position>().each([](auto&...) {}); }, "query"},
      {"a query that writes ",
       [](Scene& s) { s.world.query<Parent<Position>>().cascade(up).each([](Position*) {}); }, "query"},
      {"extract", [](Scene& s) { (void)extract(s.world, s.parent); }},
      {"restore", [](Scene& s) { (void)s.world.restore(s.other); }},
      {"shrink", [](Scene& s) { s.world.shrink(); }},
      {"defragment", [](Scene& s) { s.world.defragment(); }},
  };
  return all;
}

const std::vector<Named>& reads() {
  static const std::vector<Named> all = {
      {"alive", [](Scene& s) { (void)s.world.alive(s.parent); }},
      {"size", [](Scene& s) { (void)s.world.size(); }},
      {"get", [](Scene& s) { (void)s.world.get<Position>(s.parent); }},
      {"get", [](Scene& s) { (void)std::as_const(s.world).get<Position>(s.parent); }},
      {"find", [](Scene& s) { (void)std::as_const(s.world).find<Burning>(s.child); }},
      {"has", [](Scene& s) { (void)s.world.has<Velocity>(s.parent); }},
      {"components", [](Scene& s) { (void)s.world.components(s.parent); }},
      {"parent", [](Scene& s) { (void)s.world.parent(s.child); }},
      {"children", [](Scene& s) { (void)s.world.children(s.parent); }},
      {"depth", [](Scene& s) { (void)s.world.depth(s.child); }},
      {"is_ancestor", [](Scene& s) { (void)s.world.is_ancestor(s.parent, s.child); }},
      {"disabled_by", [](Scene& s) { (void)s.world.disabled(s.child); }},
      {"prefab_of", [](Scene& s) { (void)s.world.prefab_of(s.child); }},
      {"layer", [](Scene& s) { (void)s.world.layer(s.child); }},
      {"query", [](Scene& s) { (void)s.world.query<const Position>(); }},
      {"names().find", [](Scene& s) { (void)s.world.names().find("parent"); }},
      {"relations().targets", [](Scene& s) { (void)s.world.relations().targets<Likes>(s.parent); }},
      {"resources().get", [](Scene& s) { (void)s.world.resources().get<Gravity>(); }},
      {"resources().get", [](Scene& s) { (void)std::as_const(s.world).resources().get<Gravity>(); }},
      {"resources().find", [](Scene& s) { (void)s.world.resources().find<Wind>(); }},
      {"resources().find", [](Scene& s) { (void)std::as_const(s.world).resources().find<Gravity>(); }},
      {"digest", [](Scene& s) { (void)digest(s.world, Undescribed::leave_out); }},
      {"save",
       [](Scene& s) {
         std::ostringstream out;
         (void)save(s.world, out, {.undescribed = Undescribed::leave_out});
       }},
      {"validate", [](Scene& s) { (void)s.world.validate(); }},
      {"stats", [](Scene& s) { (void)s.world.stats(); }},
      {"each_table", [](Scene& s) { s.world.each_table([](const TableView&) {}); }},
  };
  return all;
}

}  // namespace

}  // namespace strata::test::access_guard_test

#endif

namespace strata::test::access_guard_test {

TEST_SUITE("api/access_guard") {
  TEST_CASE("the guard of threads is off until it is enabled, and only works in checked builds") {
    World world;
    CHECK_FALSE(world.access_guard().enabled());
    CHECK(world.access_guard().enable() == (STRATA_ACCESS_GUARD != 0));
    CHECK(world.access_guard().enabled() == (STRATA_ACCESS_GUARD != 0));
    world.access_guard().disable();
    CHECK_FALSE(world.access_guard().enabled());
    const auto changing = world.access_guard().changing("this test");
    CHECK(world.create());
  }

#if STRATA_ACCESS_GUARD
  TEST_CASE("a change in one thread while another one reads names both, and changes nothing") {
    for (const Named& change : changes()) {
      Scene scene;
      const std::uint64_t before = scene.state();
      const auto reading = scene.world.access_guard().reading("the renderer");
      const std::string message = refusal_elsewhere([&] { change.run(scene); });
      CAPTURE(change.name);
      CAPTURE(message);
      CHECK(message.starts_with(change.name));
      CHECK(says(message,
                 " while the renderer is under way on another thread: one thread at a time changes a world"));
      CHECK(scene.state() == before);
      CHECK(scene.world.validate());
    }
  }

  TEST_CASE("a change in one thread while another one changes names both, and changes nothing") {
    for (const Named& change : changes()) {
      Scene scene;
      const std::uint64_t before = scene.state();
      const auto changing = scene.world.access_guard().changing("the loader");
      const std::string message = refusal_elsewhere([&] { change.run(scene); });
      CAPTURE(change.name);
      CAPTURE(message);
      CHECK(message.starts_with(change.first));
      CHECK(says(message, " while the loader is under way on another thread"));
      CHECK(scene.state() == before);
      CHECK(scene.world.validate());
    }
  }

  TEST_CASE("reading in one thread while another one changes names both") {
    for (const Named& read : reads()) {
      Scene scene;
      const auto changing = scene.world.access_guard().changing("the loader");
      const std::string message = refusal_elsewhere([&] { read.run(scene); });
      CAPTURE(message);
      CHECK(message.starts_with(std::string(read.name) + " while the loader is under way on another thread"));
    }
  }

  TEST_CASE("any number of threads read at the same time") {
    Scene scene;
    const auto reading = scene.world.access_guard().reading("the renderer");
    for (const Named& read : reads()) CHECK(refusal_elsewhere([&] { read.run(scene); }) == "");
    CHECK(refusal_elsewhere([&] {
            scene.world.query<const Position, Maybe<const Burning>>().each([](auto&&...) {});
            const std::array terms{Term{Role::value, *scene.world.find_component(name_of<Position>)}};
            std::as_const(scene.world).query(terms).each([](const ConstRuntimeQuery::Row&) {});
          }) == "");
  }

#endif
}

}  // namespace strata::test::access_guard_test
