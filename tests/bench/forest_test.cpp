#include "../../bench/scene/forest.hpp"

#include <doctest/doctest.h>

#include <limits>

namespace scene::test {
namespace {

using Nodes = std::vector<NodeIndex>;
constexpr NodeIndex kRoot = kNoParent;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

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

  TEST_CASE("equal transforms do not differ") {
    CHECK(relative_difference(Affine(1.0F), Affine(1.0F)) == 0);
    CHECK(relative_difference(Affine(0.0F), Affine(0.0F)) == 0);
  }

  TEST_CASE("a far translation does not hide a wrong rotation") {
    Affine expected(1.0F);
    expected[kTranslation] = {1e6F, 0, 0};
    Affine actual = expected;
    actual[0].x = 1.5F;
    CHECK(relative_difference(expected, actual) == 0.5);
  }

  TEST_CASE("a translation counts by the size of the transform") {
    Affine actual(1.0F);
    actual[kTranslation].y = 0.25F;
    CHECK(relative_difference(Affine(1.0F), actual) == 0.25);
  }

  TEST_CASE("what is not a number differs from everything") {
    Affine broken(1.0F);
    broken[2].z = std::numeric_limits<float>::quiet_NaN();
    CHECK(!is_finite(broken));
    CHECK(relative_difference(Affine(1.0F), broken) == kInfinity);
    CHECK(relative_difference(broken, broken) == kInfinity);
  }

  TEST_CASE("a moving root is somewhere else in the next frame") {
    CHECK(moved(Affine(1.0F), 1) != moved(Affine(1.0F), 2));
  }
}

}  // namespace
}  // namespace scene::test
