// What the destructor of a component may do.
#include <doctest/doctest.h>

#include <cstddef>
#include <strata/strata.hpp>
#include <string>
#include <vector>

#include "../hierarchy/tree_turns.hpp"
#include "../support/hooked.hpp"
#include "../support/refusal.hpp"
#include "typed_kinds.hpp"

namespace strata::test::callbacks_destructors_test {

namespace {

/// Keeps the handle of its entity's copy, and fails to be remapped.
struct Unmapped {
  Entity self;
  static inline Entity copy;
};
void remap_entities(Unmapped& value, const EntityMap& map) {
  Unmapped::copy = map(value.self);
  throw std::runtime_error("half way");
}

/// Entities with values in a table, in a pool and in a stable pool; what their destructors see.
struct Scene {
  HookScope hooks;
  World world;
  std::vector<Entity> entities;
  std::vector<std::string> wrong;
  int destroyed = 0;

  explicit Scene(WorldOptions options = {}) : world(options) {}
  ~Scene() { Hooks::all() = {}; }

  Entity create(Entity parent, int number) {
    const Entity entity =
        parent ? world.create(child_of(parent), Hooked(number), SparseHooked(number), StableHooked(number))
               : world.create(Hooked(number), SparseHooked(number), StableHooked(number));
    entities.push_back(entity);
    return entity;
  }

  void expect(bool condition, const char* what) {
    if (!condition) wrong.emplace_back(what);
  }

  /// Has each destructor look at the whole world.
  void look(std::size_t remaining) {
    hooks->destroyed = [this, remaining](int) {
      ++destroyed;
      std::size_t rows = 0;
      world.query<Entity, const Hooked, const SparseHooked, const StableHooked>().each(
          [&](Entity entity, const Hooked& a, const SparseHooked& b, const StableHooked& c) {
            expect(world.alive(entity), "a visited entity is not alive");
            expect(a.number() == b.number() && b.number() == c.number(), "a value is of another entity");
            ++rows;
          });
      expect(rows == remaining, "other rows are visited than remain");
      expect(world.size() == remaining, "other entities are counted than remain");
      expect(world.validate() ? true : false, "the world is not whole");
      std::size_t alive = 0;
      for (const Entity entity : entities) {
        if (!world.alive(entity)) {
          expect(world.find<Hooked>(entity) == nullptr, "a dead entity has a value");
          expect(world.find<SparseHooked>(entity) == nullptr, "a dead entity has a side value");
          expect(world.children(entity).begin() == world.children(entity).end(),
                 "a dead entity has children");
          continue;
        }
        ++alive;
        for (const Entity child : world.children(entity)) expect(world.alive(child), "a child is dead");
        expect(world.get<Hooked>(entity).number() == world.get<StableHooked>(entity).number(),
               "values differ");
      }
      expect(alive == remaining, "other entities are alive than remain");
    };
  }

  /// Has each destructor try what is refused, in the name of `operation`.
  void meddle(const char* operation) {
    hooks->destroyed = [this, operation](int) {
      ++destroyed;
      for (const Entity entity : entities) {
        const auto refused = [&](auto change) { expect(says(refusal(change), operation), operation); };
        refused([&] { world.destroy(entity); });
        refused([&] { world.remove<SparseHooked>(entity); });
        refused([&] { world.remove<StableHooked>(entity); });
        refused([&] { world.remove<Hooked>(entity); });
        refused([&] { world.pool<SparseHooked>().clear(); });
        refused([&] { world.create(Health{1}); });
        refused([&] { world.flush(); });
        break;
      }
      for (std::size_t i = 1; i < entities.size() && i < 5; ++i) {
        expect(says(refusal([&] { world.destroy(entities[i]); }), operation), "destroy of another");
        expect(says(refusal([&] { (void)world.set_parent(entities[i], entities[0]); }), operation),
               "set_parent");
      }
    };
  }

