#include "report.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>

#include "files.hpp"
#include "text.hpp"

namespace scene {
namespace {

constexpr std::size_t kNameWidth = 32;
constexpr double kBarWidth = 48;

/// How to write the coordinates of a scene: with three decimals, which line up, unless it is tiny or huge.
class Coordinates {
 public:
  explicit Coordinates(const std::vector<Visit>& visits) {
    float size = 0;
    for (const Visit& visit : visits)
      for (int axis = 0; axis < 3; ++axis) size = std::max(size, std::abs(visit.world[kTranslation][axis]));
    legible_ = size == 0 || (size >= 0.1F && size < 1e7F);
  }

  std::string operator()(float value) const {
    if (!legible_) return scientific(value);
    return fixed(std::abs(value) < 5e-4F ? 0 : value, 3);
  }

 private:
  bool legible_;
};

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
  const Coordinates coordinate(visits);
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

}  // namespace scene
