// Payloads: what benches propagate down trees, with the one operation per payload that both sides share.
#pragma once

#include <cstdint>
#include <glm/gtc/matrix_inverse.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/mat3x3.hpp>
#include <glm/mat4x3.hpp>
#include <glm/vec3.hpp>
#include <glm/vector_relational.hpp>

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

/// A translation alone; 12 bytes.
using Position = glm::vec3;
static_assert(sizeof(Position) == 12);

/// An affine transform and the matrix for its normals, which takes an inverse: more work for the same nodes; 84 bytes.
struct WithNormal {
  Affine place;
  glm::mat3 normal;

  bool operator==(const WithNormal&) const = default;
};

inline WithNormal with_normal(const Affine& place) {
  return {place, glm::inverseTranspose(glm::mat3(place[0], place[1], place[2]))};
}
inline WithNormal compose(const WithNormal& outer, const WithNormal& inner) {
  return with_normal(compose(outer.place, inner.place));
}

/// Returns: where something at `inner`, seen from `outer`, is.
inline Position compose(const Position& outer, const Position& inner) {
  return outer + inner;
}

/// A number is summed up.
inline float compose(float outer, float inner) {
  return outer + inner;
}

/// Returns: a node's value relative to its parent, different for each node.
template <class Value>
Value local_of(std::uint32_t node);

template <>
inline Position local_of<Position>(std::uint32_t node) {
  const auto spread = static_cast<float>(node % 1009) / 1009.0f;
  return {spread, 1.0f, -spread};
}

/// So small and whole that a sum is the same in any order.
template <>
inline float local_of<float>(std::uint32_t node) {
  return static_cast<float>(node % 16);
}

/// A small turn and a step.
template <>
inline Affine local_of<Affine>(std::uint32_t node) {
  const Position step = local_of<Position>(node);
  const glm::vec3 axis = glm::normalize(glm::vec3(1.0f, step.x, 0.5f - step.x));
  const glm::mat4 turn = glm::rotate(glm::mat4(1.0f), 0.1f + step.x, axis);
  return Affine(glm::vec3(turn[0]), glm::vec3(turn[1]), glm::vec3(turn[2]), step);
}

template <>
inline WithNormal local_of<WithNormal>(std::uint32_t node) {
  return with_normal(local_of<Affine>(node));
}

/// Returns: whether the two agree to 1e-5 of the larger value, or of 1; not when one is not a number.
inline bool agree(const Position& a, const Position& b) {
  const glm::vec3 size = glm::max(glm::vec3(1.0f), glm::max(glm::abs(a), glm::abs(b)));
  return glm::all(glm::lessThanEqual(glm::abs(a - b), 1e-5f * size));
}
inline bool agree(float a, float b) {
  return agree(Position(a), Position(b));
}
inline bool agree(const Affine& a, const Affine& b) {
  return agree(a[0], b[0]) && agree(a[1], b[1]) && agree(a[2], b[2]) && agree(a[3], b[3]);
}
inline bool agree(const WithNormal& a, const WithNormal& b) {
  return agree(a.place, b.place) && agree(Affine(a.normal), Affine(b.normal));
}

}  // namespace strata::bench
