// Timing: work timed by the clock, for programs that take their repetitions in turns.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

namespace strata::bench {

/// Returns: how many nanoseconds `run()` takes.
double time_ns(auto run) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  run();
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace strata::bench
