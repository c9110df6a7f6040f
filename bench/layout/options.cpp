#include "options.hpp"

#include <algorithm>

#include "../scene/command_line.hpp"

namespace layout {
namespace {

void describe(CLI::App& app, Options& options) {
  app.add_option("--entities", options.entities, "Numbers of entities, separated by commas")
      ->delimiter(',')
      ->check(CLI::Range(std::size_t{100}, std::size_t{10'000'000}))
      ->capture_default_str();
  app.add_option("--churn", options.churn,
                 "Per cent of the entities for which a status effect begins or ends in a "
                 "frame, separated by commas")
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
}

template <class T>
void sort_and_unite(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

}  // namespace

std::optional<Options> parse_options(int argc, const char* const* argv) {
  CLI::App app("Runs one program with its components in tables, in the side store, and where a probe says.",
               "strata_layout");
  Options options;
  describe(app, options);
  if (!scene::parse_command_line(app, argc, argv)) return std::nullopt;
  if (options.is_short) {
    options.entities = {200, 1'000};
    options.churn = {1, 50};
  }
  sort_and_unite(options.entities);
  sort_and_unite(options.churn);
  return options;
}

}  // namespace layout
