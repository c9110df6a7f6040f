#include "../../bench/scene/gltf_reader.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "../../bench/scene/walk.hpp"
#include "gltf_text.hpp"

namespace scene::test {
namespace {

using Nodes = std::vector<NodeIndex>;

Affine local_of(const std::string& node) {
  return parse_gltf(gltf(node), "rover").forest.locals.at(0);
}

void check_close(const Affine& actual, const Affine& expected) {
  CHECK(relative_difference(expected, actual) <= 1e-6);
}

TEST_SUITE("bench/gltf_reader") {
  TEST_CASE("reads names and parents in the file's order, whichever comes first") {
    const Scene scene = parse_gltf(
        gltf(R"({"name": "Wheel"}, {"children": [0, 3], "name": "Axle"}, {}, {"children": [2]})"), "rover");
    CHECK(scene.file == "rover");
    CHECK(scene.names == std::vector<std::string>{"Wheel", "Axle", "", ""});
    CHECK(scene.forest.parents == Nodes{1, kNoParent, 3, 1});
    CHECK(scene.label(0) == "0 (\"Wheel\")");
    CHECK(scene.label(2) == "2");
  }

  TEST_CASE("reads the same from a .glb as from a .gltf") {
    const Scene scene = parse_gltf(glb(gltf(R"({"name": "Wheel"}, {"children": [0]})")), "rover");
    CHECK(scene.names == std::vector<std::string>{"Wheel", ""});
    CHECK(scene.forest.parents == Nodes{1, kNoParent});
  }

  TEST_CASE("a node without a transform stays where its parent is") {
    check_close(local_of("{}"), Affine(1.0F));
  }

  TEST_CASE("applies scale, then rotation, then translation") {
    // A quarter turn about z: x becomes y, y becomes -x.
    const float half = std::sqrt(0.5F);
    const Affine local = local_of(R"({"translation": [5, 6, 7], "scale": [2, 3, 4], "rotation": [0, 0, )" +
                                  std::to_string(half) + ", " + std::to_string(half) + "]}");
    check_close(local, Affine(0, 2, 0, -3, 0, 0, 0, 0, 4, 5, 6, 7));
  }

  TEST_CASE("reads a matrix column by column") {
    check_close(local_of(R"({"matrix": [0, 2, 0, 0, -3, 0, 0, 0, 0, 0, 4, 0, 5, 6, 7, 1]})"),
                Affine(0, 2, 0, -3, 0, 0, 0, 0, 4, 5, 6, 7));
  }

  TEST_CASE("straightens a rotation that exporters' rounding left almost of unit length") {
    check_close(local_of(R"({"rotation": [0, 0, 0, 1.001]})"), Affine(1.0F));
  }

  TEST_CASE("looks neither at buffers nor at meshes") {
    CHECK(refusal(R"({"asset": {"version": "2.0"}, "buffers": [{"uri": "absent.bin", "byteLength": 9}],
                      "meshes": "none", "nodes": [{"mesh": 7}]})") == "");
  }

  TEST_CASE("accepts a later minor version, a byte order mark and deep nesting in what it does not read") {
    CHECK(refusal(R"({"asset": {"version": "2.1"}, "nodes": [{}]})") == "");
    CHECK(refusal("\xEF\xBB\xBF" + gltf("{}")) == "");
    CHECK(refusal(gltf(R"({"extras": )" + std::string(100'000, '[') + std::string(100'000, ']') + "}")) ==
          "");
  }

  TEST_CASE("the shipped scene is deep, lists children before their parents and walks level by level") {
    const Scene rover = read_gltf(STRATA_SOURCE_ROOT "/bench/scenes/rover.gltf");
    const std::vector<Visit> visits = walk(rover);
    CHECK(visits.size() == rover.names.size());
    CHECK(visits.size() >= 60);
    CHECK(level_sizes(visits).size() >= 8);
    for (NodeIndex node = 0; node < visits.size(); ++node) {
      CHECK(!rover.names[node].empty());
      CHECK(rover.forest.parents[node] > node);
      if (node > 0) CHECK(visits[node - 1].depth <= visits[node].depth);
    }
  }
}

}  // namespace
}  // namespace scene::test
