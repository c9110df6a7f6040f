#include "report.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>

#include "files.hpp"
#include "text.hpp"

namespace scene {
namespace {

constexpr std::size_t kNameWidth = 32;
constexpr double kBarWidth = 48;

/// Returns: how to write the coordinates of a scene: with three decimals, which line up, unless it is tiny or huge.
auto coordinate_format(const std::vector<Visit>& visits) {
  float size = 0;
  for (const Visit& visit : visits)
    for (int axis = 0; axis < 3; ++axis) size = std::max(size, std::abs(visit.world[kTranslation][axis]));
  const bool is_legible = size == 0 || (size >= 0.1F && size < 1e7F);
  return [is_legible](float value) {
    return is_legible ? fixed(std::abs(value) < 5e-4F ? 0 : value, 3) : scientific(value);
  };
}

std::string parent_of(const Scene& scene, NodeIndex node) {
  const NodeIndex parent = scene.forest.parents[node];
  if (parent == kNoParent) return "-";
  const std::string& name = scene.names[parent];
  return std::to_string(parent) + (name.empty() ? "" : ' ' + printable(name, kNameWidth));
}

void print_rest(std::ostream& out, std::size_t count, std::size_t max_rows, const std::string& noun) {
  if (count > max_rows) out << "  ... and " << counted(count - max_rows, "more " + noun) << " (see --all)\n";
}

void print_nodes(std::ostream& out, const Scene& scene, const std::vector<Visit>& visits,
                 std::size_t max_rows) {
  TextTable table({"level", "node", "name", "parent", "world x", "world y", "world z"}, "rrllrrr");
  const auto coordinate = coordinate_format(visits);
  for (std::size_t row = 0; row < std::min(max_rows, visits.size()); ++row) {
    const auto& [node, depth, world] = visits[row];
    const glm::vec3& position = world[kTranslation];
    table.add({std::to_string(depth), std::to_string(node), printable(scene.names[node], kNameWidth),
               parent_of(scene, node), coordinate(position.x), coordinate(position.y),
               coordinate(position.z)});
  }
  table.print(out);
  print_rest(out, visits.size(), max_rows, "node");
}

void print_levels(std::ostream& out, const std::vector<std::size_t>& levels, std::size_t max_rows) {
  const auto largest = static_cast<double>(*std::max_element(levels.begin(), levels.end()));
  TextTable table({"level", "nodes", ""}, "rrl");
  for (std::size_t depth = 0; depth < std::min(max_rows, levels.size()); ++depth) {
    const double share = static_cast<double>(levels[depth]) / largest;
    const auto length = static_cast<std::size_t>(std::ceil(share * std::min(kBarWidth, largest)));
    table.add({std::to_string(depth), grouped(levels[depth]), std::string(length, '#')});
  }
  table.print(out);
  print_rest(out, levels.size(), max_rows, "level");
}

/// Draws $bars: the name of each variant, its time and the ratio of that to the limit's, its memory.
constexpr const char* kChart = R"(
set terminal svg size 1060,460 dynamic noenhanced font 'Helvetica,Arial,sans-serif,13' background '#ffffff'
set encoding utf8
set border 1 linecolor rgb '#9aa0a6'
set xtics nomirror scale 0 textcolor rgb '#202124'
set ytics nomirror scale 0 textcolor rgb '#5f6368'
set grid ytics linetype 1 linewidth 0.6 linecolor rgb '#dadce0'
set boxwidth 0.62
set style fill solid noborder
set tmargin 3
set bmargin 3.5
unset key
stats $bars using 2 name 'ns' nooutput
stats $bars using 4 name 'bytes' nooutput
array colors[4] = [0x174a82, 0x1f77c8, 0x5b9bd5, 0xe08a3c]
color(row) = row == ns_records - 1 ? 0x80868b : colors[int(row) % 4 + 1]
set xrange [-0.6:ns_records - 0.4]
set multiplot layout 1,2 margins 0.06,0.98,0.13,0.8 spacing 0.08 title title font ',17' textcolor rgb '#202124'
set title 'time per node and frame, and its ratio to the limit' font ',14' textcolor rgb '#202124'
set yrange [0:ns_max * 1.22]
plot $bars using 0:2:(color($0)):xtic(1) with boxes linecolor rgb variable, \
  $bars using 0:2:(sprintf("%.1f ns\n%.2fx", $2, $3)) with labels offset 0,1.7 textcolor rgb '#202124'
set title 'memory per node'
set yrange [0:bytes_max * 1.22]
plot $bars using 0:4:(color($0)):xtic(1) with boxes linecolor rgb variable, \
  $bars using 0:4:(sprintf("%.0f\nbytes", $4)) with labels offset 0,1.7 textcolor rgb '#202124'
unset multiplot
)";

}  // namespace

void print_tree(std::ostream& out, const Scene& scene, const std::vector<Visit>& visits,
                std::size_t max_rows) {
  const std::vector<std::size_t> levels = level_sizes(visits);
  out << printable(scene.file) << ": " << counted(visits.size(), "node") << ", "
      << counted(levels.size(), "level") << ", " << counted(levels[0], "root") << "\n\n";
  print_nodes(out, scene, visits, max_rows);
  out << '\n';
  print_levels(out, levels, max_rows);
}

void print_figures(std::ostream& out, const Report& report) {
  out << counted(report.copies, "scene") << " side by side, " << counted(report.nodes(), "node")
      << "; times are medians of " << report.plan.repetitions << " x " << counted(report.plan.frames, "frame")
      << "\n\n";
  TextTable table({"every frame updated in", "ns/node", "ratio", "bytes/node", "tables"}, "lrrrr");
  double difference = 0;
  for (const Figures& figures : report.figures) {
    table.add({figures.name, fixed(figures.ns_per_node, 2), fixed(figures.ratio, 2) + "x",
               fixed(figures.bytes_per_node, 1), figures.tables == 0 ? "-" : grouped(figures.tables)});
    difference = std::max(difference, figures.difference);
  }
  table.print(out);
  out << "\nverified: all world transforms agree, the largest relative difference is "
      << (difference == 0 ? "0" : scientific(difference)) << '\n';
  if (report.plan.threads > 1) out << "verified: several threads leave the same bits as one\n";
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
                         {"threads", report.plan.threads},
                         {"tolerance", kTolerance},
                         {"variants", variants}};
  write_file(path, document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n');
}

bool draw_chart(const std::string& path, const Report& report) {
  const std::string file_name = std::filesystem::path(report.scene.file).filename().string();
  const std::string title =
      "World transforms of " + printable(file_name, 60) + ", instanced to " + counted(report.nodes(), "node");
  std::string script = "title = " + gnuplot_string(title) + "\n$bars << end\n";
  for (const Figures& figures : report.figures) {
    std::string name = figures.name;
    if (const std::size_t space = name.find(' '); space != std::string::npos) name.replace(space, 1, "\\n");
    script += '"' + name + "\" " + fixed(figures.ns_per_node, 4) + ' ' + fixed(figures.ratio, 4) + ' ' +
              fixed(figures.bytes_per_node, 4) + '\n';
  }
  return draw_svg(path, script + "end" + kChart);
}

}  // namespace scene
