#include "walk.hpp"

#include <array>
#include <bit>
#include <fstream>
#include <string_view>

#include "files.hpp"
#ifdef STRATA_SCENE_EXPORTS
#include <strata/json/json.hpp>
#endif

namespace scene {
namespace {

/// Which node of the file an entity stands for.
struct SceneNode {
  NodeIndex index;
};

/// The columns of an Affine.
using Columns = std::array<std::array<float, 3>, 4>;

/// What an entity of a snapshot is.
struct SavedNode {
  NodeIndex number = 0;
  std::string name;
  Columns local{};
  Columns world{};  ///< The transform relative to the scene.
};

}  // namespace
}  // namespace scene

template <>
inline constexpr auto strata::members_of<scene::SavedNode> = strata::Members{
    strata::member("number", &scene::SavedNode::number), strata::member("name", &scene::SavedNode::name),
    strata::member("local", &scene::SavedNode::local), strata::member("world", &scene::SavedNode::world)};
template <>
inline constexpr std::string_view strata::name_of<scene::SavedNode> = "scene::SavedNode";

namespace scene {
namespace {

/// Returns: the scene that a world consists of.
/// Errors: InputError if its nodes are not numbered from 0 on, or an entity is no node.
Scene scene_of(strata::World& world, const std::string& path) {
  Scene scene{path, {}, {}};
  const std::size_t size = world.size();
  scene.names.resize(size);
  scene.forest.locals.resize(size);
  scene.forest.parents.assign(size, kNoParent);
  std::vector<bool> known(size, false);
  std::size_t nodes = 0;
  auto query = world.query<const SavedNode, strata::Parent<const SavedNode>>();
  query.each([&](const SavedNode& node, const SavedNode* parent) {
    if (node.number >= size || known[node.number] || (parent != nullptr && parent->number >= size))
      throw InputError("its nodes are not numbered from 0 on");
    known[node.number] = true;
    scene.names[node.number] = node.name;
    scene.forest.locals[node.number] = std::bit_cast<Affine>(node.local);
    if (parent != nullptr) scene.forest.parents[node.number] = parent->number;
    ++nodes;
  });
  if (nodes != size) throw InputError("it has entities that are no nodes");
  if (size == 0) throw InputError("it has no nodes");
  return scene;
}

/// Returns: a world with an entity for each node.
strata::World world_of(const Scene& scene, const std::vector<Visit>& visits) {
  std::vector<SavedNode> nodes(scene.forest.size());
  for (const Visit& visit : visits) {
    nodes[visit.node] = {visit.node, scene.names[visit.node],
                         std::bit_cast<Columns>(scene.forest.locals[visit.node]),
                         std::bit_cast<Columns>(visit.world)};
  }
  strata::World world;
  const strata::BuiltHierarchy built = world.build_hierarchy(scene.forest.parents, std::span(nodes));
  if (!built.outcome) throw std::runtime_error(built.outcome.message());
  return world;
}

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

std::uint64_t save_snapshot(const std::string& path, const Scene& scene, const std::vector<Visit>& visits) {
  const strata::World world = world_of(scene, visits);
  const strata::Outcome saved = strata::save_file(world, path);
  if (!saved) throw std::runtime_error(saved.message());
  return digest(world);
}

#ifdef STRATA_SCENE_EXPORTS
void export_json(const std::string& path, const Scene& scene, const std::vector<Visit>& visits) {
  std::ofstream out(path);
  const strata::Outcome written = strata::write_json(world_of(scene, visits), out);
  if (!written || !out.flush())
    throw std::runtime_error("the file \"" + path + "\" cannot be written: " +
                             (written ? "the disk may be full" : written.message()));
}
#else
void export_json(const std::string&, const Scene&, const std::vector<Visit>&) {
  throw std::runtime_error(
      "strata_json was not built, which --export needs: install nlohmann-json3-dev and configure with "
      "-Djson=enabled");
}
#endif

std::pair<Scene, std::uint64_t> read_snapshot(const std::string& path) {
  strata::World known;
  (void)known.component<SavedNode>();
  strata::LoadedWorld loaded = strata::load_file(path, known);
  if (!loaded.outcome) throw InputError(loaded.outcome.message());
  const std::uint64_t sum = digest(loaded.world);
  return located([&] { return path; }, [&] { return std::pair{scene_of(loaded.world, path), sum}; });
}

}  // namespace scene
