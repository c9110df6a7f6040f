#include "figures_report.hpp"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <ostream>

#include "output_file.hpp"
#include "text.hpp"
#include "text_table.hpp"

namespace scene {

void print_figures(std::ostream& out, const Report& report) {
  using Align = TextTable::Align;
  out << counted(report.copies, "scene") << " side by side, " << counted(report.nodes(), "node")
      << "; times are medians of " << report.plan.repetitions << " x " << counted(report.plan.frames, "frame")
      << "\n\n";
  TextTable table({{"every frame updated in", Align::left},
                   {"ns/node", Align::right},
                   {"ratio", Align::right},
                   {"bytes/node", Align::right},
                   {"tables", Align::right}});
  double difference = 0;
  for (const Figures& figures : report.figures) {
    table.add({figures.name, fixed(figures.ns_per_node, 2), fixed(figures.ratio, 2) + "x",
               fixed(figures.bytes_per_node, 1), figures.tables == 0 ? "-" : grouped(figures.tables)});
    difference = std::max(difference, figures.difference);
  }
  table.print(out);
  out << "\nverified: all world transforms agree, the largest relative difference is "
      << (difference == 0 ? "0" : scientific(difference)) << '\n';
}

void write_json(const std::string& path, const Report& report) {
  using Json = nlohmann::ordered_json;
  Json variants = Json::array();
  for (const Figures& figures : report.figures)
    variants.push_back({{"name", figures.name},
                        {"ns_per_node", figures.ns_per_node},
                        {"ratio", figures.ratio},
                        {"bytes_per_node", figures.bytes_per_node},
                        {"tables", figures.tables},
                        {"relative_difference", figures.difference}});
  const Json document = {{"scene",
                          {{"file", report.scene.file},
                           {"nodes", report.scene.forest.size()},
                           {"nodes_per_level", report.level_sizes}}},
                         {"copies", report.copies},
                         {"nodes", report.nodes()},
                         {"repetitions", report.plan.repetitions},
                         {"frames", report.plan.frames},
                         {"tolerance", kTolerance},
                         {"variants", variants}};
  write_file(path, document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n');
}

}  // namespace scene