  void check() {
    hooks->destroyed = nullptr;
    CHECK(wrong == std::vector<std::string>{});
    CHECK(destroyed > 0);
    CHECK(world.validate());
  }
};

}  // namespace

TEST_SUITE("api/callbacks_destructors") {
  TEST_CASE("a destructor may run queries while commands are applied, which does not apply the rest") {
    const HookScope hooks;
    World world;
    auto healths = world.query<const Health>();
    std::vector<Entity> entities;
    for (int i = 0; i < 10; ++i) entities.push_back(world.create(Health{i}, Hooked(i), SparseHooked(i)));
    int seen = 0;
    hooks->destroyed = [&](int) {
      healths.each([&](const Health&) { ++seen; });
      for ([[maybe_unused]] auto [health] : healths) ++seen;
    };
    for (const Entity entity : entities) {
      world.commands().remove<Hooked>(entity);
      world.commands().remove<SparseHooked>(entity);
      world.commands().add(entity, Velocity{});
    }
    world.flush();
    hooks->destroyed = nullptr;
    CHECK(seen == 10 * 2 * 2 * 10);
    CHECK(world.query<With<Velocity>>().count() == 10);
    CHECK(world.validate());
  }
  TEST_CASE("destroying an entity: its destructors see a whole world without it") {
    for (std::size_t doomed : {0u, 7u, 9u}) {
      Scene s;
      for (int i = 0; i < 10; ++i) s.create({}, i);
      s.look(9);
      s.world.destroy(s.entities[doomed]);
      CHECK(s.destroyed == 3);
      s.check();
    }
  }
  TEST_CASE("destroying a subtree: its destructors see a whole world without it") {
    for (const Layout layout : kLayouts) {
      for (const int wide : {3, 40}) {
        for (const bool all : {false, true}) {
          Scene s({.layout = layout});
          const Entity top = s.create({}, 1000);
          for (int i = 0; i < wide; ++i) {
            const Entity child = s.create(top, i);
            for (int k = 0; k < 5; ++k) s.create(s.create(child, 100 + k), 200 + k);
          }
          const Entity other = s.create({}, 5000);
          for (int i = 0; i < 20; ++i) s.create(s.create(other, 6000 + i), 7000 + i);
          const std::size_t below = static_cast<std::size_t>(wide) * 11;
          if (all) {
            s.look(41);
            s.world.destroy(top);
          } else {
            s.look(41 + 1 + below - 11);
            s.world.destroy(*s.world.children(top).begin());
          }
          s.check();
        }
      }
    }
  }
  TEST_CASE("destroying a good part of the world, in one pass, leaves it whole for destructors") {
    Scene s;
    std::vector<Entity> tops;
    for (int t = 0; t < 2; ++t) {
      tops.push_back(s.create({}, t));
      for (int i = 0; i < 1500; ++i) s.create(tops.back(), i);
    }
    int seen = 0;
    s.hooks->destroyed = [&](int) {
      if (++s.destroyed % 500 != 0) return;
      s.expect(s.world.size() == 1501, "size");
      s.expect(s.world.query<const Hooked, const SparseHooked>().count() == 1501, "count");
      s.expect(s.world.validate() ? true : false, "whole");
      ++seen;
    };
    s.world.destroy(tops[0]);
    CHECK(seen > 3);
    s.check();
  }
  TEST_CASE(
      "a failed create_many: the destructors of its values find none of its entities and run no query") {
    for (const Storage storage : {Storage::table, Storage::sparse}) {
      Scene s;
      s.world.set_storage<SparseHooked>(storage);
      const Entity parent = s.create({}, 1);
      s.create(parent, 2);
      auto spawner = s.world.spawner<Hooked, SparseHooked, StableHooked>(child_of(parent));
      std::vector<Entity> made;
      std::size_t refused = 0;
      s.hooks->destroyed = [&](int) {
        ++s.destroyed;
        for (const Entity entity : made) {
          s.expect(!s.world.alive(entity), "an entity is alive");
          s.expect(s.world.find<Hooked>(entity) == nullptr, "a value is found");
        }
        s.expect(s.world.get<Hooked>(parent).number() == 1, "another value is not found");
        refused +=
            says(refusal([&] { (void)s.world.query<const Hooked>().count(); }), "makes or moves values");
        s.world.commands().remove<OtherHooked>(parent);
      };
      const auto fail = [&](std::span<const Entity> entities, auto, auto, auto) {
        made.assign(entities.begin(), entities.end());
        throw std::runtime_error("half way");
      };
      CHECK_THROWS_AS(spawner.create_many(20, fail), std::runtime_error);
      CHECK(s.destroyed == 3 * 20);
      CHECK(refused >= 20);
      CHECK(s.wrong == std::vector<std::string>{});
      CHECK(s.world.size() == 2);
      CHECK(s.world.validate());
    }
  }
  TEST_CASE("a failed instantiate: the destructors of its values do not find the copy") {
    Scene s;
    const Entity original = s.create({}, 1);
    s.world.add(original, Unmapped{original});
    s.hooks->destroyed = [&](int) {
      ++s.destroyed;
      s.expect(!s.world.alive(Unmapped::copy), "the copy is alive");
      s.expect(s.world.find<Hooked>(Unmapped::copy) == nullptr, "a value of the copy is found");
    };
    CHECK_THROWS_AS(s.world.instantiate(original), std::runtime_error);
    CHECK(Unmapped::copy != original);
    CHECK(s.destroyed == 3);
    CHECK(s.wrong == std::vector<std::string>{});
    CHECK(s.world.size() == 1);
    CHECK(s.world.validate());
  }
  TEST_CASE("removing and replacing: the destructor of the old value sees the change complete") {
    Scene s;
    for (int i = 0; i < 6; ++i) s.create({}, i);
    const Entity e = s.entities[2];
    int calls = 0;
    bool whole = true;
    auto counts = [&](std::size_t tables, std::size_t pools, std::size_t stable) {
      s.hooks->destroyed = [&, tables, pools, stable](int) {
        ++calls;
        whole = whole && s.world.query<const Hooked>().count() == tables &&
                s.world.query<const SparseHooked>().count() == pools &&
                s.world.query<const StableHooked>().count() == stable && s.world.size() == 6 &&
                s.world.validate();
      };
    };
    counts(5, 6, 6);
    s.world.remove<Hooked>(e);
    counts(5, 5, 6);
    s.world.remove<SparseHooked>(e);
    counts(5, 5, 5);
    s.world.remove<StableHooked>(e);
    CHECK(calls == 3);
    const Entity f = s.entities[3];
    int seen = 0;
    s.hooks->destroyed = [&](int number) {
      ++calls;
      s.hooks->destroyed = nullptr;
      seen = number == 3 ? s.world.get<Hooked>(f).number() + s.world.get<SparseHooked>(f).number() : -1;
    };
    s.world.set(f, Hooked(100));
    CHECK(seen == 103);
    s.hooks->destroyed = [&](int number) {
      s.hooks->destroyed = nullptr;
      seen = number + s.world.get<SparseHooked>(f).number();
    };
    s.world.add(f, SparseHooked(200));
    CHECK(seen == 203);
    Hooked by_id(300);
    s.hooks->destroyed = [&](int number) {
      s.hooks->destroyed = nullptr;
      seen = number + s.world.get<Hooked>(f).number();
    };
    alignas(Hooked) std::byte room[sizeof(Hooked)];
    s.world.add(f, s.world.component<Hooked>(), ::new (room) Hooked(300));
    CHECK(seen == 400);
    s.hooks->destroyed = [&](int) {
      ++calls;
      whole = whole && s.world.query<const SparseHooked>().count() == 0 && s.world.validate();
    };
    calls = 0;
    CHECK(s.world.pool<SparseHooked>().clear() == 5);
    CHECK(calls == 5);
    CHECK(whole);
    s.destroyed = 1;
    s.check();
  }
  TEST_CASE("a destructor may not change structure: not its own entity, nor a neighbour, nor the same pool") {
    for (const Layout layout : kLayouts) {
      Scene s({.layout = layout});
      const Entity top = s.create({}, 0);
      for (int i = 0; i < 10; ++i) s.create(s.create(top, i), 100 + i);
      s.meddle("destroy is under way");
      s.world.destroy(s.entities[3]);
      s.world.destroy(s.entities[4]);
      s.meddle("destroy_children is under way");
      s.world.destroy_children(s.entities[5]);
      s.meddle("remove is under way");
      s.world.remove<Hooked>(s.entities[7]);
      s.world.remove<SparseHooked>(s.entities[7]);
      s.world.remove<StableHooked>(s.entities[7]);
      s.meddle("clear is under way");
      s.world.pool<StableHooked>().clear();
      s.meddle("set is under way");
      s.world.set(s.entities[9], Hooked(1));
      s.meddle("add is under way");
      s.world.add(s.entities[9], Hooked(2));
      s.world.add(s.entities[9], SparseHooked(2));
      s.meddle("is under way");
      s.world.commands().remove<Hooked>(s.entities[9]);
      s.world.commands().add(s.entities[9], SparseHooked(3));
      s.world.commands().destroy(s.entities[11]);
      s.world.flush();
      s.meddle("destroy is under way");
      s.world.destroy(top);
      s.check();
      CHECK(s.world.size() == 0);
    }
  }
  TEST_CASE("what a destructor records is applied when the operation has ended") {
    Scene s;
    for (int i = 0; i < 10; ++i) s.create({}, i);
    int depth = 0;
    s.hooks->destroyed = [&](int number) {
      s.expect(depth == 0, "a destructor runs inside another");
      ++depth;
      s.world.commands().destroy(s.entities[static_cast<std::size_t>(number + 1) % 10]);
      s.world.commands().create(Health{number});
      --depth;
      ++s.destroyed;
    };
    s.world.destroy(s.entities[0]);  // Each one has the next one destroyed.
    s.hooks->destroyed = nullptr;
    CHECK(s.world.commands().empty());
    CHECK(s.destroyed == 30);
    CHECK(s.world.query<const Health>().count() == 30);
    CHECK(s.world.size() == 30);
    s.check();
  }
  TEST_CASE("the world ends all entities before it destroys their values, and drops what is recorded then") {
    const HookScope hooks;
    int destroyed = 0;
    bool empty = true;
    {
      std::vector<Entity> entities;
      World world;
      for (int i = 0; i < 20; ++i) {
        entities.push_back(world.create(Hooked(i), SparseHooked(i), StableHooked(i)));
        if (i != 0) (void)world.set_parent(entities.back(), entities[static_cast<std::size_t>(i) / 2]);
      }
      world.commands().create(Hooked(-5), SparseHooked(-5));
      hooks->destroyed = [&](int number) {
        ++destroyed;
        for (const Entity entity : entities)
          empty = empty && !world.alive(entity) && world.find<Hooked>(entity) == nullptr;
        world.query<const Hooked>().each([&](const Hooked&) { empty = false; });
        empty = empty && world.query<With<SparseHooked>>().count() == 0;
        if (number >= 0) world.commands().create(Hooked(-1), Huge(1));
      };
    }
    CHECK(destroyed == 60 + 2 + 60);
    CHECK(empty);
  }
}

}  // namespace strata::test::callbacks_destructors_test
