#include "snapshot.hpp"

#include <stdexcept>
#include <strata/strata.hpp>
#include <string_view>

#include "files.hpp"

namespace scene {
namespace {

/// What an entity of a snapshot is.
struct SavedNode {
  NodeIndex number = 0;
  std::string name;
  Affine local{};
  Affine world{};  ///< The transform relative to the scene.
};

bool read_affine(Affine& transform, strata::ByteReader& reader) {
  for (int column = 0; column < 4; ++column)
    for (int row = 0; row < 3; ++row) transform[column][row] = reader.read<float>();
  return !reader.failed();
}

}  // namespace
}  // namespace scene

template <>
inline constexpr auto strata::members_of<scene::Affine> =
    strata::OwnFormat{[](const scene::Affine& transform, strata::ByteWriter& writer) {
                        for (int column = 0; column < 4; ++column)
                          for (int row = 0; row < 3; ++row) writer.write(transform[column][row]);
                      },
                      [](scene::Affine& transform, strata::ByteReader& reader) {
                        return scene::read_affine(transform, reader);
                      }};
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
    scene.forest.locals[node.number] = node.local;
    if (parent != nullptr) scene.forest.parents[node.number] = parent->number;
    ++nodes;
  });
  if (nodes != size) throw InputError("it has entities that are no nodes");
  if (size == 0) throw InputError("it has no nodes");
  return scene;
}

}  // namespace

std::uint64_t save_snapshot(const std::string& path, const Scene& scene, const std::vector<Visit>& visits) {
  std::vector<SavedNode> nodes(scene.forest.size());
  for (const Visit& visit : visits) {
    nodes[visit.node] = {visit.node, scene.names[visit.node], scene.forest.locals[visit.node], visit.world};
  }
  strata::World world;
  const strata::BuiltHierarchy built = world.build_hierarchy(scene.forest.parents, std::span(nodes));
  if (!built.outcome) throw std::runtime_error(built.outcome.message());
  const strata::Outcome saved = strata::save_file(world, path);
  if (!saved) throw std::runtime_error(saved.message());
  return digest(world);
}

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
