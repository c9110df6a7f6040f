// strata_layout: runs one program with its components in tables, in the side store, and as a probe says.
#include <filesystem>
#include <iostream>

#include "../scene/command_lines.hpp"
#include "../scene/files.hpp"
#include "../scene/text.hpp"
#include "../support/progress.hpp"
#include "calibration.hpp"
#include "report.hpp"

namespace {

using namespace layout;

Report measure(const scene::LayoutOptions& options) {
  Report report{{options.repetitions}, {}};
  if (options.is_short) report.plan = {1, 2'000};
  strata::bench::Progress progress(options.entities.size() * options.churn.size());
  for (const std::size_t entities : options.entities) {
    Sweep& sweep = report.sweeps.emplace_back(Sweep{entities, {}});
    for (const double churn : options.churn) {
      progress.next("measuring " + scene::grouped(entities) + " entities at a churn of " +
                    scene::fixed(churn, 1) + " %");
      sweep.figures.push_back(compare({entities, churn / 100}, report.plan));
    }
  }
  return report;
}

/// Writes a chart and the script, with its data, that it was drawn from.
void draw(const std::filesystem::path& folder, const std::string& name, const std::string& script) {
  const std::string data = (folder / (name + ".gnuplot")).string();
  const std::string svg = (folder / (name + ".svg")).string();
  scene::write_file(data, script);
  if (scene::draw_svg(svg, script)) {
    std::cout << "chart: " << svg << " (data: " << data << ")\n";
  } else {
    std::cerr << "strata_layout: no chart: gnuplot is not installed (apt-get install gnuplot-nox); its data: "
              << data << '\n';
  }
}

void run(const scene::LayoutOptions& options) {
  if (options.calibrate) return calibrate(std::cout, options.is_short ? 1'000 : 100'000);
  const Report report = measure(options);
  print_figures(std::cout, report);
  if (options.is_short) return;
  print_findings(std::cout, report);
  if (!options.json.empty()) {
    write_json(options.json, report);
    std::cout << "figures: " << options.json << '\n';
  }
  if (options.no_charts) return;
  const std::filesystem::path folder = options.charts.empty() ? STRATA_CHART_FOLDER : options.charts;
  draw(folder, "layout-time", time_script(report));
  draw(folder, "layout-memory", memory_script(report));
}

}  // namespace

int main(int argc, char** argv) {
  return scene::exit_status_of("strata_layout", argc, argv, run);
}
