#include "gltf_reader.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "gltf_json.hpp"
#include "gltf_transform.hpp"
#include "input_error.hpp"
#include "input_file.hpp"
#include "text.hpp"

namespace scene {
namespace {

using nlohmann::json;

void check_version(const json& document) {
  const auto asset = document.find("asset");
  if (asset == document.end() || !asset->is_object())
    throw InputError("not a glTF file: it has no \"asset\" object");
  const auto version = asset->find("version");
  if (version == asset->end() || !version->is_string())
    throw InputError("not a glTF file: its \"asset\" has no \"version\"");
  const auto& text = version->get_ref<const std::string&>();
  if (!text.starts_with("2.") || text.size() < 3 || text.find_first_not_of("0123456789", 2) != text.npos)
    throw InputError("is glTF version \"" + printable(text, 20) + "\"; only 2.x is supported");
}

std::string read_name(const json& node) {
  const auto name = node.find("name");
  if (name == node.end()) return {};
  if (!name->is_string()) throw InputError("\"name\" is not a string");
  return name->get<std::string>();
}

/// As `located`, at a node.
template <class Read>
auto at_node(const Scene& scene, NodeIndex node, Read read) {
  return located([&] { return "node " + scene.label(node); }, read);
}

void read_node(const json& node, Scene& scene, NodeIndex index) {
  at_node(scene, index, [&] {
    if (!node.is_object()) throw InputError("is not an object");
    scene.names[index] = read_name(node);
    scene.forest.locals[index] = read_transform(node);
  });
}

std::vector<NodeIndex> read_children(const json& node, const Scene& scene, NodeIndex index) {
  return at_node(scene, index, [&] {
    std::vector<NodeIndex> children;
    if (const json* listed = find_array(node, "children"))
      for (const json& child : *listed) children.push_back(node_index(child, "child", scene.names.size()));
    return children;
  });
}

void adopt(Scene& scene, NodeIndex parent, NodeIndex child) {
  at_node(scene, child, [&] {
    NodeIndex& known = scene.forest.parents[child];
    if (child == parent) throw InputError("is listed as its own child");
    if (known == parent) throw InputError("is listed twice as a child of node " + scene.label(parent));
    if (known != kNoParent)
      throw InputError("has two parents: node " + scene.label(known) + " and node " + scene.label(parent));
    known = parent;
  });
}

/// Every node has at most one parent by now, so that a cycle is all that can keep one from a root.
void check_acyclic(const Scene& scene) {
  const std::vector<NodeIndex>& parents = scene.forest.parents;
  std::vector<bool> seen(parents.size(), false);
  const std::vector<NodeIndex> reached = breadth_first_order(parents);
  if (reached.size() == parents.size()) return;
  for (const NodeIndex node : reached) seen[node] = true;
  auto node = static_cast<NodeIndex>(std::find(seen.begin(), seen.end(), false) - seen.begin());
  for (; !seen[node]; node = parents[node])
    seen[node] = true;  // up, until a node comes again: it is on the cycle

  constexpr int kMostNodes = 8;
  std::string path = std::to_string(node);
  NodeIndex ancestor = parents[node];
  for (int shown = 1; ancestor != node && shown < kMostNodes; ++shown, ancestor = parents[ancestor])
    path += ", child of " + std::to_string(ancestor);
  path += ancestor == node ? ", child of " + std::to_string(node) : ", ...";
  at_node(scene, node, [&] { throw InputError("is its own ancestor: " + path); });
}

/// The scenes' lists of roots do not matter here, but one that names no node tells of a damaged file.
void check_scenes(const json& document, std::size_t node_count) {
  const json* scenes = find_array(document, "scenes");
  if (scenes == nullptr) return;
  for (std::size_t index = 0; index < scenes->size(); ++index)
    located([&] { return "scene " + std::to_string(index); },
            [&] {
              const json& scene = (*scenes)[index];
              if (!scene.is_object()) throw InputError("is not an object");
              if (const json* roots = find_array(scene, "nodes"))
                for (const json& root : *roots) node_index(root, "root node", node_count);
            });
}

Scene read_document(const json& document, const std::string& file) {
  check_version(document);
  const json* nodes = find_array(document, "nodes");
  if (nodes == nullptr || nodes->empty()) throw InputError("has no nodes");
  const auto count = static_cast<NodeIndex>(nodes->size());

  Scene scene;
  scene.file = file;
  scene.names.resize(count);
  scene.forest.locals.resize(count);
  scene.forest.parents.resize(count, kNoParent);
  for (NodeIndex index = 0; index < count; ++index) read_node((*nodes)[index], scene, index);
  for (NodeIndex index = 0; index < count; ++index)
    for (const NodeIndex child : read_children((*nodes)[index], scene, index)) adopt(scene, index, child);
  check_acyclic(scene);
  check_scenes(document, count);
  return scene;
}

}  // namespace

std::string Scene::label(NodeIndex node) const {
  const std::string index = std::to_string(node);
  return names[node].empty() ? index : index + " (\"" + printable(names[node], 40) + "\")";
}

Scene parse_gltf(std::string_view bytes, const std::string& file) {
  return located([&] { return file; }, [&] { return read_document(parse_json(json_text(bytes)), file); });
}

Scene read_gltf(const std::string& path) {
  const std::string bytes = located([&] { return path; }, [&] { return read_file(path); });
  return parse_gltf(bytes, path);
}

}  // namespace scene
