#include "../../query/systems/system_timer.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

namespace strata::test::system_timer_test {

using detail::SystemTimer;

TEST_SUITE("query/system_timer") {
  TEST_CASE("without a rate a system is due each time, and is told the time since it last ran") {
    SystemTimer timer;
    CHECK(timer.is_plain());
    CHECK(timer.advance(0.5).runs == 1);
    CHECK(timer.advance(0.25).seconds == 0.75);
    timer.ran();
    CHECK(timer.advance(0.125).seconds == 0.125);
  }
  TEST_CASE("with an interval it is due once whenever the interval has passed") {
    SystemTimer timer = SystemTimer::every(1);
    CHECK(timer.advance(0.75).runs == 0);
    CHECK(timer.advance(0.75).runs == 1);
    timer.ran();
    CHECK(timer.advance(0.5).runs == 1);  // The rest of the first interval counts.
    timer.ran();
    const SystemTimer::Due due = timer.advance(3.5);
    CHECK(due.runs == 1);
    CHECK(due.seconds == 3.5);
    timer.ran();
    CHECK(timer.advance(0.25).runs == 0);
  }
  TEST_CASE("a time that steps back is a debt, not a number of runs") {
    SystemTimer timer = SystemTimer::in_steps(0.5, 3);
    CHECK(timer.advance(-0.25).runs == 0);
    CHECK(timer.advance(0.5).runs == 0);
    CHECK(timer.advance(0.25).runs == 1);
  }
  TEST_CASE("in steps it is due as often as they fit, up to the most, and those beyond are left out") {
    SystemTimer timer = SystemTimer::in_steps(0.5, 3);
    CHECK(timer.advance(0.25).runs == 0);
    const SystemTimer::Due due = timer.advance(1);
    CHECK(due.runs == 2);
    CHECK(due.seconds == 0.5);
    CHECK(timer.advance(10).runs == 3);
    CHECK(timer.advance(0.25).runs == 1);
    CHECK(timer.advance(0.25).runs == 0);
  }
  TEST_CASE("sums of times that are not exact lose no step") {
    std::mt19937 random(3);
    SystemTimer tenths = SystemTimer::every(0.1);
    int runs = 0;
    for (int i = 0; i < 6'000; ++i) runs += static_cast<int>(tenths.advance(1.0 / 60).runs);
    CHECK(runs == 1'000);
    SystemTimer steps = SystemTimer::in_steps(0.01, 100);
    double passed = 0;
    std::uint32_t taken = 0;
    for (int i = 0; i < 1'000; ++i) {
      const double seconds = static_cast<double>(random() % 1'000) / 10'000;
      passed += seconds;
      taken += steps.advance(seconds).runs;
      CHECK(std::abs(passed - taken * 0.01) < 0.0101);
    }
  }
  TEST_CASE("a number of steps that overflows leaves later steps due") {
    SystemTimer steps = SystemTimer::in_steps(0.5, 1);
    CHECK(steps.advance(std::numeric_limits<double>::max()).runs == 1);
    CHECK(steps.advance(0.5).runs == 1);
    SystemTimer often = SystemTimer::every(std::numeric_limits<double>::denorm_min());
    CHECK(often.advance(1).runs == 1);
    CHECK(often.advance(1).runs == 1);
  }
}

}  // namespace strata::test::system_timer_test
