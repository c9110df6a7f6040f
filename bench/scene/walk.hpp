// A scene as entities of a world: walked over with one cascade query, which is the first use of the library in this
// program, and the plainest; saved to a file, and read from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <strata/strata.hpp>
#include <string>
#include <utility>
#include <vector>

#include "gltf_reader.hpp"

namespace scene {

/// A node's transform relative to its parent, and relative to the scene.
struct Local {
  Affine value;
};
struct WorldTransform {
  Affine value;
};

/// Creates every node in the forest's order and then links them, since a parent may come after its children.
/// Links from the roots down, because linking a node moves all that hangs on it already.
/// Returns: the entities, in node order.
/// Errors: std::runtime_error with the library's sentence if it refuses a link.
template <class LocalType, class WorldType>
std::vector<strata::Entity> populate(strata::World& world, const Forest& forest) {
  std::vector<strata::Entity> entities;
  entities.reserve(forest.size());
  for (const Affine& local : forest.locals) entities.push_back(world.create(LocalType{local}, WorldType{}));
  for (const NodeIndex node : ancestors_first_order(forest.parents)) {
    if (forest.parents[node] == kNoParent) continue;
    const strata::Outcome linked = world.set_parent(entities[node], entities[forest.parents[node]]);
    if (!linked) throw std::runtime_error(linked.message());
  }
  return entities;
}

/// What one node of a cascade does: a world transform is the parent's, applied after the local one.
inline constexpr auto propagate = [](const auto& local, auto& world, const auto* parent) {
  world.value = parent != nullptr ? compose(parent->value, local.value) : local.value;
};

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

/// Writes a world of a walked scene, with an entity for each node: its number, name, and transforms.
/// Returns: the digest of the world.
/// Errors: std::runtime_error if the file cannot be written.
std::uint64_t save_snapshot(const std::string& path, const Scene& scene, const std::vector<Visit>& visits);

/// Writes the same world as JSON.
/// Errors: std::runtime_error if the file cannot be written, or if strata_json was not built.
void export_json(const std::string& path, const Scene& scene, const std::vector<Visit>& visits);

/// Reads a scene that `save_snapshot` wrote.
/// Returns: the scene, and the digest of the world in the file.
/// Errors: InputError, naming the file, if it cannot be read, or is another world than `save_snapshot` writes.
std::pair<Scene, std::uint64_t> read_snapshot(const std::string& path);

}  // namespace scene
