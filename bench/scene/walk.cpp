#include "walk.hpp"

#include <strata/strata.hpp>

#include "files.hpp"

namespace scene {
namespace {

/// Which node of the file an entity stands for.
struct SceneNode {
  NodeIndex index;
};

}  // namespace

std::vector<Visit> walk(const Scene& scene) {
  strata::World world;
  const std::vector<strata::Entity> entities = populate<Local, WorldTransform>(world, scene.forest);
  for (NodeIndex node = 0; node < entities.size(); ++node) world.add<SceneNode>(entities[node], {node});

  std::vector<Visit> visits;
  visits.reserve(entities.size());
  world
      .query<strata::Entity, const SceneNode, const Local, WorldTransform,
             strata::Parent<const WorldTransform>>()
      .cascade()
      .each([&](strata::Entity entity, const SceneNode& node, const Local& local,
                WorldTransform& world_transform, const WorldTransform* parent) {
        propagate(local, world_transform, parent);
        visits.push_back({node.index, world.depth(entity), world_transform.value});
      });

  for (const Visit& visit : visits)
    if (!is_finite(visit.world))
      throw InputError(scene.file + ": node " + scene.label(visit.node) +
                       ": its world transform is not finite as floats");
  return visits;
}

std::vector<std::size_t> level_sizes(const std::vector<Visit>& visits) {
  std::vector<std::size_t> sizes;
  for (const Visit& visit : visits) {
    if (visit.depth >= sizes.size()) sizes.resize(visit.depth + 1, 0);
    ++sizes[visit.depth];
  }
  return sizes;
}

}  // namespace scene
