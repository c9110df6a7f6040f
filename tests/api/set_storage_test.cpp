#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <array>
#include <memory_resource>
#include <span>
#include <string>
#include <vector>

#include "../support/failing_memory.hpp"
#include "../support/refusal.hpp"
#include "../support/tracked.hpp"
#include "typed_kinds.hpp"

namespace strata::test::set_storage_test {

namespace {

constexpr std::array kLayouts{Layout::per_parent, Layout::per_level, Layout::adaptive};

/// A world with a tree of everything.
struct Scene {
  explicit Scene(Layout layout = Layout::adaptive, std::pmr::memory_resource* memory = nullptr)
      : world(WorldOptions{.layout = layout,
                           .memory = memory != nullptr ? memory : std::pmr::get_default_resource(),
                           .large_family = 4}) {
    for (int i = 0; i < 60; ++i) {
      entities.push_back(i == 0 ? world.create() : world.create(child_of(entities[entities.size() / 4])));
      for (std::size_t kind = 0; kind < kTypedKinds.size(); ++kind) {
        if ((i / 3 + static_cast<int>(kind)) % 3 != 0) kTypedKinds[kind].add(world, entities.back(), i);
      }
    }
  }

  std::string seen() {
    std::string text;
    for (const Entity entity : entities) {
      text += '\n' + to_string(entity) + " under " + to_string(world.parent(entity));
      for (const TypedKind& kind : kTypedKinds) {
        if (!kind.has(world, entity)) continue;
        text += ' ' + std::string(kind.name) + '=' + std::to_string(kind.read(world, entity));
      }
    }
    return text;
  }
  void check() {
    const Outcome sound = world.validate();
    CHECK_MESSAGE(sound, sound.message());
  }

