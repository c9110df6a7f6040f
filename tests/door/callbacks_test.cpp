// The table of include/strata/callbacks.hpp, cell by cell; what destructors may do is in a file of its own.
#include <strata/callbacks.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <functional>
#include <strata/strata.hpp>
#include <string>
#include <vector>

#include "../support/hooked.hpp"
#include "../support/refusal.hpp"
#include "typed_kinds.hpp"

using namespace strata;
using namespace strata::test;

namespace {

struct Trusting {
  int number = 0;
};

/// A world in which callbacks try everything that the table speaks of.
struct Scene {
  HookScope hooks;
  World world;
  Entity parent = world.create(Health{1});
  std::vector<Entity> children;
  Query<Entity, const Health> healths = world.query<Entity, const Health>();
  std::vector<std::string> wrong;
  std::size_t calls = 0;
  std::size_t recorded = 0;

  Scene() {
    for (int i = 0; i < 8; ++i) {
      children.push_back(world.create(child_of(parent), Health{10 + i}, SparseHealth{20 - i}));
    }
  }
  ~Scene() { Hooks::all() = {}; }

  void expect(bool condition, const std::string& what) {
    if (!condition) wrong.push_back(what);
  }

  void read() {
    for (std::size_t i = 0; i < children.size(); ++i) {
      expect(world.alive(children[i]) && world.has<Health>(children[i]), "alive");
      expect(world.get<Health>(children[i]).points == 10 + static_cast<int>(i), "read");
      expect(world.find<Velocity>(children[i]) == nullptr, "find");
      expect(world.parent(children[i]) == parent, "parent");
    }
  }
  void query(std::size_t count) {
    std::size_t visited = 0;
    healths.each([&](Entity entity, const Health& health) {
      expect(world.alive(entity) && health.points >= 1 && health.points < 18, "visited");
      ++visited;
    });
    for ([[maybe_unused]] auto [entity, health] : healths) ++visited;
    expect(visited == 2 * count && healths.count() == count && healths.first(), "query");
  }
  void expect_no_query() {
    const char* const operation = "makes or moves values";
    expect(says(refusal([&] { healths.each([](Entity, const Health&) {}); }), operation), "each is refused");
    expect(says(refusal([&] { (void)healths.count(); }), operation), "count is refused");
    expect(says(refusal([&] { (void)healths.first(); }), operation), "first is refused");
  }
  void record() { world.commands().create(Trusting{static_cast<int>(++recorded)}, Huge(1), Hooked(-1)); }
  void change(const std::string& operation) {
    const auto refused = [&](const char* what, const std::function<void()>& call) {
      const std::string said = refusal(call);
      expect(says(said, operation.c_str()), std::string(what) + " says: " + said);
    };
    const Entity e = children[2];
    refused("create", [&] { world.create(Health{99}); });
    refused("create below", [&] { world.create(child_of(parent), Health{99}); });
    refused("create_many", [&] { world.create_many(3, Health{99}); });
    refused("create_at", [&] { (void)world.create_at(Entity(500, 1)); });
    refused("destroy", [&] { world.destroy(e); });
    refused("destroy_children", [&] { world.destroy_children(parent); });
    refused("add", [&] { world.add(e, Velocity{}); });
    refused("add what exists", [&] { world.add(e, Health{99}); });
    refused("add to a pool", [&] { world.add(parent, SparseHealth{99}); });
    refused("add by accessor", [&] { world.accessor<SparseHealth>().add(parent, SparseHealth{99}); });
    refused("remove", [&] { world.remove<Health>(e); });
    refused("remove from a pool", [&] { world.remove<SparseHealth>(e); });
    refused("remove by accessor", [&] { world.accessor<SparseHealth>().remove(e); });
    refused("clear", [&] { world.clear<SparseHealth>(); });
    refused("compact", [&] { world.compact<SparseHealth>(); });
    refused("sort", [&] { world.sort<SparseHealth>([](Entity a, Entity b) { return b < a; }); });
    refused("sort_step",
            [&] { world.sort_step<SparseHealth>([](Entity a, Entity b) { return b < a; }, 10); });
    refused("sort_like", [&] { world.sort_like<SparseHealth, SparseHealth>(); });
    refused("set_parent", [&] { (void)world.set_parent(e, children[3]); });
    refused("move_child_before", [&] { (void)world.move_child_before(e, children[0]); });
    refused("clear_parent", [&] { world.clear_parent(e); });
    refused("sort_children", [&] { world.sort_children(parent, [](Entity a, Entity b) { return b < a; }); });
    refused("set_layout", [&] { world.set_layout(parent, Layout::per_level); });
    refused("set_layer", [&] { world.set_layer(e, 3); });
    refused("settle", [&] { world.settle(); });
    refused("shrink", [&] { world.shrink(); });
    refused("set_storage", [&] { world.set_storage<SparseHealth>(Storage::table); });
    refused("instantiate", [&] { world.instantiate(parent); });
    const std::vector<std::uint32_t> parents{kNoParent};
    refused("build_hierarchy", [&] { world.build_hierarchy(parents); });
    refused("flush", [&] { world.flush(); });
  }
  /// Everything of a row of the table in which queries are allowed.
  void everything(const char* operation, std::size_t count = 9) {
    if (++calls > 3) return;
    read();
    query(count);
    change(operation);
    record();
    world.set(parent, Health{1});
  }
  void moving(const char* operation) {
    if (++calls > 3) return;
    read();
    expect_no_query();
    change(operation);
    record();
  }
  void check() {
    Hooks::all() = {};
    for (const std::string& what : wrong) FAIL_CHECK(what);
    CHECK(calls != 0);
    CHECK(world.commands().empty());
    CHECK(world.query<With<Trusting>>().count() == recorded);
    CHECK(world.validate());
    CHECK(world.destroy(children[0]));  // Nothing is under way.
    CHECK(world.validate());
  }
};

}  // namespace

