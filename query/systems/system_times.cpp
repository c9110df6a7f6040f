#include "system_times.hpp"

#include <algorithm>
#include <numeric>
#include <span>

namespace strata::detail {

void SystemTimes::resize(std::size_t systems) {
  times_.resize(systems * runs_);
}

void SystemTimes::begin_run() {
  present_ = measured_ == 0 ? 0 : (present_ + 1) % runs_;
  measured_ = std::min(measured_ + 1, runs_);
  for (std::size_t time = present_; time < times_.size(); time += runs_) times_[time] = 0;
}

double SystemTimes::mean(std::size_t system) const {
  if (measured_ == 0) return 0;
  const std::span<const double> times = std::span(times_).subspan(system * runs_, runs_);
  return std::accumulate(times.begin(), times.end(), 0.0) / measured_;
}

double SystemTimes::longest(std::size_t system) const {
  const std::span<const double> times = std::span(times_).subspan(system * runs_, runs_);
  return *std::max_element(times.begin(), times.end());
}

}  // namespace strata::detail
