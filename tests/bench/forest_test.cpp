#include "../../bench/scene/forest.hpp"

#include <doctest/doctest.h>

namespace scene::test {
namespace {

using Nodes = std::vector<NodeIndex>;
constexpr NodeIndex kRoot = kNoParent;

TEST_SUITE("bench/forest") {
  TEST_CASE("breadth-first order keeps families together, in the order of their parents") {
    //   5      2
    //  / \     |
    // 4   1    0
    // |
    // 3
    CHECK(breadth_first_order(Nodes{2, 5, kRoot, 4, 5, kRoot}) == Nodes{2, 5, 0, 1, 4, 3});
  }

  TEST_CASE("breadth-first order leaves out cycles and what hangs on them") {
    CHECK(breadth_first_order(Nodes{kRoot, 2, 1, 1}) == Nodes{0});
    CHECK(breadth_first_order(Nodes{}).empty());
  }

  TEST_CASE("ancestors-first order moves nothing but ancestors that come too late") {
    CHECK(ancestors_first_order(Nodes{2, 5, kRoot, 4, 5, kRoot}) == Nodes{2, 0, 5, 1, 4, 3});
    CHECK(ancestors_first_order(Nodes{kRoot, 0, 1}) == Nodes{0, 1, 2});
  }

  TEST_CASE("instances keep the shape and stand in different places") {
    Forest forest;
    forest.locals.resize(2, Affine(1.0F));
    forest.parents = {1, kRoot};
    const Forest two = instanced(forest, 2);
    CHECK(two.parents == Nodes{1, kRoot, 3, kRoot});
    CHECK(two.locals[0] == two.locals[2]);
    CHECK(two.locals[1] != two.locals[3]);
  }
}

}  // namespace
}  // namespace scene::test
