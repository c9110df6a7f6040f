#include <doctest/doctest.h>

#include <vector>

#include "../../bench/layout/report.hpp"

namespace layout {
namespace {

TEST_SUITE("bench/crossover") {
  TEST_CASE("lines that change places cross between those points, on the logarithmic axis") {
    const std::vector<Point> first{{1, 2}, {100, 6}};
    const std::vector<Point> second{{1, 4}, {100, 4}};
    const std::vector<Point> found = crossovers(first, second);
    REQUIRE(found.size() == 1);
    CHECK(found[0].x == doctest::Approx(10));
    CHECK(found[0].y == doctest::Approx(4));
  }

  TEST_CASE("lines that do not change places do not cross, even where they touch") {
    const std::vector<Point> first{{1, 2}, {10, 4}, {100, 2}};
    const std::vector<Point> second{{1, 4}, {10, 4}, {100, 4}};
    CHECK(crossovers(first, second).empty());
    CHECK(crossovers(first, first).empty());
    CHECK(crossovers({}, {}).empty());
  }

  TEST_CASE("lines that change places in a point cross there, once") {
    const std::vector<Point> first{{1, 2}, {10, 4}, {100, 6}};
    const std::vector<Point> second{{1, 4}, {10, 4}, {100, 4}};
    const std::vector<Point> found = crossovers(first, second);
    REQUIRE(found.size() == 1);
    CHECK(found[0].x == doctest::Approx(10));
  }

  TEST_CASE("every change of places is found") {
    const std::vector<Point> first{{1, 1}, {10, 3}, {100, 1}};
    const std::vector<Point> second{{1, 2}, {10, 2}, {100, 2}};
    CHECK(crossovers(first, second).size() == 2);
  }
}

}  // namespace
}  // namespace layout
