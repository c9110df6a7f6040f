// The local transform of a glTF node.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "transform.hpp"

namespace scene {

/// Reads `matrix`, or `translation`, `rotation` and `scale`, each with the default that glTF gives it.
/// Errors: InputError if a property is ill-formed, the matrix is not affine or the rotation not a unit
/// quaternion.
/// Source: glTF 2.0 specification, 3.5.2 "Transformations".
Affine read_transform(const nlohmann::json& node);

}  // namespace scene
