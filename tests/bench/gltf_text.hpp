// glTF files of a few nodes, written in place, and what the reader says of them.
#pragma once

#include <cstdint>
#include <string>

#include "../../bench/scene/files.hpp"
#include "../../bench/scene/gltf_reader.hpp"

namespace scene::test {

/// Returns: a .gltf file with these nodes, given as the elements of a JSON array.
inline std::string gltf(const std::string& nodes) {
  return R"({"asset": {"version": "2.0"}, "nodes": [)" + nodes + "]}";
}

inline std::string little_endian(std::size_t value) {
  std::string bytes;
  for (unsigned byte = 0; byte < 4; ++byte) bytes += static_cast<char>(value >> (8 * byte) & 0xFFU);
  return bytes;
}

/// Returns: a .glb file with this JSON and, after it, an empty binary chunk.
inline std::string glb(const std::string& json, std::size_t version = 2) {
  const std::string content =
      little_endian(json.size()) + "JSON" + json + little_endian(0) + std::string("BIN\0", 4);
  return "glTF" + little_endian(version) + little_endian(12 + content.size()) + content;
}

/// Returns: why the reader refuses a file called `rover`; empty if it does not.
inline std::string refusal(const std::string& bytes) {
  try {
    parse_gltf(bytes, "rover");
  } catch (const InputError& problem) {
    return problem.what();
  }
  return "";
}

}  // namespace scene::test
