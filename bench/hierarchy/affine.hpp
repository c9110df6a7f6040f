// Affine: the 3x4 matrices that hierarchy benches propagate, with the one multiplication both sides share.
#pragma once

#include <cstdint>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/mat4x3.hpp>

namespace strata::bench {

/// Three columns of rotation and scale, the fourth is the translation; 48 bytes.
using Affine = glm::mat4x3;
static_assert(sizeof(Affine) == 48);

/// Returns: the transform that applies `inner` first.
inline Affine compose(const Affine& outer, const Affine& inner) {
  const auto turned = [&outer](const glm::vec3& v) {
    return outer[0] * v.x + outer[1] * v.y + outer[2] * v.z;
  };
  return Affine(turned(inner[0]), turned(inner[1]), turned(inner[2]), turned(inner[3]) + outer[3]);
}

/// Returns: a node's transform relative to its parent: a small turn and a step, different for each node.
inline Affine local_of(std::uint32_t node) {
  const auto spread = static_cast<float>(node % 1009) / 1009.0f;
  const glm::vec3 axis = glm::normalize(glm::vec3(1.0f, spread, 0.5f - spread));
  const glm::mat4 turn = glm::rotate(glm::mat4(1.0f), 0.1f + spread, axis);
  return Affine(glm::vec3(turn[0]), glm::vec3(turn[1]), glm::vec3(turn[2]), glm::vec3(spread, 1.0f, -spread));
}

/// Returns: whether the two agree to 1e-5 of the larger value, or of 1.
inline bool agree(const Affine& a, const Affine& b) {
  for (int column = 0; column < 4; ++column) {
    for (int row = 0; row < 3; ++row) {
      const float x = a[column][row];
      const float y = b[column][row];
      const float size = glm::max(1.0f, glm::max(glm::abs(x), glm::abs(y)));
      if (!(glm::abs(x - y) <= 1e-5f * size)) return false;  // Also when one is not a number.
    }
  }
  return true;
}

}  // namespace strata::bench
