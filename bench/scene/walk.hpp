// Walks a scene with one cascade query: the first use of the library in this program, and the plainest.
#pragma once

#include <cstdint>
#include <vector>

#include "gltf_reader.hpp"
#include "transform.hpp"

namespace scene {

/// A node as the cascade came by it.
struct Visit {
  NodeIndex node;
  std::uint32_t depth;
  Affine world;
};

/// Builds a world of the scene and propagates its transforms.
/// Returns: all nodes, level by level.
/// Errors: InputError if a world transform exceeds the range of float; std::runtime_error as populate.
std::vector<Visit> walk(const Scene& scene);

/// Returns: how many nodes each level has.
std::vector<std::size_t> level_sizes(const std::vector<Visit>& visits);

}  // namespace scene
