// strata_scene: walks a glTF scene breadth-first and compares five ways to update it every frame.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <limits>
#include <optional>
#include <utility>

#include "command_line.hpp"
#include "report.hpp"
#include "snapshot.hpp"
#include "text.hpp"

namespace {

using namespace scene;

struct Options {
  std::string scene = STRATA_SHIPPED_SCENE;
  std::size_t nodes = 100'000;
  unsigned repetitions = 11;
  unsigned threads = 1;
  std::optional<unsigned> frames;  // None: as many as update about a million nodes.
  std::string save;                // Empty: none, as the next two.
  std::string exported;
  std::string json;
  std::string chart;  // Empty: named after the scene, in the build folder.
  bool no_chart = false;
  bool all = false;
  bool tree_only = false;
};

void describe(CLI::App& app, Options& options) {
  app.add_option("scene", options.scene,
                 "A glTF 2.0 file, .gltf or .glb, or a .strata file that was saved; by default a rover");
  app.add_option("--save", options.save, "Write the walked scene as a world to this file, FILE.strata");
  app.add_option("--export", options.exported, "Write the walked scene as a world to this file, FILE.json");
  app.add_option("--nodes", options.nodes, "Copy the scene up to about so many nodes")
      ->check(CLI::Range(std::size_t{1}, std::size_t{10'000'000}))
      ->capture_default_str();
  app.add_option("--repetitions", options.repetitions, "Take the median of so many measurements")
      ->check(CLI::Range(9U, 9'999U))
      ->capture_default_str();
  app.add_option("--frames", options.frames,
                 "Update so many frames per measurement; by default about a "
                 "million nodes' worth")
      ->check(CLI::Range(1U, 1'000'000U));
  app.add_option("--threads", options.threads,
                 "Also update tables and arrays by 2 threads, 3 threads and so on up to this number")
      ->check(CLI::Range(1U, 64U))
      ->capture_default_str();
  app.add_option("--json", options.json, "Write all figures to this file");
  app.add_option("--chart", options.chart, "Write the chart (SVG) to this file, not to the build folder");
  app.add_flag("--no-chart", options.no_chart, "Draw no chart");
  app.add_flag("--all", options.all, "Print every node and level, however many");
  app.add_flag("--tree-only", options.tree_only, "Print the tree and measure nothing");
}

/// Enough updates per measurement that the clock's own cost does not show.
Plan plan_for(const Options& options, std::size_t nodes) {
  constexpr std::size_t kUpdates = 1'000'000;
  const auto frames = static_cast<unsigned>(std::max<std::size_t>(1, kUpdates / nodes));
  return {options.repetitions, options.frames.value_or(frames), options.threads};
}

void chart(const Options& options, const Report& report) {
  const std::filesystem::path stem = std::filesystem::path(report.scene.file).stem();
  const std::string path =
      options.chart.empty() ? STRATA_CHART_FOLDER "/scene-" + stem.string() + ".svg" : options.chart;
  if (draw_chart(path, report)) {
    std::cout << "chart: " << path << '\n';
  } else {
    std::cerr << "strata_scene: no chart: gnuplot is not installed (apt-get install gnuplot-nox)\n";
  }
}

void print_snapshot(const std::string& path, std::uint64_t digest) {
  std::cout << "snapshot: " << path << ", digest " << digest << '\n';
}

Scene read_scene(const std::string& path) {
  if (!is_snapshot(path)) return read_gltf(path);
  Snapshot snapshot = read_snapshot(path);
  print_snapshot(path, snapshot.digest);
  return std::move(snapshot.scene);
}

void run(const Options& options) {
  constexpr std::size_t kMaxRows = 200;
  const Scene scene = read_scene(options.scene);
  const std::vector<Visit> visits = walk(scene);
  if (!options.save.empty()) print_snapshot(options.save, save_snapshot(options.save, scene, visits));
  if (!options.exported.empty()) {
    export_json(options.exported, scene, visits);
    std::cout << "export: " << options.exported << '\n';
  }
  print_tree(std::cout, scene, visits, options.all ? std::numeric_limits<std::size_t>::max() : kMaxRows);
  if (options.tree_only) return;

  std::cout << std::endl;  // The tree is shown before the measurements begin.
  const std::size_t copies = std::max<std::size_t>(1, options.nodes / scene.forest.size());
  const Forest forest = instanced(scene.forest, copies);
  const Plan plan = plan_for(options, forest.size());
  const Report report{scene, level_sizes(visits), copies, plan, compare(forest, plan)};
  print_figures(std::cout, report);
  if (!options.json.empty()) {
    write_json(options.json, report);
    std::cout << "figures: " << options.json << '\n';
  }
  if (!options.no_chart) chart(options, report);
}

}  // namespace

int main(int argc, char** argv) {
  return exit_status_of("strata_scene", [&] {
    CLI::App app("Walks a scene breadth-first and compares five ways to update it every frame.",
                 "strata_scene");
    Options options;
    describe(app, options);
    if (parse_command_line(app, argc, argv)) run(options);
  });
}
