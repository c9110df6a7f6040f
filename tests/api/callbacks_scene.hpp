// A world in which code of the user tries everything that the table of include/strata/callbacks.hpp speaks of.
#pragma once

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

namespace strata::test {

struct Trusting {
  int number = 0;
};

/// In which callbacks try everything; each of them at most three times.
struct CallbackScene {
  HookScope hooks;
  World world;
  Entity parent = world.create(Health{1});
  std::vector<Entity> children;
  Query<Entity, const Health> healths = world.query<Entity, const Health>();
  std::vector<std::string> wrong;
  std::size_t calls = 0;
  std::size_t recorded = 0;

  CallbackScene() {
    for (int i = 0; i < 8; ++i) {
      children.push_back(world.create(child_of(parent), Health{10 + i}, SparseHealth{20 - i}));
    }
  }
  ~CallbackScene() { Hooks::all() = {}; }

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
  void check_no_query() {
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
    refused("clear", [&] { world.pool<SparseHealth>().clear(); });
    refused("compact", [&] { world.pool<SparseHealth>().compact(); });
    refused("sort", [&] { world.pool<SparseHealth>().sort([](Entity a, Entity b) { return b < a; }); });
    refused("sort_step",
            [&] { world.pool<SparseHealth>().sort_step([](Entity a, Entity b) { return b < a; }, 10); });
    refused("sort_like", [&] { world.pool<SparseHealth>().sort_like<SparseHealth>(); });
    refused("set_parent", [&] { (void)world.set_parent(e, children[3]); });
    refused("move_child_before", [&] { (void)world.move_child_before(e, children[0]); });
    refused("clear_parent", [&] { world.clear_parent(e); });
    refused("sort_children", [&] { world.sort_children(parent, [](Entity a, Entity b) { return b < a; }); });
    refused("set_layout", [&] { world.set_layout(parent, Layout::per_level); });
    refused("set_layer", [&] { world.set_layer(e, 3); });
    refused("defragment", [&] { world.defragment(); });
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
    check_no_query();
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

}  // namespace strata::test
