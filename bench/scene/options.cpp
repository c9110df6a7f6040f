#include "options.hpp"

#include "command_line.hpp"

namespace scene {
namespace {

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

}  // namespace

std::optional<Options> parse_options(int argc, const char* const* argv) {
  CLI::App app("Walks a scene breadth-first and compares five ways to update it every frame.",
               "strata_scene");
  Options options;
  describe(app, options);
  if (!parse_command_line(app, argc, argv)) return std::nullopt;
  return options;
}

}  // namespace scene
