#include "gltf_reader.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/gtc/matrix_access.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/gtc/type_ptr.hpp>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>

#include "files.hpp"
#include "text.hpp"

namespace scene {
namespace {

using nlohmann::json;

/// Returns: the node in which broken JSON stops making sense, as the beginning of a message; empty outside of nodes. A
/// pass of its own: parsing with a callback takes quadratic time if it keeps what it parses.
std::string place_of_error(std::string_view text) {
  bool in_nodes = false;
  std::size_t count = 0;
  // Takes the number of objects and arrays around each event; returns whether to keep what was parsed.
  const auto track = [&](int depth, json::parse_event_t event, const json& parsed) {
    using Event = json::parse_event_t;
    if (depth == 1 && event == Event::key) {
      in_nodes = parsed == "nodes";
      count = 0;
    }
    if (depth == 1 && event == Event::array_end) in_nodes = false;
    if (depth == 2 && event != Event::key) ++count;
    return depth < 2;
  };
  const bool is_broken = json::parse(text.begin(), text.end(), track, false).is_discarded();
  return is_broken && in_nodes && count > 0 ? "node " + std::to_string(count - 1) + ": " : "";
}

/// The parser's own words, without the tag in brackets that they begin with.
std::string reason(const json::exception& error) {
  const std::string_view message = error.what();
  const std::size_t tag_end = message.find("] ");
  return printable(tag_end == std::string_view::npos ? message : message.substr(tag_end + 2), 240);
}

std::string quoted(const char* property) {
  return '"' + std::string(property) + '"';
}

/// A value in a few characters. Only numbers are spelled out: writing nested values would recurse.
std::string brief(const json& value) {
  return value.is_number() ? value.dump() : "of type " + std::string(value.type_name());
}

/// Parses JSON text. Nothing recurses: nesting is limited by memory only.
/// Errors: InputError says where the JSON is broken; if that is inside a node, it names the node.
json parse_json(std::string_view text) {
  try {
    return json::parse(text);
  } catch (const json::out_of_range& error) {
    throw InputError(place_of_error(text) + "a number is not finite: " + reason(error));
  } catch (const json::exception& error) {
    throw InputError(place_of_error(text) + "broken JSON: " + reason(error));
  }
}

/// Reads a property that holds as many numbers as `values`; leaves these alone if the property is missing.
/// Returns: whether the object has the property.
/// Errors: InputError unless it holds that many numbers, each in the range of float.
bool read_numbers(const json& object, const char* property, std::span<float> values) {
  const auto found = object.find(property);
  if (found == object.end()) return false;
  if (!found->is_array() || found->size() != values.size())
    throw InputError(quoted(property) + " is not an array of " + std::to_string(values.size()) + " numbers");
  for (std::size_t i = 0; i < values.size(); ++i) {
    const json& value = (*found)[i];
    const auto refuse = [&](const char* why) {
      return InputError(quoted(property) + '[' + std::to_string(i) + "] is " + brief(value) + why);
    };
    if (!value.is_number()) throw refuse(", not a number");
    const auto number = value.get<double>();
    if (!(std::abs(number) <= double{std::numeric_limits<float>::max()}))
      throw refuse(", not finite as a float");
    values[i] = static_cast<float>(number);
  }
  return true;
}

/// Returns: the array of that name, an empty one if the property is missing.
/// Errors: InputError if it is anything but an array.
const json& array_of(const json& object, const char* property) {
  static const json none = json::array();
  const auto found = object.find(property);
  if (found == object.end()) return none;
  if (!found->is_array()) throw InputError(quoted(property) + " is not an array");
  return *found;
}

/// Returns: the indices of nodes in the array of that name; none if the property is missing.
/// Errors: InputError unless it is an array of indices below `count`; that calls each of them `role`.
std::vector<NodeIndex> read_indices(const json& object, const char* property, const std::string& role,
                                    std::size_t count) {
  if (!object.is_object()) throw InputError("is not an object");
  std::vector<NodeIndex> indices;
  for (const json& value : array_of(object, property)) {
    if (!value.is_number_integer())
      throw InputError(role + " is " + brief(value) + ", not the index of a node");
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() >= count)
      throw InputError(role + ' ' + brief(value) + " is out of range: the file has " +
                       counted(count, "node"));
    indices.push_back(value.get<NodeIndex>());
  }
  return indices;
}

/// How far, in absolute terms, exporters' rounding may take a unit length or a last row.
constexpr float kRounding = 0.01F;

glm::quat read_rotation(const json& node) {
  std::array<float, 4> xyzw = {0, 0, 0, 1};
  read_numbers(node, "rotation", xyzw);
  const auto [x, y, z, w] = xyzw;
  const double length = std::sqrt(double{x} * x + double{y} * y + double{z} * z + double{w} * w);
  if (!(std::abs(length - 1) <= kRounding))
    throw InputError("\"rotation\" is not a unit quaternion: its length is " + fixed(length, 3));
  return glm::normalize(glm::quat(w, x, y, z));
}

/// Reads `matrix`, or `translation`, `rotation` and `scale`, each with the default that glTF gives it.
/// Errors: InputError if a property is ill-formed, the matrix is not affine or the rotation not a unit
/// quaternion.
/// Source: glTF 2.0 specification, 3.5.2 "Transformations".
Affine read_transform(const json& node) {
  glm::mat4 matrix;
  if (read_numbers(node, "matrix", std::span(glm::value_ptr(matrix), 16))) {
    for (const char* property : {"translation", "rotation", "scale"})
      if (node.contains(property))
        throw InputError("has both \"matrix\" and \"" + std::string(property) + '"');
    const glm::vec4 error = glm::abs(glm::row(matrix, 3) - glm::vec4(0, 0, 0, 1));
    if (glm::any(glm::greaterThan(error, glm::vec4(kRounding))))
      throw InputError("\"matrix\" is not affine: its last row is not 0, 0, 0, 1");
    return Affine(matrix);
  }
  glm::vec3 translation(0);
  glm::vec3 scale(1);
  read_numbers(node, "translation", std::span(glm::value_ptr(translation), 3));
  read_numbers(node, "scale", std::span(glm::value_ptr(scale), 3));
  const glm::mat3 turn = glm::mat3_cast(read_rotation(node));
  return {turn[0] * scale[0], turn[1] * scale[1], turn[2] * scale[2], translation};
}

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

/// As `located`, at a node.
template <class Read>
auto at_node(const Scene& scene, NodeIndex node, Read read) {
  return located([&] { return "node " + scene.label(node); }, read);
}

void read_node(const json& node, Scene& scene, NodeIndex index) {
  at_node(scene, index, [&] {
    if (!node.is_object()) throw InputError("is not an object");
    if (const auto name = node.find("name"); name != node.end()) {
      if (!name->is_string()) throw InputError("\"name\" is not a string");
      scene.names[index] = name->get<std::string>();
    }
    scene.forest.locals[index] = read_transform(node);
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
  for (const NodeIndex node : breadth_first_order(parents)) seen[node] = true;
  const auto missing = std::find(seen.begin(), seen.end(), false);
  if (missing == seen.end()) return;
  auto node = static_cast<NodeIndex>(missing - seen.begin());
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

Scene read_document(const json& document, const std::string& file) {
  check_version(document);
  const json& nodes = array_of(document, "nodes");
  if (nodes.empty()) throw InputError("has no nodes");
  const auto count = static_cast<NodeIndex>(nodes.size());

  Scene scene;
  scene.file = file;
  scene.names.resize(count);
  scene.forest.locals.resize(count);
  scene.forest.parents.resize(count, kNoParent);
  for (NodeIndex index = 0; index < count; ++index) read_node(nodes[index], scene, index);
  for (NodeIndex index = 0; index < count; ++index) {
    const auto children =
        at_node(scene, index, [&] { return read_indices(nodes[index], "children", "child", count); });
    for (const NodeIndex child : children) adopt(scene, index, child);
  }
  check_acyclic(scene);
  // The scenes' lists of roots do not matter here, but one that names no node tells of a damaged file.
  const json& scenes = array_of(document, "scenes");
  for (std::size_t index = 0; index < scenes.size(); ++index)
    located([&] { return "scene " + std::to_string(index); },
            [&] { read_indices(scenes[index], "nodes", "root node", count); });
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
