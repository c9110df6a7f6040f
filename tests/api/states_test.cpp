#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "../support/components.hpp"
#include "../support/failing_memory.hpp"
#include "../support/refusal.hpp"
#include "states_tree.hpp"

namespace strata::test::states_test {

TEST_SUITE("api/states") {
  TEST_CASE("a disabled entity leaves queries that do not name Disabled, and comes back with its values") {
    Tree tree;
    World& world = tree.world;
    CHECK(world.disable(tree.a));
    CHECK(visited<With<Health>>(world) == Entities{tree.root, tree.b, tree.a1, tree.a2});
    CHECK(visited<>(world) == Entities{tree.root, tree.b, tree.a1, tree.a2});
    CHECK(visited<With<Disabled>>(world) == Entities{tree.a});
    CHECK(visited<Maybe<Disabled>, With<Health>>(world) == tree.all);
    CHECK(visited<Without<Disabled>>(world) == Entities{tree.root, tree.b, tree.a1, tree.a2});
    CHECK(world.disabled(tree.a));
    CHECK(world.disabled_by(tree.a) == DisabledBy{.itself = true});
    CHECK(world.get<Health>(tree.a).points == 1);
    CHECK_FALSE(world.disable(tree.a));
    CHECK(world.enable(tree.a));
    CHECK_FALSE(world.enable(tree.a));
    CHECK_FALSE(world.disabled(tree.a));
    CHECK(visited<With<Health>>(world) == tree.all);
    CHECK(world.get<Health>(tree.a).points == 1);
    CHECK(world.validate());
  }

  TEST_CASE("a subtree is disabled as a whole, and a cascade passes it") {
    for (const Layout layout : kLayouts) {
      Tree tree(WorldOptions{.layout = layout});
      World& world = tree.world;
      CHECK(world.disable_subtree(tree.a));
      Entities cascade;
      world.query<Entity, const Health, Parent<const Health>>().cascade().each(
          [&](Entity entity, const Health&, const Health*) { cascade.push_back(entity); });
      CHECK(cascade == Entities{tree.root, tree.b});
      CHECK(world.disabled_by(tree.a) == DisabledBy{.subtree = true});
      CHECK(world.disabled_by(tree.a2) == DisabledBy{.ancestor = true});
      CHECK(world.query<const Health>().count() == 2);
      CHECK(world.query<const Health>(child_of(tree.a)).count() == 0);
      CHECK(world.query<const Health, Maybe<Disabled>>(child_of(tree.a)).count() == 2);
      CHECK(world.enable_subtree(tree.a));
      CHECK(visited<With<Health>>(world) == tree.all);
      CHECK(world.validate());
    }
  }

  TEST_CASE("an entity that is disabled twice is enabled when both have ended") {
    Tree tree;
    World& world = tree.world;
    world.disable(tree.a1);
    world.disable_subtree(tree.a);
    world.disable_subtree(tree.root);
    CHECK(world.disabled_by(tree.a) == DisabledBy{.subtree = true, .ancestor = true});
    CHECK(world.disabled_by(tree.a1) == DisabledBy{.itself = true, .ancestor = true});
    world.enable_subtree(tree.root);
    CHECK(visited<>(world) == Entities{tree.root, tree.b});
    world.enable_subtree(tree.a);
    CHECK(visited<>(world) == Entities{tree.root, tree.a, tree.b, tree.a2});
    world.enable(tree.a1);
    CHECK(visited<>(world) == tree.all);
    CHECK(world.validate());
  }

  TEST_CASE("children of a disabled parent read its values") {
    Tree tree;
    World& world = tree.world;
    world.disable(tree.a);
    int sum = 0;
    world.query<const Health, Parent<const Health>, Up<const Health>>().cascade().each(
        [&](const Health& own, const Health* parent, const Health* up) {
          if (own.points >= 3) sum += parent->points + up->points;
        });
    CHECK(sum == 4);
    CHECK(visited<With<Parent<Disabled>>>(world) == Entities{tree.a1, tree.a2});
    CHECK(visited<Without<Up<Disabled>>>(world) == Entities{tree.root, tree.b});
  }

  TEST_CASE("queries that a pool leads pass over disabled entities") {
    Tree tree;
    World& world = tree.world;
    for (const Entity entity : tree.all) world.add<Marked>(entity);
    auto marked = world.query<Entity, With<Marked>>();
    CHECK(marked.count() == 5);
    world.disable_subtree(tree.a);
    CHECK(visited<With<Marked>>(world) == Entities{tree.root, tree.b});
    CHECK(marked.count() == 2);
    CHECK(marked.contains(tree.b));
    CHECK_FALSE(marked.contains(tree.a1));
    CHECK(visited<With<Marked>, With<Disabled>>(world) == Entities{tree.a, tree.a1, tree.a2});
    CHECK(visited<With<Marked>, Maybe<Disabled>>(world) == tree.all);
    std::size_t rows = 0;
    for (auto&& [entity] : marked) rows += world.disabled(entity) ? 100 : 1;
    CHECK(rows == 2);
    CHECK(says(marked.explain(tree.a1), "is disabled"));
  }

  TEST_CASE("a marked pass does not visit disabled entities") {
    Tree tree;
    World& world = tree.world;
    world.disable_subtree(tree.a);
    for (const Entity entity : tree.all) world.add<Marked>(entity);
    Entities passed;
    auto query = world.query<Entity, Health>();
    query.cascade().propagate<Marked>([&](Entity entity, Health&) {
      passed.push_back(entity);
      return true;
    });
    CHECK(passed == Entities{tree.root, tree.b});
  }

  TEST_CASE("terms at run time ask for disabled entities") {
    Tree tree;
    World& world = tree.world;
    world.disable_subtree(tree.a);
    const ComponentId disabled = world.component<Disabled>();
    const ComponentId health = world.component<Health>();
    const auto count = [&](std::vector<Term> terms) { return world.query(terms).count(); };
    CHECK(count({{Role::read, health}}) == 2);
    CHECK(count({{Role::read, health}, {Role::with, disabled}}) == 3);
    CHECK(count({{Role::read, health}, {Role::either, disabled}}) == 5);
    CHECK(count({{Role::any_of, disabled}, {Role::any_of, health}}) == 5);
    const std::vector<Term> either{{Role::either, disabled}};
    CHECK(says(world.query(either).explain(), "with or without \"strata::Disabled\""));
  }

  TEST_CASE("queries that were made before an entity was disabled pass over it, const worlds included") {
    Tree tree;
    const World& reader = tree.world;
    auto all = reader.query<Entity>();
    auto disabled = reader.query<Entity, With<Disabled>>();
    auto both = reader.query<Entity, Maybe<Disabled>>();
    CHECK(all.count() == 5);
    CHECK(disabled.count() == 0);
    tree.world.disable_subtree(tree.a);
    CHECK(all.count() == 2);
    CHECK(disabled.count() == 3);
    CHECK(both.count() == 5);
  }

  TEST_CASE("observers are told once of each entity that is disabled or enabled") {
    Tree tree;
    World& world = tree.world;
    std::string told;
    const auto note = [&](const char* what) {
      return [&, what](Entity entity) {
        for (std::size_t i = 0; i < tree.all.size(); ++i) {
          if (tree.all[i] == entity) told += what + std::to_string(i);
        }
        CHECK(world.validate());
      };
    };
    const auto off = world.observers().on_disable(note("-"));
    const auto on = world.observers().on_enable(note("+"));
    const auto enter = world.observers().on_enter<Health>(note("e"));
    const auto leave = world.observers().on_leave<Health>(note("l"));
    const auto set_enter = world.observers().on_enter<With<Disabled>>(note("E"));
    const auto set_leave = world.observers().on_leave<With<Disabled>>(note("L"));
    const auto expect = [&](const char* what) {
      CHECK(told == what);
      told.clear();
    };
    world.disable_subtree(tree.a);
    expect("-1l1E1-3l3E3-4l4E4");
    world.disable(tree.a1);
    expect("");
    world.enable_subtree(tree.a);
    expect("+1e1L1+4e4L4");
    world.disable_subtree(tree.b);
    expect("-2l2E2");
    CHECK(world.set_parent(tree.a2, tree.b));
    expect("-4l4E4");
    CHECK(world.move_child_before(tree.a1, tree.a2));
    expect("");
    CHECK(world.move_child_before(tree.a2, tree.a1));
    expect("");
    CHECK(world.clear_parent(tree.a2));
    expect("+4e4L4");
    world.destroy(tree.b);
    expect("L3L2");
  }

  TEST_CASE(
      "an entity that is moved and disabled at once leaves a set that asks for its parent's component") {
    Tree tree;
    World& world = tree.world;
    world.add<Frozen>(tree.a);
    world.disable_subtree(tree.b);
    std::size_t left = 0;
    const auto leave = world.observers().on_leave<With<Parent<Frozen>>>([&](Entity) { ++left; });
    CHECK(world.set_parent(tree.a1, tree.b));
    CHECK(left == 1);
  }

  TEST_CASE("stale entities are not disabled") {
    World world;
    const Entity entity = world.create();
    world.destroy(entity);
    CHECK_FALSE(world.disable(entity));
    CHECK_FALSE(world.disable_subtree(entity));
    CHECK_FALSE((world.enable(entity) || world.enable_subtree(entity)));
    CHECK_FALSE(world.disabled(entity));
    CHECK_FALSE(world.disabled_by(Entity()));
  }

  TEST_CASE("the tag Disabled is not added, removed, moved or observed as a component") {
    Tree tree;
    World& world = tree.world;
    const ComponentId id = world.component<Disabled>();
    const char* sentence = "\"strata::Disabled\" is not added or removed as a component";
    CHECK(says(refusal([&] { world.add<Disabled>(tree.a); }), sentence));
    CHECK(says(refusal([&] { world.add(tree.a, id, nullptr); }), sentence));
    CHECK(says(refusal([&] { world.add<Disabled>(tree.all); }), sentence));
    CHECK(says(refusal([&] { world.create(Disabled{}); }), "Disabled"));
    CHECK_FALSE(world.remove<Disabled>(tree.a));
    world.disable(tree.a);
    CHECK(world.has<Disabled>(tree.a));
    CHECK(says(refusal([&] { world.remove<Disabled>(tree.a); }), sentence));
    CHECK(says(refusal([&] { world.set_storage<Disabled>(Storage::sparse); }),
               "whether entities are disabled"));
    CHECK(says(refusal([&] { (void)world.observers().on_add<Disabled>([](Entity) {}); }), "on_disable"));
    CHECK(says(refusal([&] { (void)world.observers().on_enter<With<Up<Disabled>>>([](Entity) {}); }),
               "whether one above"));
    CHECK(says(refusal([&] { world.query<Entity>().each([&](Entity entity) { world.disable(entity); }); }),
               "disable of entity"));
    CHECK(world.validate());
  }

  TEST_CASE("other components, layers and storages change while an entity is disabled") {
    Tree tree;
    World& world = tree.world;
    world.disable_subtree(tree.a);
    world.add<Position>(tree.a1, Position{1, 2, 3});
    world.set_layer(tree.a1, 3);
    world.set_storage<Health>(Storage::sparse);
    CHECK(world.query<Entity, With<Health>>().count() == 2);
    world.set_storage<Health>(Storage::table);
    world.remove<Health>(tree.a2);
    CHECK(world.validate());
    world.enable_subtree(tree.a);
    CHECK(world.get<Position>(tree.a1) == Position{1, 2, 3});
    CHECK(world.layer(tree.a1) == 3);
    CHECK(world.validate());
  }

  TEST_CASE("a world can be moved while entities are disabled") {
    Tree tree;
    tree.world.disable_subtree(tree.a);
    World moved = std::move(tree.world);
    moved.create(child_of(tree.a), Health{1});
    CHECK(moved.query<Entity>().count() == 2);
    moved.shrink();
    moved.clear();
    CHECK(moved.validate());
    moved.create(Health{1});
    CHECK(moved.query<Entity>().count() == 1);
  }

  TEST_CASE("a chain of 200,000 entities is disabled and enabled without recursion, and moves") {
    World world;
    const auto create_chain = [&](std::uint32_t nodes) {
      std::vector<std::uint32_t> parents(nodes);
      for (std::uint32_t i = 0; i < nodes; ++i) parents[i] = i == 0 ? kNoParent : i - 1;
      return world.build_hierarchy(parents).entities;
    };
    const Entities chain = create_chain(200'000);
    CHECK(world.disable_subtree(chain[1]));
    CHECK(world.query<Entity>().count() == 1);
    CHECK(world.disabled(chain.back()));
    const Entities shorter = create_chain(5'000);
    CHECK(world.set_parent(shorter[0], chain[1]));
    CHECK(world.query<Entity>().count() == 1);
    CHECK(world.clear_parent(shorter[0]));
    CHECK(world.query<Entity>().count() == 5'001);
    CHECK(world.enable_subtree(chain[1]));
    CHECK(world.query<Entity>().count() == 205'000);
  }

  TEST_CASE("100,000 children are disabled with their parent") {
    World world;
    const Entity parent = world.create();
    world.spawner<Health>(child_of(parent)).create_many(100'000, Health{1});
    CHECK(world.disable_subtree(parent));
    CHECK(world.query<Entity>().count() == 0);
    CHECK(world.enable_subtree(parent));
    CHECK(world.query<Entity>().count() == 100'001);
  }

  TEST_CASE("if memory runs out at any moment, nothing has changed") {
    for (const Layout layout : kLayouts) {
      const auto sweep = [&](auto change) {
        FailingMemory memory;
        {
          Tree tree(WorldOptions{.layout = layout, .memory = &memory, .large_family = 2});
          World& world = tree.world;
          const Entity other = world.create(Health{5});
          const Entity child = world.create(child_of(other), Health{6});
          for (const int value : {7, 8, 9}) world.create(child_of(child), Health{value}, Counted{value});
          world.disable_subtree(tree.b);
          const auto seen = [&] {
            std::string text;
            for (const Entity entity : visited<Maybe<Disabled>>(world)) {
              const DisabledBy by = world.disabled_by(entity);
              text += to_string(entity) + " below " + to_string(world.parent(entity)) +
                      (by.itself ? " i" : "") + (by.subtree ? " s" : "") + (by.ancestor ? " a" : "") + '\n';
            }
            return text;
          };
          const std::string before = seen();
          sweep_out_of_memory(
              memory, [&] { change(tree, other); },
              [&] {
                CHECK(seen() == before);
                CHECK(world.validate());
              });
          CHECK(seen() != before);
          CHECK(world.validate());
        }
        CHECK(memory.blocks() == 0);
        CHECK(memory.complaint().empty());
      };
      sweep([](Tree& tree, Entity) { tree.world.disable(tree.a); });
      sweep([](Tree& tree, Entity) { tree.world.disable_subtree(tree.root); });
      sweep([](Tree& tree, Entity other) { (void)tree.world.set_parent(other, tree.b); });
      sweep([](Tree& tree, Entity other) {
        (void)tree.world.set_children(tree.b, std::array{tree.a1, other, tree.a});
      });
      sweep([](Tree& tree, Entity) { tree.world.create(child_of(tree.b), Health{1}); });
      sweep([](Tree& tree, Entity other) { tree.world.instantiate(child_of(tree.b), other); });
      sweep([](Tree& tree, Entity) {
        tree.world.spawner<Health>(child_of(tree.b)).create_many(20, Health{1});
      });
    }
  }
}  // TEST_SUITE

}  // namespace strata::test::states_test
