#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "states_tree.hpp"

// Entities that are created, moved and copied where a part of the tree is disabled.

namespace strata::test::states_test {

TEST_SUITE("api/states_moves") {
  TEST_CASE("entities that are created below a disabled subtree are disabled with it, on every road") {
    for (const Layout layout : kLayouts) {
      Tree tree(WorldOptions{.layout = layout, .large_family = 4});
      World& world = tree.world;
      const Entity loose = world.create(Health{9});
      world.create(child_of(loose), Health{10}, Counted{1});
      world.disable_subtree(tree.a);
      const std::size_t before = world.query<Entity>().count();
      world.create(child_of(tree.a1), Health{5}, Counted{2});
      auto spawner = world.spawner<Health, Marked>(child_of(tree.a));
      spawner.create(Health{6}, Marked{});
      spawner.create_many(7, Health{6}, Marked{});
      spawner.create_below(tree.a1, Health{6}, Marked{});
      const std::vector<std::uint32_t> parents{kNoParent, 0, 0, 1};
      CHECK(world.build_hierarchy(child_of(tree.a2), parents, Health{7}).outcome);
      const Entity copy = world.instantiate(child_of(tree.a2), loose);
      const Entity late = world.commands().create(child_of(tree.a2), Health{8});
      world.flush();
      CHECK(world.query<Entity>().count() == before);
      CHECK(world.disabled_by(copy) == DisabledBy{.ancestor = true});
      CHECK(world.get<Health>(late).points == 8);
      CHECK(world.get<Counted>(*world.children(copy).begin()).value() == 1);
      int sum = 0;
      world.query<const Health, With<Disabled>>().each([&](const Health& health) { sum += health.points; });
      CHECK(sum == 1 + 3 + 4 + 5 + 9 * 6 + 4 * 7 + 9 + 10 + 8);
      CHECK(world.validate());
      world.enable_subtree(tree.a);
      CHECK(world.query<Entity, With<Disabled>>().count() == 0);
      CHECK(world.validate());
    }
  }

  TEST_CASE("moving below a disabled subtree disables, moving out of it enables") {
    for (const Layout layout : kLayouts) {
      Tree tree(WorldOptions{.layout = layout, .large_family = 2});
      World& world = tree.world;
      const Entity other = world.create(Health{5});
      const Entity deep = world.create(child_of(world.create(child_of(other), Health{6})), Health{7});
      world.disable_subtree(tree.a);
      CHECK(world.set_parent(other, tree.a1));
      CHECK(world.disabled_by(deep) == DisabledBy{.ancestor = true});
      CHECK(world.validate());
      CHECK(world.set_parent(other, tree.b));
      CHECK_FALSE(world.disabled(deep));
      CHECK(world.move_child_before(other, tree.a2));
      CHECK(world.disabled(deep));
      CHECK(world.clear_parent(other));
      CHECK_FALSE(world.disabled(other));
      CHECK_FALSE(world.set_parent(tree.a, tree.a1));
      CHECK(world.validate());
      const Entities children{other, tree.a1};
      CHECK(world.set_children(tree.a, children));  // a2 becomes a root.
      CHECK(world.disabled(deep));
      CHECK(world.disabled(tree.a1));
      CHECK_FALSE(world.disabled(tree.a2));
      CHECK(world.validate());
      CHECK(world.destroy(tree.a, ChildPolicy::orphan));
      CHECK(world.query<Entity, With<Disabled>>().count() == 0);
      CHECK(world.validate());
    }
  }

  TEST_CASE("of several entities that move at once, each has the state of its new place") {
    Tree tree;
    World& world = tree.world;
    world.disable_subtree(tree.a);
    world.disable_subtree(tree.a2);
    const Entity leaf = world.create(child_of(tree.a1), Health{5});
    // a and b leave the root; a1, which is below a, and with it the leaf come to the root directly.
    const Entities children{tree.a1};
    CHECK(world.set_children(tree.root, children));
    CHECK_FALSE(world.disabled(tree.a1));
    CHECK_FALSE(world.disabled(leaf));
    CHECK(world.disabled_by(tree.a2) == DisabledBy{.subtree = true, .ancestor = true});
    CHECK(world.validate());
  }

  TEST_CASE("copies are disabled for the reasons of their originals and of their new place") {
    Tree tree;
    World& world = tree.world;
    world.disable_subtree(tree.root);
    world.disable(tree.a1);
    const Entity copy = world.instantiate(tree.a);
    CHECK_FALSE(world.disabled(copy));
    CHECK(world.disabled_by(*world.children(copy).begin()) == DisabledBy{.itself = true});
    const Entity whole = world.instantiate(tree.root);
    CHECK(world.disabled_by(whole) == DisabledBy{.subtree = true});
    CHECK(world.disabled_by(*world.children(whole).begin()) == DisabledBy{.ancestor = true});
    CHECK(world.validate());
  }

  TEST_CASE("commands disable and enable") {
    Tree tree;
    World& world = tree.world;
    world.query<Entity>().each([&](Entity entity) {
      if (entity == tree.a) world.commands().disable_subtree(entity);
      if (entity == tree.b) world.commands().disable(entity);
    });
    CHECK(visited<>(world) == Entities{tree.root});
    world.commands().enable(tree.b);
    world.commands().enable_subtree(tree.a);
    world.commands().disable(Entity());
    world.flush();
    CHECK(visited<>(world) == tree.all);
  }
}  // TEST_SUITE

}  // namespace strata::test::states_test
