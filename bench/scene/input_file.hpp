// The bytes of a scene file, and the JSON text inside them.
#pragma once

#include <string>
#include <string_view>

namespace scene {

/// Reads a whole file.
/// Errors: InputError if it is no regular file, cannot be read or has more than 1 GiB.
std::string read_file(const std::string& path);

/// Finds the JSON of a glTF file: all of a .gltf, the first chunk of a .glb; told apart by content.
/// Errors: InputError if it is neither, or a .glb that is truncated, ill-formed or of another version than 2.
/// Source: glTF 2.0 specification, 4.4 "Binary glTF layout".
std::string_view json_text(std::string_view bytes);

}  // namespace scene
