#include <doctest/doctest.h>

#include "../../bench/layout/comparison.hpp"
#include "../../bench/layout/rules.hpp"

namespace layout {
namespace {

TEST_SUITE("bench/layout_programs") {
  TEST_CASE("every layout comes to the result of the plain arrays") {
    for (const double churn : {0.001, 0.05, 0.5}) {
      const Figures figures = compare({400, churn}, {1, 4'000});
      CHECK(figures.frames == 10);
      CHECK(figures.ratio(limit) == 1);
    }
  }

  TEST_CASE("a status effect begins and ends for as many as the churn says, and at most half have it") {
    const Setup setup{1'000, 0.5};
    CHECK(setup.effects_per_frame() == 250);
    CHECK(setup.effect_frames() == 2);
    CHECK(Setup{1'000, 0.01}.effects_per_frame() == 5);
    CHECK(Setup{1'000, 0.01}.effect_frames() == 8);
  }

  TEST_CASE("every number has its turn once") {
    for (const std::size_t entities : {1u, 2u, 100u, 1'000u}) {
      const Turns turns(entities);
      std::vector<int> seen(entities);
      for (std::size_t i = 0; i < entities; ++i) ++seen[turns.number(i)];
      CHECK(seen == std::vector<int>(entities, 1));
    }
  }

  TEST_CASE("a probe finds that status effects which come and go at a high rate belong in the side store") {
    const strata::StorageAdvice advice = advise({1'000, 0.5}, 16);
    for (const strata::StorageAdvice::Component& one : advice.components) {
      CAPTURE(one.reason);
      const bool expected = one.name == "Burning" || one.name == "Stunned";
      CHECK(one.moves() == expected);
    }
  }
}

}  // namespace
}  // namespace layout
