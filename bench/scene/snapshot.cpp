#include "snapshot.hpp"

#include <array>
#include <fstream>
#include <stdexcept>
#include <strata/strata.hpp>
#include <string_view>

#include "files.hpp"
#ifdef STRATA_SCENE_EXPORTS
#include <strata/json/json.hpp>
#endif

namespace scene {
namespace {

/// The columns of an Affine.
using Columns = std::array<std::array<float, 3>, 4>;

Columns columns_of(const Affine& transform) {
  Columns columns;
  for (int column = 0; column < 4; ++column)
    for (int row = 0; row < 3; ++row)
      columns[static_cast<std::size_t>(column)][static_cast<std::size_t>(row)] = transform[column][row];
  return columns;
}
Affine affine_of(const Columns& columns) {
  Affine transform{};
  for (int column = 0; column < 4; ++column)
    for (int row = 0; row < 3; ++row)
      transform[column][row] = columns[static_cast<std::size_t>(column)][static_cast<std::size_t>(row)];
  return transform;
}

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
    scene.forest.locals[node.number] = affine_of(node.local);
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
    nodes[visit.node] = {visit.node, scene.names[visit.node], columns_of(scene.forest.locals[visit.node]),
                         columns_of(visit.world)};
  }
  strata::World world;
  const strata::BuiltHierarchy built = world.build_hierarchy(scene.forest.parents, std::span(nodes));
  if (!built.outcome) throw std::runtime_error(built.outcome.message());
  return world;
}

}  // namespace

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

bool is_snapshot(const std::string& path) {
  return path.ends_with(".strata");
}

Snapshot read_snapshot(const std::string& path) {
  strata::World known;
  (void)known.component<SavedNode>();
  strata::LoadedWorld loaded = strata::load_file(path, known);
  if (!loaded.outcome) throw InputError(loaded.outcome.message());
  return located([&] { return path; },
                 [&] {
                   const std::uint64_t sum = digest(loaded.world);
                   return Snapshot{scene_of(loaded.world, path), sum};
                 });
}

}  // namespace scene
