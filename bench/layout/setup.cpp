#include <algorithm>
#include <cmath>

#include "program.hpp"

namespace layout {

std::size_t Setup::effects_per_frame() const {
  const double half = churn * static_cast<double>(entities) / 2;
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::llround(half)));
}

unsigned Setup::effect_frames() const {
  constexpr unsigned kMost = 8;
  // Half of all have one at most.
  const std::size_t frames = entities / 2 / effects_per_frame();
  return static_cast<unsigned>(std::clamp<std::size_t>(frames, 1, kMost));
}

std::size_t Setup::spawned_per_frame() const {
  return std::max<std::size_t>(1, entities / 2'000);
}

}  // namespace layout
