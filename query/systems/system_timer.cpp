#include "system_timer.hpp"

#include <algorithm>
#include <cmath>

namespace strata::detail {

SystemTimer::Due SystemTimer::advance(double seconds) {
  since_ += seconds;
  if (interval_ == 0) return {1, since_};
  waiting_ += seconds;
  // Sums of floating-point times are not exact. A step that is due a little early is better than a step that is delayed
  // until the next run of the schedule.
  const double steps = std::max(0.0, std::floor(waiting_ / interval_ + 1e-9));
  // If the interval is very short or the time very long, `steps` is infinite. Then the time that is left after the last
  // whole step cannot be computed, and counts as 0.
  waiting_ = std::isfinite(steps) ? waiting_ - steps * interval_ : 0;
  if (most_ == 0) return {steps >= 1 ? 1u : 0u, since_};
  return {steps < most_ ? static_cast<std::uint32_t>(steps) : most_, interval_};
}

}  // namespace strata::detail
