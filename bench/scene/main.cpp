// strata_scene: walks a glTF scene breadth-first and compares five ways to update it every frame.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <limits>

#include "chart.hpp"
#include "command_line.hpp"
#include "comparison.hpp"
#include "figures_report.hpp"
#include "gltf_reader.hpp"
#include "options.hpp"
#include "output_file.hpp"
#include "text.hpp"
#include "tree_report.hpp"

namespace {

using namespace scene;

constexpr std::size_t kMaxRows = 200;

/// Enough updates per measurement that the clock's own cost does not show.
Plan plan_for(const Options& options, std::size_t nodes) {
  constexpr std::size_t kUpdates = 1'000'000;
  const auto frames = static_cast<unsigned>(std::max<std::size_t>(1, kUpdates / nodes));
  return {options.repetitions, options.frames.value_or(frames)};
}

void chart(const Options& options, const Report& report) {
  const std::string svg = draw_chart(report);
  if (svg.empty()) {
    std::cerr << "strata_scene: no chart: gnuplot is not installed (apt-get install gnuplot-nox)\n";
    return;
  }
  const std::filesystem::path stem = std::filesystem::path(report.scene.file).stem();
  const std::string path =
      options.chart.empty() ? STRATA_CHART_FOLDER "/scene-" + stem.string() + ".svg" : options.chart;
  write_file(path, svg);
  std::cout << "chart: " << path << '\n';
}

void run(const Options& options) {
  const Scene scene = read_gltf(options.scene.empty() ? STRATA_SHIPPED_SCENE : options.scene);
  const std::vector<Visit> visits = walk(scene);
  print_tree(std::cout, scene, visits, options.all ? std::numeric_limits<std::size_t>::max() : kMaxRows);
  if (options.tree_only) return;

  std::cout << std::endl;  // the tree is shown before the measurements begin
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
    if (const auto options = parse_options(argc, argv)) run(*options);
  });
}
