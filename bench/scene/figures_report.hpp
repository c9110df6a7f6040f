// The figures of a comparison, as the terminal shows them and as JSON.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "comparison.hpp"
#include "gltf_reader.hpp"

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

}  // namespace scene