TEST_SUITE("door/callbacks") {
  TEST_CASE("visitors: each, each_block, range-for, cascade, changed") {
    Scene s;
    s.world.query<const Health>().each([&](const Health&) { s.everything("a query is iterating"); });
    s.calls = 0;
    s.world.query<const Health>().each_block(
        [&](std::span<const Health>) { s.everything("a query is iterating"); });
    s.calls = 0;
    for ([[maybe_unused]] auto [health] : s.world.query<const Health>()) s.everything("a query is iterating");
    s.calls = 0;
    s.world.query<const Health>().cascade().each(
        [&](const Health&) { s.everything("a query is iterating"); });
    s.calls = 0;
    s.world.add<Dirty>(s.parent);
    auto query = s.world.query<const Health>();
    (void)query.cascade().changed([&](const Health&) { s.everything("a query is iterating"); });
    s.check();
  }
  TEST_CASE("comparisons and keys: sort_children, order_by") {
    Scene s;
    s.world.sort_children(s.parent, [&](Entity a, Entity b) {
      s.everything("sort_children is under way");
      return a < b;
    });
    s.calls = 0;
    auto query = s.world.query<const Health>();
    query
        .order_by<Health>([&](const Health& a, const Health& b) {
          s.everything("a query is iterating");
          return a.points < b.points;
        })
        .each([](const Health&) {});
    s.check();
  }
  TEST_CASE("comparisons and keys: sort, in every way, and sort_step") {
    const auto sort_by = [](Scene& s, auto way) {
      s.calls = 0;
      s.world.sort<SparseHealth>(
          [&](const SparseHealth& a, const SparseHealth& b) {
            s.everything("sort is under way");
            return a.points < b.points;
          },
          way);
    };
    Scene s;
    sort_by(s, sorting::Stable{});
    s.world.sort<SparseHealth>([](Entity a, Entity b) { return b < a; });
    sort_by(s, sorting::Insertion{});
    s.calls = 0;
    s.world.sort_step<SparseHealth>(
        [&](const SparseHealth& a) {
          s.everything("sort_step is under way");
          return -a.points;
        },
        1000);
    s.check();
  }
  TEST_CASE("fill functions do not see what is being made by queries, and find it by its handle") {
    Scene s;
    auto sparse = s.world.query<const SparseHealth>();
    auto both = s.world.query<const Health, const SparseHealth>();
    for (const std::size_t count : {1u, 10u, 20'000u}) {
      s.calls = 0;
      s.world.create_many<Health, SparseHealth>(
          count, [&](std::span<const Entity> entities, std::span<Health> healths, std::span<SparseHealth>) {
            s.expect(sparse.count() == 8 && both.count() == 8, "a query sees what is being made");
            s.everything("create_many is under way");
            s.expect(s.world.alive(entities[0]) && s.world.has<Health>(entities[0]), "alive");
            s.world.commands().destroy(entities[0]);
            s.world.commands().remove<Health>(entities[0]);
            for (const Entity entity : entities) s.world.commands().destroy(entity);
            for (Health& health : healths) health.points = 5;
          });
      CHECK(sparse.count() == 8);
    }
    const Entity top = s.world.create();
    s.calls = 0;
    s.world.create_many<Hooked, SparseHooked>(3, [&](std::span<const Entity> entities, auto, auto) {
      s.everything("create_many is under way");
      s.expect(s.world.get<Hooked>(entities[0]).number() == 0, "a value that is built is found");
    });
    CHECK(s.world.query<const SparseHooked>().count() == 3);
    s.calls = 0;
    s.world.creator<Trusting, Velocity>(child_of(top)).create_many(5, [&](auto, auto, auto) {
      s.everything("create_many is under way");
      ++s.recorded;
    });
    s.recorded += 4;
    CHECK(s.world.child_count(top) == 5);
    s.check();
  }
  TEST_CASE("a fill function that throws leaves nothing, and queries as they were") {
    Scene s;
    for (const bool first : {true, false}) {
      const auto make = [&] {
        s.world.create_many<Health, SparseHooked>(30'000, [&](std::span<const Entity>, auto, auto) {
          ++s.calls;
          s.query(9);
          if (first || s.calls > 2) throw 1;
        });
      };
      CHECK_THROWS_AS(make(), int);
      s.query(9);
      CHECK(s.world.validate());
    }
    s.check();
  }
  TEST_CASE("moves: rows that change tables, grow, and fill holes") {
    for (const bool below : {false, true}) {
      Scene s;
      std::vector<Entity> hooked;
      const auto make = [&](int i) {
        hooked.push_back(below ? s.world.create(child_of(s.children[0]), Hooked(i), SparseHooked(i))
                               : s.world.create(Hooked(i), SparseHooked(i)));
      };
      for (int i = 0; i < 3; ++i) make(i);
      const auto during = [&](const char* operation, auto change) {
        s.calls = 0;
        s.hooks->moved = [&, operation](int) {
          for (const Entity entity : hooked) {
            // Whatever is found is whole.
            if (const Hooked* value = s.world.find<Hooked>(entity)) s.expect(value->number() >= 0, "table");
            if (const SparseHooked* value = s.world.find<SparseHooked>(entity))
              s.expect(value->number() >= 0, "pool");
          }
          s.moving(operation);
        };
        change();
        s.hooks->moved = nullptr;
        s.expect(s.calls != 0, std::string("nothing was moved by ") + operation);
      };
      during("add", [&] { s.world.add(hooked[0], Velocity{}); });
      during("remove", [&] { s.world.remove<Velocity>(hooked[0]); });
      during("remove", [&] { s.world.remove<Hooked>(hooked[1]); });
      during("remove", [&] { s.world.remove<SparseHooked>(hooked[0]); });
      s.hooks->moved = nullptr;
      for (int i = 3; i < 40; ++i) make(i);
      during("destroy", [&] { s.world.destroy(hooked[5]); });
      during("set_parent", [&] { CHECK(s.world.set_parent(hooked[6], s.parent)); });
      during("set is under way", [&] { s.world.set(hooked[7], Hooked(1)); });
      during("add is under way", [&] { s.world.add(hooked[7], SparseHooked(1)); });
      during("create", [&] {
        for (int i = 0; i < 100; ++i) make(i);
      });
      during("flush", [&] {
        s.world.commands().remove<Hooked>(hooked[8]);
        s.world.flush();
      });
      CHECK(s.world.get<Hooked>(hooked[9]).number() == 9);
      CHECK(s.world.get<SparseHooked>(hooked[9]).number() == 9);
      s.check();
    }
  }
  TEST_CASE("copies: create_many, create_from, build_hierarchy, instantiate") {
    Scene s;
    const auto during = [&](const char* operation, auto change) {
      s.calls = 0;
      s.hooks->copied = [&, operation](int) { s.moving(operation); };
      change();
      s.hooks->copied = nullptr;
      s.expect(s.calls != 0, "nothing was copied");
    };
    const Hooked one(1);
    const SparseHooked two(2);
    s.world.creator<Hooked, SparseHooked>().create_many(3, one, two);
    const std::vector<Hooked> column(4, one);
    during("create_many is under way",
           [&] { s.world.create_from<Hooked>(4, std::span<const Hooked>(column)); });
    const std::vector<std::uint32_t> parents{kNoParent, 0, 0, 1};
    during("build_hierarchy is under way", [&] { CHECK(s.world.build_hierarchy(parents, column).outcome); });
    const Entity root = s.world.create(Hooked(1), SparseHooked(2));
    s.world.create(child_of(root), Hooked(3));
    during("instantiate is under way", [&] { CHECK(s.world.instantiate(root, 5).size() == 5); });
    s.check();
  }
  TEST_CASE("keep_going of shrink") {
    Scene s;
    CHECK(s.world.shrink([&] {
      s.everything("shrink is under way");
      return true;
    }));
    s.check();
  }
  TEST_CASE("the contract handler may do what is allowed where the contract is broken") {
    static Scene* scene = nullptr;
    Scene s;
    scene = &s;
    s.world.query<const Health>().each([&](const Health&) {
      if (s.calls != 0) return;
      const ContractHandler before = set_contract_handler([](const ContractFailure& failure) {
        set_contract_handler(nullptr);
        scene->everything("a query is iterating");
        throw ContractViolation(failure.message);
      });
      CHECK_THROWS_AS(s.world.destroy(s.parent), ContractViolation);
      set_contract_handler(before);
    });
    s.check();
  }
}
