// What tests of states work on: a small tree, and what a query visits of it.
#pragma once

#include <strata/strata.hpp>

#include <algorithm>
#include <array>
#include <vector>

#include "../support/components.hpp"

namespace strata::test::states_test {

struct Marked {};

}  // namespace strata::test::states_test

template <>
inline constexpr strata::Storage strata::storage_of<strata::test::states_test::Marked> =
    strata::Storage::sparse;

namespace strata::test::states_test {

using Entities = std::vector<Entity>;

template <class... Terms>
Entities visited(World& world) {
  Entities entities;
  world.query<Entity, Terms...>().each([&](Entity entity) { entities.push_back(entity); });
  std::ranges::sort(entities, {}, &Entity::index);
  return entities;
}

/// A root with two children, the first of which has two, too.
struct Tree {
  explicit Tree(WorldOptions options = {}) : world(options) {}

  World world;
  Entity root = world.create(Health{0});
  Entity a = world.create(child_of(root), Health{1});
  Entity b = world.create(child_of(root), Health{2});
  Entity a1 = world.create(child_of(a), Health{3});
  Entity a2 = world.create(child_of(a), Health{4});
  Entities all{root, a, b, a1, a2};
};

inline constexpr std::array<Layout, 3> kLayouts{Layout::per_parent, Layout::per_level, Layout::adaptive};

}  // namespace strata::test::states_test
