// What the terminal shows of a scene and of a comparison, the latter also as JSON and as a chart.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

#include "comparison.hpp"
#include "walk.hpp"

namespace scene {

/// What was measured, and how.
struct Report {
  const Scene& scene;
  std::vector<std::size_t> level_sizes;
  std::size_t copies;
  Plan plan;
  std::vector<Figures> figures;

  std::size_t nodes() const { return copies * scene.forest.size(); }
};

void print_figures(std::ostream& out, const Report& report);

/// Errors: std::runtime_error if the file cannot be written.
void write_json(const std::string& path, const Report& report);

/// Prints the first `max_rows` visits with their world positions and says how many more there are; then a bar
/// per level.
void print_tree(std::ostream& out, const Scene& scene, const std::vector<Visit>& visits,
                std::size_t max_rows);

/// Draws time and memory per node of every variant into an SVG file. Returns and errors: as `draw_svg`.
bool draw_chart(const std::string& path, const Report& report);

}  // namespace scene
