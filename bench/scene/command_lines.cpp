#include "command_lines.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace scene {
namespace {

void describe(CLI::App& app, SceneOptions& options) {
  app.name("strata_scene");
  app.description("Walks a scene breadth-first and compares five ways to update it every frame.");
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
                 "Update so many frames per measurement; by default about a million nodes' worth")
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

template <class T>
void sort_and_unite(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

void describe(CLI::App& app, LayoutOptions& options) {
  app.name("strata_layout");
  app.description(
      "Runs one program with its components in tables, in the side store, and where a probe says.");
  app.add_option("--entities", options.entities, "Numbers of entities, separated by commas")
      ->delimiter(',')
      ->check(CLI::Range(std::size_t{100}, std::size_t{10'000'000}))
      ->capture_default_str();
  app.add_option("--churn", options.churn,
                 "Per cent of the entities for which a status effect begins or ends in a frame, separated by "
                 "commas")
      ->delimiter(',')
      ->check(CLI::Range(0.01, 50.0))
      ->capture_default_str();
  app.add_option("--repetitions", options.repetitions, "Take the median of so many measurements")
      ->check(CLI::Range(9U, 9'999U))
      ->capture_default_str();
  app.add_option("--json", options.json, "Write all figures to this file");
  app.add_option("--charts", options.charts,
                 "Write the charts (SVG) and what draws them to this folder, not to the build folder");
  app.add_flag("--no-charts", options.no_charts, "Draw no charts");
  app.add_flag("--calibrate", options.calibrate,
               "Measure what strata::StorageAdvice::Costs asks for, on this machine, and nothing else");
  app.add_flag("--short", options.is_short, "Run once and small, for the result alone");
  app.callback([&options] {
    if (options.is_short) {
      options.entities = {200, 1'000};
      options.churn = {1, 50};
    }
    sort_and_unite(options.entities);
    sort_and_unite(options.churn);
  });
}

void describe(CLI::App& app, PartitionOptions& options) {
  app.name("bench_partition");
  app.description(
      "How cascades are divided into tasks, and how much faster more workers are expected to be.");
  app.add_option("--nodes", options.nodes, "nodes of each tree")->check(CLI::Range(1'000, 100'000'000));
  app.add_option("--repetitions", options.repetitions, "take the best of so many")
      ->check(CLI::PositiveNumber);
  app.add_option("--grain", options.grain, "rows of a task; those of the library unless given")
      ->check(CLI::PositiveNumber);
  app.add_option("--task-ns", options.task_ns, "what taking a task costs; measured unless given");
  app.add_option("--barrier-ns", options.barrier_ns, "what a barrier costs; measured unless given");
  app.add_option("--memory", options.bytes_per_ns,
                 "GB/s of memory for all workers; measured on two unless given");
  app.add_option("--cache", options.cache_megabytes,
                 "MB of cache; memory does not bound trees that fit into it");
}

}  // namespace

template <class Options>
std::optional<Options> parse_options(int argc, const char* const* argv) {
  CLI::App app;
  Options options;
  describe(app, options);
  try {
    app.parse(argc, argv);
    return options;
  } catch (const CLI::Success& help) {
    app.exit(help);
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    throw std::runtime_error(std::string(error.what()) + " (see --help)");
  }
}

template std::optional<SceneOptions> parse_options(int, const char* const*);
template std::optional<LayoutOptions> parse_options(int, const char* const*);
template std::optional<PartitionOptions> parse_options(int, const char* const*);

}  // namespace scene
