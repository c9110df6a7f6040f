#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "../../bench/scene/gltf_reader.hpp"
#include "../../bench/scene/walk.hpp"
#include "gltf_text.hpp"

namespace scene::test {
namespace {

TEST_SUITE("bench/bad_input") {
  TEST_CASE("a file that cannot be read") {
    CHECK_THROWS_WITH_AS(read_gltf("/absent.gltf"), "/absent.gltf: No such file or directory", InputError);
    CHECK_THROWS_WITH_AS(read_gltf("/"), "/: Is a directory", InputError);
  }

  TEST_CASE("a file that may have no end is not opened") {
    const std::string fifo =
        (std::filesystem::temp_directory_path() / ("strata_fifo_" + std::to_string(getpid()))).string();
    REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
    CHECK_THROWS_WITH_AS(read_gltf(fifo), (fifo + ": is not a regular file").c_str(), InputError);
    std::filesystem::remove(fifo);
    CHECK_THROWS_WITH_AS(read_gltf("/dev/zero"), "/dev/zero: is not a regular file", InputError);
  }

  TEST_CASE("what is not a glTF file") {
    const std::string neither =
        "rover: not a glTF file: it begins neither with a .glb header nor with a JSON object";
    CHECK(refusal("") == "rover: not a glTF file: it is empty");
    CHECK(refusal("\x89PNG\r\n") == neither);
    CHECK(refusal("[1, 2]") == neither);
    CHECK(refusal(" \n") == neither);
    CHECK(refusal("{}") == "rover: not a glTF file: it has no \"asset\" object");
    CHECK(refusal(R"({"asset": {}})") == "rover: not a glTF file: its \"asset\" has no \"version\"");
  }

  TEST_CASE("another version") {
    CHECK(refusal(R"({"asset": {"version": "1.0"}, "nodes": [{}]})") ==
          "rover: is glTF version \"1.0\"; only 2.x is supported");
    CHECK(refusal(R"({"asset": {"version": "20"}, "nodes": [{}]})") ==
          "rover: is glTF version \"20\"; only 2.x is supported");
    CHECK(refusal(glb(gltf("{}"), 1)) == "rover: is version 1 of the .glb format; only 2 is supported");
  }

  TEST_CASE("broken JSON, with the place and the node it is in") {
    const std::string broken = refusal("{\n\"asset\": {\"version\" \"2.0\"}}");
    CHECK(broken.starts_with("rover: broken JSON: parse error at line 2, column 25: "));
    CHECK(refusal(gltf("{}, {\"name\": nul}"))
              .starts_with("rover: node 1: broken JSON: parse error at line 1"));
    CHECK(refusal(gltf("{}").substr(0, 41)).starts_with("rover: node 0: broken JSON: "));
    CHECK(refusal(gltf("{}") + "}").starts_with("rover: broken JSON: "));
    CHECK(refusal("{\"a\": " + std::string(100'000, '[')).starts_with("rover: broken JSON: "));
  }

  TEST_CASE("a .glb cut off anywhere") {
    const std::string whole = glb(gltf("{}"));
    REQUIRE(refusal(whole) == "");
    for (std::size_t size = 4; size < whole.size(); ++size)
      CHECK(refusal(whole.substr(0, size)).starts_with("rover: truncated .glb: "));
    CHECK(refusal(whole.substr(0, 20)) == "rover: truncated .glb: its header declares " +
                                              std::to_string(whole.size()) + ", but the file has 20 bytes");
  }

  TEST_CASE("a .glb whose sizes contradict each other") {
    std::string chunk = glb(gltf("{}"));
    chunk.replace(12, 4, little_endian(0xFFFF'FFFF));
    CHECK(refusal(chunk) ==
          "rover: truncated .glb: its JSON chunk ends at byte 4294967315, but its header declares " +
              std::to_string(chunk.size()) + " bytes");
    std::string header = glb(gltf("{}"));
    header.replace(8, 4, little_endian(12));
    const auto ends_at_20 = [](int declared) {
      return "rover: truncated .glb: its first chunk's header ends at byte 20, but its header declares " +
             std::to_string(declared) + " bytes";
    };
    CHECK(refusal(header) == ends_at_20(12));
    header.replace(8, 4, little_endian(0));
    CHECK(refusal(header) == ends_at_20(0));
    std::string binary = glb(gltf("{}"));
    binary.replace(16, 4, "BIN\0", 4);
    CHECK(refusal(binary) == "rover: ill-formed .glb: its first chunk is not JSON");
  }

  TEST_CASE("no nodes") {
    CHECK(refusal(R"({"asset": {"version": "2.0"}})") == "rover: has no nodes");
    CHECK(refusal(gltf("")) == "rover: has no nodes");
    CHECK(refusal(R"({"asset": {"version": "2.0"}, "nodes": {}})") == "rover: \"nodes\" is not an array");
  }

  TEST_CASE("a child index out of range") {
    CHECK(refusal(gltf(R"({}, {"name": "Axle", "children": [2]})")) ==
          "rover: node 1 (\"Axle\"): child 2 is out of range: the file has 2 nodes");
    CHECK(refusal(gltf(R"({"children": [-1]})")) ==
          "rover: node 0: child -1 is out of range: the file has 1 node");
    CHECK(refusal(gltf(R"({"children": [4294967296]})")) ==
          "rover: node 0: child 4294967296 is out of range: the file has 1 node");
    CHECK(refusal(R"({"asset": {"version": "2.0"}, "nodes": [{}], "scenes": [{}, {"nodes": [1]}]})") ==
          "rover: scene 1: root node 1 is out of range: the file has 1 node");
  }

  TEST_CASE("children that are no indices") {
    CHECK(refusal(gltf(R"({"children": 1})")) == "rover: node 0: \"children\" is not an array");
    CHECK(refusal(gltf(R"({"children": [0.5]})")) == "rover: node 0: child is 0.5, not the index of a node");
    CHECK(refusal(gltf(R"({"children": ["0"]})")) ==
          "rover: node 0: child is of type string, not the index of a node");
  }

  TEST_CASE("a node with two parents") {
    CHECK(refusal(gltf(R"({"name": "Front", "children": [1]}, {"name": "Wheel"}, {"children": [1]})")) ==
          "rover: node 1 (\"Wheel\"): has two parents: node 0 (\"Front\") and node 2");
    CHECK(refusal(gltf(R"({"children": [1, 1]}, {})")) ==
          "rover: node 1: is listed twice as a child of node 0");
  }

  TEST_CASE("a cycle") {
    CHECK(refusal(gltf(R"({}, {"name": "Axle", "children": [1]})")) ==
          "rover: node 1 (\"Axle\"): is listed as its own child");
    CHECK(refusal(gltf(R"({}, {"children": [3]}, {"name": "Axle", "children": [1]}, {"children": [2]})")) ==
          "rover: node 1: is its own ancestor: 1, child of 2, child of 3, child of 1");
    CHECK(refusal(gltf(R"({"children": []}, {}, {"children": [3, 1]}, {"children": [2]})")) ==
          "rover: node 2: is its own ancestor: 2, child of 3, child of 2");
  }

  TEST_CASE("numbers that are not finite") {
    CHECK(refusal(gltf(R"({}, {"name": "Axle", "translation": [0, 1e39, 0]})")) ==
          "rover: node 1 (\"Axle\"): \"translation\"[1] is 1e+39, not finite as a float");
    CHECK(refusal(gltf(R"({}, {"translation": [0, 1e999, 0]})")) ==
          "rover: node 1: a number is not finite: number overflow parsing '1e999'");
    CHECK(refusal(gltf(R"({"scale": [NaN, 1, 1]})")).starts_with("rover: node 0: broken JSON: "));
  }

  TEST_CASE("transforms that are finite one by one and not when composed") {
    const Scene scene = parse_gltf(gltf(R"({"scale": [1e38, 1, 1], "children": [1]},
                                           {"name": "Far", "translation": [1e38, 0, 0]})"),
                                   "rover");
    CHECK_THROWS_WITH_AS(walk(scene), "rover: node 1 (\"Far\"): its world transform is not finite as floats",
                         InputError);
  }

  TEST_CASE("properties of another shape") {
    CHECK(refusal(gltf("{}, 7")) == "rover: node 1: is not an object");
    CHECK(refusal(gltf(R"({"name": 7})")) == "rover: node 0: \"name\" is not a string");
    CHECK(refusal(gltf(R"({"scale": [1, 2]})")) == "rover: node 0: \"scale\" is not an array of 3 numbers");
    CHECK(refusal(gltf(R"({"scale": [1, 2, null]})")) ==
          "rover: node 0: \"scale\"[2] is of type null, not a number");
    CHECK(refusal(gltf(R"({"rotation": [0, 0, 0, 0]})")) ==
          "rover: node 0: \"rotation\" is not a unit quaternion: its length is 0.000");
    CHECK(refusal(gltf(R"({"matrix": [1, 0, 0, 5, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]})")) ==
          "rover: node 0: \"matrix\" is not affine: its last row is not 0, 0, 0, 1");
    CHECK(refusal(
              gltf(R"({"matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1], "scale": [1, 1, 1]})")) ==
          "rover: node 0: has both \"matrix\" and \"scale\"");
  }

  TEST_CASE("names in messages stay on one line") {
    CHECK(refusal(gltf(R"({"name": "A\n\u001b[31mB", "scale": 1})")) ==
          "rover: node 0 (\"A??[31mB\"): \"scale\" is not an array of 3 numbers");
  }
}

}  // namespace
}  // namespace scene::test
