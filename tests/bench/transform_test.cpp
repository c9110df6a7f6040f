#include "../../bench/scene/forest.hpp"

#include <doctest/doctest.h>

#include <limits>

namespace scene::test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST_SUITE("bench/transform") {
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
