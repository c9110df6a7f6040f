// Families of 100,000 children: each operation on one child takes the same time as in a small family. If one of them
// walked along the siblings, these cases would take minutes.
#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace strata::test::large_families_test {
namespace {

constexpr std::size_t kChildren = 100'000;

/// The children of `parent`, in any order.
std::vector<Entity> make_children(World& world, Entity parent) {
  std::vector<Entity> children;
  for (std::size_t i = 0; i < kChildren; ++i) children.push_back(world.create(child_of(parent)));
  std::shuffle(children.begin(), children.end(), std::mt19937(7));
  return children;
}

}  // namespace

TEST_SUITE("api/large_families") {
  TEST_CASE("children are destroyed, made roots and moved one by one among any number of siblings") {
    World world;
    const Entity parent = world.create();
    const std::vector<Entity> children = make_children(world, parent);
    for (std::size_t i = 2; i < kChildren; ++i) {
      if (i % 3 == 0) CHECK(world.destroy(children[i]));
      if (i % 3 == 1) world.clear_parent(children[i]);
      if (i % 3 == 2) CHECK(world.move_child_before(children[i], children[i % 2]));
    }
    CHECK(world.child_count(parent) == 2 + kChildren / 3);
    CHECK(world.validate());
  }
  TEST_CASE("named children are renamed, found and destroyed one by one") {
    World world({.sibling_names = SiblingNames::unique});
    const Entity parent = world.create();
    const std::vector<Entity> children = make_children(world, parent);
    for (std::size_t i = 0; i < kChildren; ++i) REQUIRE(world.names().set(children[i], std::to_string(i)));
    for (std::size_t i = 0; i < kChildren; i += 2)
      REQUIRE(world.names().set(children[i], "n" + std::to_string(i)));
    for (std::size_t i = 0; i < kChildren; i += 100)
      CHECK(world.names().find(parent, (i % 2 == 0 ? "n" : "") + std::to_string(i)) == children[i]);
    for (const Entity child : children) CHECK(world.destroy(child));
    CHECK(world.child_count(parent) == 0);
  }
}

}  // namespace strata::test::large_families_test
