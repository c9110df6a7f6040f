#include "motion.hpp"

namespace strata::bench {

Arrays::Arrays(std::size_t n) : Arrays(n, {}) {}

Arrays::Arrays(std::size_t n, std::vector<std::uint32_t> moving)
    : positions_(n), velocities_(n), moving_(std::move(moving)) {
  for (std::size_t i = 0; i < n; ++i) {
    positions_[i] = position_of(i);
    velocities_[i] = velocity_of(i);
  }
}

void Arrays::step() {
  ++steps_;
  const std::size_t n = positions_.size();
  Position* const positions = positions_.data();
  const Velocity* const velocities = velocities_.data();
  if (moving_.empty()) {
    for (std::size_t i = 0; i < n; ++i) move(positions[i], velocities[i]);
  } else {
    for (const std::uint32_t i : moving_) move(positions[i], velocities[i]);
  }
}

}  // namespace strata::bench
