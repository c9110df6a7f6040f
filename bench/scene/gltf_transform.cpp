#include "gltf_transform.hpp"

#include <array>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <nlohmann/json.hpp>

#include "gltf_json.hpp"
#include "input_error.hpp"
#include "text.hpp"

namespace scene {
namespace {

using nlohmann::json;

/// How far, in absolute terms, exporters' rounding may take a unit length or a last row.
constexpr float kTolerance = 0.01F;

Affine from_matrix(const std::array<float, 16>& m) {
  constexpr std::array<float, 4> kLastRow = {0, 0, 0, 1};
  for (std::size_t column = 0; column < 4; ++column)
    if (std::abs(m[4 * column + 3] - kLastRow[column]) > kTolerance)
      throw InputError("\"matrix\" is not affine: its last row is not 0, 0, 0, 1");
  return {m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10], m[12], m[13], m[14]};
}

glm::quat read_rotation(const json& node) {
  std::array<float, 4> xyzw = {0, 0, 0, 1};
  read_numbers(node, "rotation", xyzw.data(), xyzw.size());
  const auto [x, y, z, w] = xyzw;
  const double length = std::sqrt(double{x} * x + double{y} * y + double{z} * z + double{w} * w);
  if (!(std::abs(length - 1) <= kTolerance))
    throw InputError("\"rotation\" is not a unit quaternion: its length is " + fixed(length, 3));
  return glm::normalize(glm::quat(w, x, y, z));
}

}  // namespace

Affine read_transform(const json& node) {
  std::array<float, 16> matrix{};
  if (read_numbers(node, "matrix", matrix.data(), matrix.size())) {
    for (const char* property : {"translation", "rotation", "scale"})
      if (node.contains(property))
        throw InputError("has both \"matrix\" and \"" + std::string(property) + '"');
    return from_matrix(matrix);
  }
  std::array<float, 3> translation = {0, 0, 0};
  std::array<float, 3> scale = {1, 1, 1};
  read_numbers(node, "translation", translation.data(), translation.size());
  read_numbers(node, "scale", scale.data(), scale.size());
  const glm::mat3 turn = glm::mat3_cast(read_rotation(node));
  return {turn[0] * scale[0], turn[1] * scale[1], turn[2] * scale[2],
          glm::vec3(translation[0], translation[1], translation[2])};
}

}  // namespace scene
