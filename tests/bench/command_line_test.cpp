#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "gltf_text.hpp"

namespace scene::test {
namespace {

struct Result {
  int status;
  std::string out;
  std::string err;
};

/// Runs the program in a folder of its own, which is gone afterwards.
class Program {
 public:
  Program() { std::filesystem::create_directory(folder_); }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() { std::filesystem::remove_all(folder_); }

  Result operator()(const std::string& arguments, const std::string& environment = "",
                    const std::string& out = "out") const {
    const std::string command = "cd '" + folder_ + "' && " + environment + " " STRATA_SCENE_PROGRAM " " +
                                arguments + " >" + out + " 2>err </dev/null";
    const int status = std::system(command.c_str());
    return {WEXITSTATUS(status), content("out"), content("err")};
  }

  std::string content(const std::string& file) const {
    std::ifstream stream(folder_ + '/' + file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  void write(const std::string& file, const std::string& content) const {
    std::ofstream(folder_ + '/' + file, std::ios::binary) << content;
  }

 private:
  std::string folder_ =
      (std::filesystem::temp_directory_path() / ("strata_scene_test_" + std::to_string(getpid()))).string();
};

/// One line on standard error, nothing on standard output, exit status 1.
void check_refused(const Result& result, const std::string& line) {
  CHECK(result.status == 1);
  CHECK(result.out.empty());
  CHECK(result.err == "strata_scene: " + line + "\n");
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

TEST_SUITE("bench/command_line") {
  TEST_CASE("bad input: one line on standard error that names file, node and problem, and exit status 1") {
    const Program program;
    program.write("bad.gltf", gltf(R"({"name": "Axle", "children": [1]})"));
    check_refused(program("bad.gltf"),
                  "bad.gltf: node 0 (\"Axle\"): child 1 is out of range: the file has 1 node");
    program.write("cut.glb", glb(gltf("{}")).substr(0, 15));
    CHECK(contains(program("cut.glb").err, "strata_scene: cut.glb: truncated .glb: "));
    check_refused(program("absent.gltf"), "absent.gltf: No such file or directory");
  }

  TEST_CASE("bad options: one line on standard error and exit status 1") {
    const Program program;
    for (const char* arguments : {"--nodes 0", "--nodes 99999999999999999999", "--nodes -1", "--nodes x",
                                  "--frames 0", "--threads 0", "--unknown", "a.gltf b.gltf", "--json"}) {
      CAPTURE(arguments);
      const Result result = program(arguments);
      CHECK(result.status == 1);
      CHECK(result.out.empty());
      CHECK(result.err.starts_with("strata_scene: "));
      CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
    }
  }

  TEST_CASE("output that could not be written: one line on standard error and exit status 1") {
    const Program program;
    for (const char* arguments : {"--tree-only", "--nodes 1 --frames 1 --no-chart", "--help"}) {
      CAPTURE(arguments);
      const Result result = program(arguments, "", "/dev/full");
      CHECK(result.status == 1);
      CHECK(result.err == "strata_scene: standard output could not be written\n");
    }
  }

  TEST_CASE("names of nodes cannot change the direction of the text around them") {
    const Program program;
    program.write("names.gltf", gltf(R"({"name": "a\u202Eb\u2066c\u2028d\u200Be"})"));
    CHECK(contains(program("names.gltf --tree-only").out, "a?b?c?d?e"));
  }

  TEST_CASE("prints the tree, then measures, and writes the figures as JSON") {
    const Program program;
    const Result result = program("--nodes 1000 --frames 1 --no-chart --json figures.json");
    CHECK(result.status == 0);
    CHECK(result.err.empty());
    CHECK(contains(result.out, "FingerATip"));
    CHECK(contains(result.out, "tables default"));
    CHECK(contains(result.out, "tables per_parent"));
    const auto figures = nlohmann::json::parse(program.content("figures.json"));
    const std::size_t nodes = figures["scene"]["nodes"];
    CHECK(figures["copies"] == 1000 / nodes);
    CHECK(figures["nodes"] == 1000 / nodes * nodes);
    CHECK(figures["variants"].size() == 5);
    CHECK(figures["variants"][4]["ratio"] == 1.0);
  }

  TEST_CASE("compares several threads with one, over tables and arrays") {
    const Program program;
    const Result result =
        program("--nodes 20000 --frames 1 --repetitions 9 --threads 2 --no-chart --json figures.json");
    CHECK(result.status == 0);
    CHECK(result.err.empty());
    CHECK(contains(result.out, "verified: several threads leave the same bits as one"));
    const auto figures = nlohmann::json::parse(program.content("figures.json"));
    CHECK(figures["threads"] == 2);
    REQUIRE(figures["variants"].size() == 7);
    CHECK(figures["variants"][4]["name"] == "tables default, 2 threads");
    CHECK(figures["variants"][5]["name"] == "arrays, 2 threads");
    CHECK(figures["variants"][6]["ratio"] == 1.0);
    CHECK(program("--threads 65").status == 1);
  }

  TEST_CASE("the chart has a bar for each variant, by several threads, too") {
    const Program program;
    const Result result = program("--nodes 1000 --frames 1 --threads 3 --chart chart.svg");
    CHECK(result.status == 0);
    if (contains(result.err, "gnuplot is not installed")) return;
    CHECK(result.err.empty());
    const std::string chart = program.content("chart.svg");
    CHECK(contains(chart, "threads"));
    CHECK(contains(chart, "limit:"));
  }

  TEST_CASE("a scene is saved as a world, and comes back with the same digest and the same tree") {
    const Program program;
    const Result saved = program("--tree-only --save rover.strata");
    CHECK(saved.status == 0);
    CHECK(saved.err.empty());
    CHECK(saved.out.starts_with("snapshot: rover.strata, digest "));
    const std::string first = saved.out.substr(0, saved.out.find('\n'));
    const Result read = program("rover.strata --tree-only --save again.strata");
    CHECK(read.status == 0);
    CHECK(contains(read.out, first + '\n'));
    CHECK(contains(read.out, "snapshot: again" + first.substr(first.find(".strata"))));
    CHECK(contains(read.out, "FingerATip"));
    CHECK(program.content("again.strata") == program.content("rover.strata"));
    program.write("cut.strata", program.content("rover.strata").substr(0, 100));
    const Result cut = program("cut.strata");
    CHECK(cut.status == 1);
    CHECK(contains(
        cut.err, "strata_scene: the file \"cut.strata\" cannot be read: the world cannot be loaded: chunk "));
    CHECK(contains(program("--tree-only --save absent/rover.strata").err,
                   "absent/rover.strata.part\" cannot be written"));
  }

  TEST_CASE("a scene is exported as JSON") {
    const Program program;
    const Result exported = program("--tree-only --export rover.json");
    CHECK(exported.status == 0);
    CHECK(exported.out.starts_with("export: rover.json\n"));
    const auto world = nlohmann::json::parse(program.content("rover.json"));
    CHECK(world["format"] == "strata world");
    const auto& root = world["entities"][0]["components"]["scene::SavedNode"];
    CHECK(root["name"] == "Rover");
    CHECK(root["local"].size() == 4);
    CHECK(contains(program("--tree-only --export absent/rover.json").err, "cannot be written"));
  }

  TEST_CASE("a scene larger than --nodes runs as a single copy, its table cut short") {
    const Program program;
    std::string nodes = "{}";
    for (int node = 1; node < 300; ++node) nodes += ", {}";
    program.write("many.gltf", gltf(nodes));
    const Result result = program("many.gltf --nodes 1 --frames 1 --no-chart");
    CHECK(result.status == 0);
    CHECK(contains(result.out, "... and 100 more nodes (see --all)"));
    CHECK(contains(result.out, "1 scene side by side, 300 nodes"));
    CHECK(!contains(program("many.gltf --tree-only --all").out, "more nodes"));
  }

  TEST_CASE("says so in one line when gnuplot is missing, and goes on") {
    const Program program;
    const Result result = program("--nodes 1 --frames 1", "PATH=/nowhere");
    CHECK(result.status == 0);
    CHECK(result.err == "strata_scene: no chart: gnuplot is not installed (apt-get install gnuplot-nox)\n");
  }

  TEST_CASE("bench/run names every option of the program in its help") {
    const Program program;
    const std::string help = program("--help").out;
    std::ifstream script(STRATA_SOURCE_ROOT "/bench/run");
    const std::string usage{std::istreambuf_iterator<char>(script), {}};
    int options = 0;
    for (std::size_t begin = help.find("--"); begin != help.npos; begin = help.find("--", begin + 2)) {
      const std::string option = help.substr(begin, help.find_first_of(" ,\n", begin) - begin);
      CAPTURE(option);
      CHECK(contains(usage, option));
      ++options;
    }
    CHECK(options >= 8);
  }
}

}  // namespace
}  // namespace scene::test