  World world;
  std::vector<Entity> entities;
};

}  // namespace

TEST_SUITE("api/set_storage") {
  TEST_CASE("components of every kind go to the other storage and back, in every layout") {
    const CountedScope scope;
    for (const Layout layout : kLayouts) {
      Scene scene(layout);
      const std::string before = scene.seen();
      for (int turn = 0; turn < 2; ++turn) {
        for (const TypedKind& kind : kTypedKinds) {
          switch_storage(scene.world, kind);
          CHECK(scene.seen() == before);
          scene.check();
        }
      }
      scene.world.defragment();
      CHECK(scene.seen() == before);
      scene.check();
    }
    CHECK(scope.clean());
  }
  TEST_CASE("a type says where a component is at first, and each world where it is now") {
    World one;
    World two;
    const Entity first = one.create(Health{1}, SparseHealth{2});
    const Entity second = two.create(Health{1}, SparseHealth{2});
    CHECK(one.storage<Health>() == Storage::table);
    CHECK(one.storage<Position>() == Storage::table);  // Which no world has seen.
    CHECK(one.storage<SparsePosition>() == Storage::sparse);
    one.set_storage<Health>(Storage::sparse);
    two.set_storage<SparseHealth>(Storage::table);
    CHECK(one.storage<Health>() == Storage::sparse);
    CHECK(one.storage(one.component<SparseHealth>()) == Storage::sparse);
    CHECK(two.storage<Health>() == Storage::table);
    CHECK(two.storage<SparseHealth>() == Storage::table);
    for (auto& [world, entity] : {std::pair<World&, Entity>(one, first), {two, second}}) {
      CHECK(world.get<Health>(entity) == Health{1});
      CHECK(world.get<SparseHealth>(entity) == SparseHealth{2});
      CHECK(world.validate());
    }
  }
  TEST_CASE("everything that is done with a component is done where it is now") {
    for (const auto& [health, sparse] : {std::pair(Storage::sparse, Storage::table),
                                         {Storage::sparse, Storage::sparse},
                                         {Storage::table, Storage::table}}) {
      World world;
      world.set_storage<Health>(health);
      world.set_storage<SparseHealth>(sparse);
      const Entity entity = world.create(Health{1}, SparseHealth{2}, Name{3});
      const Entity child = world.create(child_of(entity), SparseHealth{4}, Health{5});
      CHECK(detail::parts_of(world).store.find(entity, world.component<Health>()) ==
            &world.get<Health>(entity));
      const detail::SparsePool* const pool =
          detail::parts_of(world).store.side().find(world.component<Health>());
      CHECK((pool != nullptr && pool->contains(entity)) == (health == Storage::sparse));
      CHECK(world.get<SparseHealth>(entity).points == 2);
      CHECK(std::as_const(world).get<Health>(child).points == 5);
      world.set(child, Health{6});
      CHECK(world.find<Health>(child)->points == 6);
      CHECK(world.add(child, SparseHealth{7}).points == 7);
      CHECK(world.remove<Health>(child));
      CHECK(!world.remove<Health>(child));
      CHECK(!world.has<Health>(child));
      CHECK(world.find<Health>(child) == nullptr);
      CHECK(says(refusal([&] { (void)world.get<Health>(child); }), "has no strata::test::Health"));
      CHECK(world.add(child, Health{8}).points == 8);
      CHECK(world.destroy(entity));
      CHECK(!world.has<SparseHealth>(child));
      CHECK(world.validate());
    }
  }
  TEST_CASE("spawners and accessors made before go on") {
    World world;
    auto roots = world.spawner<Health, SparseHealth, Frozen, SparseFrozen>();
    const Entity parent = world.create();
    auto children = world.spawner<SparseOwner, Owner>(child_of(parent));
    auto health = world.accessor<Health>();
    auto sparse = world.accessor<SparseHealth>();
    auto frozen = world.accessor<Frozen>();
    auto sparse_frozen = world.accessor<SparseFrozen>();
    int number = 0;
    const auto use = [&] {
      ++number;
      const Entity root = roots.create(Health{number}, SparseHealth{-number}, {}, {});
      const Entity child = children.create(SparseOwner(number), Owner(-number));
      CHECK(health.get(root).points == number);
      CHECK(sparse.get(root).points == -number);
      CHECK(world.get<Health>(root).points == number);
      CHECK(*world.get<SparseOwner>(child).value == number);
      CHECK(*world.get<Owner>(child).value == -number);
      CHECK((frozen.contains(root) && sparse_frozen.contains(root) && world.has<Frozen>(root)));
      CHECK((frozen.remove(root) && sparse_frozen.remove(root) && !frozen.remove(root)));
      CHECK(!(frozen.contains(root) || sparse_frozen.contains(root) || world.has<SparseFrozen>(root)));
      CHECK((health.find(child) == nullptr && sparse.find(child) == nullptr));
      CHECK(health.add(child, Health{3}).points == 3);
      CHECK(sparse.add(child, SparseHealth{4}).points == 4);
      CHECK(sparse.add(child, SparseHealth{5}).points == 5);
      CHECK((world.get<Health>(child).points == 3 && world.get<SparseHealth>(child).points == 5));
      CHECK((health.remove(child) && sparse.remove(child) && !sparse.remove(child) && !health.remove(child)));
      std::size_t rows = 0;
      CHECK(roots.create_many(700, [&](std::span<const Entity> entities, std::span<Health> values,
                                       std::span<SparseHealth> sparse_values) {
        for (std::size_t i = 0; i < entities.size(); ++i, ++rows) {
          values[i].points = static_cast<int>(rows);
          sparse_values[i].points = -static_cast<int>(rows);
        }
      }) == 700);
      std::vector<Entity> many(300);
      CHECK(world.create_many(many, Health{number}, SparseFrozen{}) == 300);
      CHECK((health.get(many[299]).points == number && sparse_frozen.contains(many[0])));
      CHECK(world.validate());
    };
    use();
    for (const TypedKind& kind : kTypedKinds) {
      switch_storage(world, kind);
      use();
    }
    for (const TypedKind& kind : kTypedKinds) {
      switch_storage(world, kind);
      use();
    }
  }
  TEST_CASE("recorded commands are applied where components are by then") {
    const CountedScope scope;
    World world;
    const Entity entity = world.create(Counted(1), SparseCounted(2), Frozen{});
    Commands& commands = world.commands();
    const Entity later = commands.create(child_of(entity), Counted(3), SparseCounted(4));
    commands.add(entity, Counted(5));
    commands.add(entity, SparseOwner(6));
    commands.remove<Frozen>(entity);
    world.set_storage<Counted>(Storage::sparse);
    world.set_storage<SparseCounted>(Storage::table);
    world.set_storage<Frozen>(Storage::sparse);
    world.set_storage<SparseOwner>(Storage::table);
    world.flush();
    CHECK((world.get<Counted>(entity).value() == 5 && world.get<SparseCounted>(entity).value() == 2));
    CHECK((world.get<Counted>(later).value() == 3 && world.get<SparseCounted>(later).value() == 4));
    CHECK(*world.get<SparseOwner>(entity).value == 6);
    CHECK(!world.has<Frozen>(entity));
    CHECK(world.validate());
  }
  TEST_CASE("whole trees are built and copied where components are now") {
    World world;
    world.set_storage<Health>(Storage::sparse);
    world.set_storage<SparseHealth>(Storage::table);
    const std::vector<std::uint32_t> parents{1, kNoParent, 1, 0};
    const std::vector<Health> health{{1}, {2}, {3}, {4}};
    const std::vector<SparseHealth> sparse{{5}, {6}, {7}, {8}};
    const BuiltHierarchy built = world.build_hierarchy(parents, health, sparse);
    REQUIRE(built.outcome);
    const Entity copy = world.instantiate(built.entities[1]);
    world.set_storage<Health>(Storage::table);
    const Entity second = world.instantiate(built.entities[1]);
    for (const Entity root : {built.entities[1], copy, second}) {
      int sum = 0;
      for (const Entity entity : world.depth_first(root)) {
        CHECK(world.get<SparseHealth>(entity).points == world.get<Health>(entity).points + 4);
        sum += world.get<Health>(entity).points;
      }
      CHECK(sum == 10);
    }
    world.shrink();
    CHECK(world.destroy(built.entities[1]));
    CHECK(world.validate());
  }
  TEST_CASE("what is left behind is given back by shrink") {
    FailingMemory memory;
    {
      World world(WorldOptions{.memory = &memory});
      world.create_many(20'000, Huge(1), Name{2});
      const std::size_t members = world.stats().side_store_members;
      world.set_storage<Huge>(Storage::sparse);
      CHECK(world.stats().side_store_members == members + 20'000);
      world.shrink();
      const std::size_t in_pools = memory.bytes();
      world.set_storage<Huge>(Storage::table);
      CHECK(world.stats().side_store_members == members);
      world.shrink();
      CHECK(memory.bytes() < in_pools + in_pools / 10);
      CHECK(world.validate());
    }
    CHECK(memory.blocks() == 0);
  }
  TEST_CASE("a component described at run time is moved, and found under the description that it had") {
    World world;
    const ComponentInfo described{.name = "mass", .size = sizeof(int), .alignment = alignof(int)};
    const ComponentId mass = world.component(described);
    const Entity entity = world.create();
    int value = 5;
    world.add(entity, mass, &value);
    world.set_storage(mass, Storage::sparse);
    CHECK(*static_cast<const int*>(std::as_const(world).find(entity, mass)) == 5);
    CHECK(world.component(described) == mass);
    ComponentInfo other = described;
    other.storage = Storage::sparse;
    CHECK(says(refusal([&] { world.component(other); }),
               "\"mass\" is registered already, and differs in its storage"));
  }
  TEST_CASE("sort and clear go by where the component is now") {
    World world;
    for (const int points : {3, 1, 2}) world.create(Health{points}, SparseHealth{points});
    const auto sort = [&] {
      world.pool<Health>().sort(
          [&](Entity a, Entity b) { return world.get<Health>(a).points < world.get<Health>(b).points; });
    };
    CHECK(says(refusal(sort), "sort needs a component of the side store, and"));
    CHECK(says(refusal([&] { world.pool<Health>().clear(); }), "clear needs a component"));
    world.set_storage<Health>(Storage::sparse);
    sort();
    std::vector<int> order;
    world.query<const Health>().each([&](const Health& health) { order.push_back(health.points); });
    CHECK(order == std::vector{1, 2, 3});
    world.set_storage<Health>(Storage::table);  // The rows are in that order now.
    order.clear();
    world.query<const Health>().each([&](const Health& health) { order.push_back(health.points); });
    CHECK(order == std::vector{1, 2, 3});
    CHECK(world.pool<SparseHealth>().clear() == 3);
    world.set_storage<SparseHealth>(Storage::table);
    CHECK(says(refusal([&] { world.pool<SparseHealth>().clear(); }), "clear needs a component"));
  }
  TEST_CASE("what cannot be moved now, or ever, is refused by name, and nothing has moved") {
    Scene scene;
    World& world = scene.world;
    const Entity entity = scene.entities[0];
    world.add(entity, ByRow{1});
    CHECK(says(refusal([&] { world.set_storage<ByRow>(Storage::sparse); }), "ByRow"));
    world.set_layer(entity, 3);
    const auto layer = world.find_component("strata:layer 3");
    REQUIRE(layer);
    CHECK(says(refusal([&] { world.set_storage(*layer, Storage::sparse); }), "strata:layer 3"));
    CHECK(says(refusal([&] { world.set_storage(ComponentId{12345}, Storage::sparse); }), "12345"));
    const std::string before = scene.seen();
    const auto move = [&] { world.set_storage<Health>(Storage::sparse); };
    world.query<const Health>().each([&](const Health&) { CHECK(says(refusal(move), "Health")); });
    CHECK(says(refusal([&] {
                 world.create_many<Health>(3, [&](std::span<const Entity>, std::span<Health>) { move(); });
               }),
               "while create_many is under way"));
    CHECK(world.storage<Health>() == Storage::table);
    CHECK(scene.seen() == before);
    move();
    CHECK(scene.seen() == before);
    scene.check();
  }
  TEST_CASE("the same moves give the same state") {
    std::vector<std::vector<Entity>> orders;
    for (int run = 0; run < 2; ++run) {
      Scene scene(Layout::per_level);
      scene.world.set_storage<Health>(Storage::sparse);
      scene.world.set_storage<SparseCounted>(Storage::table);
      scene.world.set_storage<Health>(Storage::table);
      std::vector<Entity>& order = orders.emplace_back();
      scene.world.query<Entity>().each([&](Entity entity) { order.push_back(entity); });
      scene.world.query<Entity, With<SparseCounted>>().cascade().each(
          [&](Entity entity) { order.push_back(entity); });
    }
    CHECK(orders[0] == orders[1]);
  }
  TEST_CASE("when memory runs out, every component is where it was") {
    for (const Layout layout : kLayouts) {
      FailingMemory memory;
      const CountedScope scope;
      {
        Scene scene(layout, &memory);
        const std::string before = scene.seen();
        for (const TypedKind& kind : kTypedKinds) {
          const Storage storage = kind.storage(scene.world);
          sweep_out_of_memory(
              memory, [&] { switch_storage(scene.world, kind); },
              [&] {
                CHECK(kind.storage(scene.world) == storage);
                CHECK(scene.seen() == before);
                scene.check();
              });
          CHECK(scene.seen() == before);
        }
      }
      CHECK(memory.blocks() == 0);
      CHECK(memory.complaint() == "");
      CHECK(scope.clean());
    }
  }
  TEST_CASE("creating with a moved component creates nothing when memory runs out") {
    FailingMemory memory;
    {
      Scene scene(Layout::adaptive, &memory);
      World& world = scene.world;
      world.set_storage<Counted>(Storage::sparse);
      world.set_storage<SparseCounted>(Storage::table);
      auto spawner = world.spawner<Counted, SparseCounted, SparseWide>();
      const std::string before = scene.seen();
      const std::size_t size = world.size();
      const auto unchanged = [&] {
        CHECK(world.size() == size);
        CHECK(scene.seen() == before);
        scene.check();
      };
      Entity made;
      const auto sweep = [&](auto create) {
        sweep_out_of_memory(
            memory, [&] { made = create(); }, unchanged);
        CHECK(world.get<Counted>(made).value() == 1);
        world.destroy(made);
      };
      sweep([&] { return world.create(Counted(1), SparseCounted(2), Velocity{}); });
      sweep([&] { return world.create(child_of(scene.entities[7]), Counted(1), SparseCounted(2), Huge(3)); });
      world.set_storage<SparseWide>(Storage::table);
      sweep([&] { return spawner.create(Counted(1), SparseCounted(2), SparseWide(3)); });
      world.set_storage<Counted>(Storage::table);
      sweep([&] {
        std::array<Entity, 400> many;
        spawner.create_many(many, Counted(1), SparseCounted(2), SparseWide(3));
        for (std::size_t i = 1; i < many.size(); ++i) world.destroy(many[i]);
        return many[0];
      });
    }
    CHECK(memory.blocks() == 0);
  }
}

}  // namespace strata::test::set_storage_test
