// strata_scene: walks a glTF scene breadth-first and compares five ways to update it every frame.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <limits>
#include <optional>
#include <utility>

#include "command_lines.hpp"
#include "report.hpp"
#include "text.hpp"

namespace {

using namespace scene;

/// Enough updates per measurement that the clock's own cost does not show.
Plan plan_for(const SceneOptions& options, std::size_t nodes) {
  constexpr std::size_t kUpdates = 1'000'000;
  const auto frames = static_cast<unsigned>(std::max<std::size_t>(1, kUpdates / nodes));
  return {options.repetitions, options.frames.value_or(frames), options.threads};
}

void chart(const SceneOptions& options, const Report& report) {
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
  if (!path.ends_with(".strata")) return read_gltf(path);
  auto [scene, digest] = read_snapshot(path);
  print_snapshot(path, digest);
  return std::move(scene);
}

void run(const SceneOptions& options) {
  constexpr std::size_t kMaxRows = 200;
  const Scene scene = read_scene(options.scene.value_or(STRATA_SHIPPED_SCENE));
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
  return exit_status_of("strata_scene", argc, argv, run);
}
