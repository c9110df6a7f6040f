// What constructors may do that move or copy a value.
#include <strata/strata.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "callbacks_scene.hpp"

namespace strata::test::callbacks_moves_test {

namespace {

using Scene = CallbackScene;

// A value that is larger than all others, with a destructor.
struct Large {
  std::vector<int> numbers{1, 2, 3};
  std::array<std::byte, 1000> bytes{};
};

template <int>
struct Late {
  int number = 0;
};

/// Uses several lists of types for the first time.
void use_more_lists(World& world) {
  [&]<int... number>(std::integer_sequence<int, number...>) {
    (static_cast<void>(world.spawner<Late<number>>()), ...);
  }
  (std::make_integer_sequence<int, 12>());
}

}  // namespace

TEST_SUITE("api/callbacks_moves") {
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
      for (const bool again : {false, true}) {
        s.hooks->moved = nullptr;
        const Entity late =
            again ? hooked.back() : s.world.commands().create(Hooked(1), SparseHooked(1), Owner(1));
        if (again) s.world.commands().add(late, Hooked(1));
        if (again) s.world.commands().add(late, SparseHooked(1));
        hooked.push_back(late);
        during("flush", [&] {
          s.hooks->moved = [&, meanwhile = s.hooks->moved](int number) {
            const Owner* const owner = s.world.find<Owner>(late);
            s.expect(owner == nullptr || *owner->value == 1, "Owner");
            meanwhile(number);
          };
          s.world.flush();
        });
      }
      CHECK(s.world.get<Hooked>(hooked[9]).number() == 9);
      CHECK(s.world.get<SparseHooked>(hooked[9]).number() == 9);
      s.check();
    }
  }
  TEST_CASE("moves: the first values of a list of types, and those of components stored elsewhere") {
    for (const bool elsewhere : {false, true}) {
      Scene s;
      auto spawner = s.world.spawner<Hooked, StableHooked>();
      if (elsewhere) s.world.set_storage<Hooked>(Storage::sparse);
      const auto during = [&](const char* operation, auto create) {
        s.calls = 0;
        s.hooks->moved = [&, operation](int) { s.moving(operation); };
        create();
        s.hooks->moved = nullptr;
        s.expect(s.calls != 0, "nothing was moved");
      };
      during("create", [&] { s.world.create(Hooked(1), SparseHooked(2)); });
      during("create", [&] { s.world.create(child_of(s.parent), Hooked(1), StableHooked(2)); });
      during("create", [&] { spawner.create(Hooked(1), StableHooked(2)); });
      during("recording", [&] { s.world.commands().create(Hooked(1), SparseHooked(2)); });
      during("recording", [&] { s.world.commands().add(s.children[0], Hooked(1)); });
      s.world.flush();
      CHECK(s.world.query<With<Hooked>>().count() == 5 + s.recorded);
      s.check();
    }
  }
  TEST_CASE("moves: those of new and of present values may use further lists of types") {
    const HookScope hooks;
    for (const int moved_when : {0, 1}) {  // Values of this number are moved while further lists are used.
      for (const bool below : {false, true}) {
        World world;  // A new one, as a world that has used these lists of types does not add them again.
        const Entity parent = world.create(Health{1});
        const auto create = [&](int number) {
          return below ? world.create(child_of(parent), Hooked(number), Position{1, 2, 3})
                       : world.create(Hooked(number), Position{1, 2, 3});
        };
        create(0);
        create(0);
        bool used = false;
        hooks->moved = [&](int number) {
          if (number == moved_when && !std::exchange(used, true)) use_more_lists(world);
        };
        while (!used) CHECK(world.get<Position>(create(1)) == Position{1, 2, 3});
        hooks->moved = nullptr;
        world.query<const Position>().each([](const Position& at) { CHECK(at == Position{1, 2, 3}); });
        CHECK(world.validate());
      }
    }
  }
  TEST_CASE("moves: values that are sorted, compacted, stored elsewhere, defragmented, or made fewer") {
    Scene s;
    std::vector<Entity> hooked;
    for (int i = 0; i < 60; ++i) {
      hooked.push_back(
          s.world.create(child_of(i < 3 ? s.parent : hooked[static_cast<std::size_t>(i * 7 % i)]), Hooked(i),
                         SparseHooked(i * 37 % 60), StableHooked(i), Huge(i)));
    }
    const auto during = [&](const char* operation, auto change) {
      s.calls = 0;
      s.hooks->moved = [&, operation](int) {
        for (const Entity entity : hooked) {
          if (const Hooked* value = s.world.find<Hooked>(entity)) s.expect(value->number() >= 0, "Hooked");
          if (const auto* value = s.world.find<SparseHooked>(entity))
            s.expect(value->number() >= 0, "Sparse");
          if (const auto* value = s.world.find<StableHooked>(entity))
            s.expect(value->number() >= 0, "Stable");
          if (const void* value = s.world.find(entity, s.world.component<Hooked>()))
            s.expect(static_cast<const Hooked*>(value)->number() >= 0, "Hooked by id");
        }
        s.moving(operation);
      };
      change();
      s.hooks->moved = nullptr;
      s.expect(s.calls != 0, std::string("nothing was moved by ") + operation);
    };
    const auto falling = [](const SparseHooked& a, const SparseHooked& b) { return b.number() < a.number(); };
    const auto rising = [](const SparseHooked& a, const SparseHooked& b) { return a.number() < b.number(); };
    const auto by_key = [](const SparseHooked& a) { return a.number() * 37 % 60; };
    during("sort is", [&] { s.world.pool<SparseHooked>().sort(falling); });
    during("sort is", [&] { s.world.pool<SparseHooked>().sort(rising, sorting::InPlace<>()); });
    during("sort is", [&] { s.world.pool<SparseHooked>().sort(falling, sorting::BySwaps<>()); });
    during("sort is", [&] { s.world.pool<SparseHooked>().sort(by_key, sorting::Insertion()); });
    during("sort_step is", [&] { s.world.pool<SparseHooked>().sort_step(rising, 40); });
    during("sort_like is", [&] { s.world.pool<SparseHooked>().sort_like<StableHooked>(); });
    s.hooks->moved = nullptr;
    s.world.pool<SparseHooked>().sort(falling);
    during("sort_by_depth is", [&] { s.world.pool<SparseHooked>().sort_by_depth(); });
    for (std::size_t i = 0; i < hooked.size(); i += 2) s.world.remove<StableHooked>(hooked[i]);
    during("compact is", [&] { CHECK(s.world.pool<StableHooked>().compact() != 0); });
    during("set_storage is", [&] { s.world.set_storage<Hooked>(Storage::sparse); });
    during("set_storage is", [&] { s.world.set_storage<SparseHooked>(Storage::table); });
    during("set_storage is", [&] { s.world.set_storage<StableHooked>(Storage::table); });
    during("set_storage is", [&] { s.world.set_storage<Hooked>(Storage::table); });
    during("set_layout is", [&] { s.world.set_layout(hooked[0], Layout::per_parent); });
    during("set_parent", [&] { CHECK(s.world.set_parent(hooked[1], hooked[0])); });
    for (std::size_t i = 3; i < hooked.size(); i += 3) s.world.destroy(hooked[i], ChildPolicy::orphan);
    s.world.defragment();
    const std::vector<Entity> parents{s.world.create(), s.world.create(), s.world.create()};
    for (const Entity parent : parents) s.world.set_layout(parent, Layout::per_level);
    for (std::size_t i = 0; i < 20; ++i) s.world.create(child_of(parents[i % 3]), Hooked(0), Health{2});
    during("defragment is", [&] { s.world.defragment(); });
    std::vector<Entity> roots;
    for (int i = 0; i < 100; ++i) roots.push_back(s.world.create(Hooked(0)));
    for (std::size_t i = 5; i < roots.size(); ++i) s.world.destroy(roots[i]);
    during("shrink is", [&] { s.world.shrink(); });
    for (const Entity entity : hooked) {
      if (!s.world.alive(entity)) continue;
      CHECK(s.world.get<SparseHooked>(entity).number() == s.world.get<Hooked>(entity).number() * 37 % 60);
    }
    s.check();
  }
  TEST_CASE("moves: a value that a recorded one replaces, while its move records a larger one") {
    const int alive = live_hooked;
    {
      HookScope hooks;
      World world;
      const Entity entity = world.create(Hooked(1));
      const Entity other = world.create();
      world.commands().add(entity, Hooked(2));
      hooks->moved = [&](int) {
        hooks->moved = nullptr;
        world.commands().add(other, Large());
      };
      world.flush();
      CHECK(world.get<Hooked>(entity).number() == 2);
      CHECK(world.get<Large>(other).numbers == std::vector{1, 2, 3});
    }
    CHECK(live_hooked == alive);
  }
  TEST_CASE("copies: create_many, create_many, build_hierarchy, instantiate") {
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
    s.world.spawner<Hooked, SparseHooked>().create_many(3, one, two);
    const std::vector<Hooked> column(4, one);
    during("create_many is under way",
           [&] { s.world.create_many<Hooked>(4, std::span<const Hooked>(column)); });
    const std::vector<std::uint32_t> parents{kNoParent, 0, 0, 1};
    during("build_hierarchy is under way", [&] { CHECK(s.world.build_hierarchy(parents, column).outcome); });
    const Entity root = s.world.create(Hooked(1), SparseHooked(2));
    s.world.create(child_of(root), Hooked(3));
    during("instantiate is under way", [&] { CHECK(s.world.instantiate(root, 5).size() == 5); });
    s.check();
  }

  TEST_CASE("copies: those that instantiate makes are not found before all of their values exist") {
    const HookScope hooks;
    const auto build = [](World& world) {
      const Entity root = world.create(Health{1}, SparseHooked(2));
      world.create(child_of(root), Health{3});
      return root;
    };
    World twin;  // Its handles are those of `world`.
    std::vector<Entity> made{twin.instantiate(build(twin))};
    for (const Entity child : twin.children(made[0])) made.push_back(child);
    World world;
    const Entity root = build(world);
    int looks = 0;
    hooks->copied = [&](int) {
      ++looks;
      for (const Entity entity : made) CHECK_FALSE(world.alive(entity));
    };
    CHECK(world.instantiate(root) == made[0]);
    CHECK(looks == 1);
    CHECK(world.get<Health>(made[1]).points == 3);
    CHECK(world.get<SparseHooked>(made[0]).number() == 2);
    CHECK(world.validate());
  }
  TEST_CASE("moves: rows that fill holes of a large subtree, whose entities are destroyed by then") {
    const int alive = live_hooked;
    {
      HookScope hooks;
      World world;
      const Entity top = world.create();
      const Entity inner = world.create(child_of(top), Hooked(1));
      const Entity survivor = world.create(child_of(world.create()), Hooked(2));
      std::vector<Entity> leaving(1200);
      world.spawner<Health>(child_of(inner)).create_many(leaving, Health{3});
      leaving.insert(leaving.end(), {top, inner});
      int moves = 0;
      bool found = false;
      hooks->moved = [&](int) {
        ++moves;
        for (const Entity entity : leaving)
          found = found || world.alive(entity) || world.find<Health>(entity) != nullptr;
      };
      world.destroy(top);
      hooks->moved = nullptr;
      CHECK(moves != 0);
      CHECK_FALSE(found);
      CHECK(world.get<Hooked>(survivor).number() == 2);
      CHECK(world.validate());
    }
    CHECK(live_hooked == alive);
  }
}

}  // namespace strata::test::callbacks_moves_test
