// Reads the node tree of a glTF 2.0 file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "forest.hpp"

namespace scene {

/// All nodes of a file, in the file's order, whichever of its scenes they belong to.
struct Scene {
  std::string file;
  std::vector<std::string> names;  ///< One per node, empty where the file gives none.
  Forest forest;

  /// Returns: how messages and tables call a node: `12 ("Wheel")`.
  std::string label(NodeIndex node) const;
};

/// Reads a .gltf or .glb file. Only the nodes are looked at: buffers, images and meshes may be missing.
/// Errors: InputError, naming the file, the node if it is one's, and the problem.
/// Source: glTF 2.0 specification, https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html
Scene read_gltf(const std::string& path);

/// As read_gltf, of a file's content; `file` is what messages call it.
Scene parse_gltf(std::string_view bytes, const std::string& file);

}  // namespace scene
