// Affine: the 3x4 matrices that hierarchy benches propagate, with the one multiplication both sides share.
#pragma once

#include <glm/mat4x3.hpp>
#include <glm/vec3.hpp>

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

}  // namespace strata::bench
