#include "transform.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scene {
namespace {

double largest(const glm::vec3& vector) {
  return std::max({std::abs(double{vector.x}), std::abs(double{vector.y}), std::abs(double{vector.z})});
}

double largest_linear(const Affine& transform) {
  return std::max({largest(transform[0]), largest(transform[1]), largest(transform[2])});
}

double relative(double difference, double size) {
  return difference == 0 ? 0 : difference / size;
}

}  // namespace

bool is_finite(const Affine& transform) {
  for (int column = 0; column < 4; ++column)
    for (int row = 0; row < 3; ++row)
      if (!std::isfinite(transform[column][row])) return false;
  return true;
}

double relative_difference(const Affine& expected, const Affine& actual) {
  if (!is_finite(expected) || !is_finite(actual)) return std::numeric_limits<double>::infinity();
  const Affine difference = expected - actual;
  const double linear_size = largest_linear(expected);
  const double size = std::max(linear_size, largest(expected[kTranslation]));
  return std::max(relative(largest_linear(difference), linear_size),
                  relative(largest(difference[kTranslation]), size));
}

}  // namespace scene
