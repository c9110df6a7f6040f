// A small world with something in each kind of chunk, for tests that change its file or its text.
#pragma once

#include <strata/strata.hpp>

#include "saving_turns.hpp"

namespace strata::test {

inline World make_sample() {
  World world;
  make_known(world);
  const Entity gone = world.create();
  const Entity root = world.create(Speed{1, 2}, Marked{});
  const Entity child = world.create(child_of(root), Price{3, 0.5});
  const Entity other = world.create(child_of(child), SparseItem{}, Speed{});
  Item item;
  item.label = "label";
  item.offers = {{1, 2}};
  item.watchers = {child};
  world.add(other, item);
  world.destroy(gone);
  (void)world.names().set(child, "child");
  world.relations().add(root, other, Likes{3});
  world.relations().add(root, other, Near{3});
  world.relations().add(child, other, Docked{});
  world.disable_subtree(child);
  world.disable<Speed>(root);
  world.relations().add(child, root, Team{});
  world.relations().add(child, root, Needs{});
  world.relations().add(other, child, Needs{});
  world.make_prefab(other);
  (void)world.instantiate(other);
  world.set_layer(root, 3);
  world.set_layout(root, Layout::per_parent);
  return world;
}

}  // namespace strata::test
