// The figures of a run, as the terminal shows them and as JSON.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "comparison.hpp"
#include "crossover.hpp"

namespace layout {

/// What was measured, and how.
struct Report {
  Plan plan;
  std::vector<Figures> figures;  ///< By rising number of entities, and of each by rising churn.

  std::vector<std::size_t> sizes() const;
  std::vector<const Figures*> of_size(std::size_t entities) const;
  /// Returns: ns per entity and frame over the churn in percent.
  std::vector<Point> curve(std::size_t entities, Variant variant) const;
};

void print_figures(std::ostream& out, const Report& report);

/// Prints where tables and side store cost the same, and what the probe said where churn is highest.
void print_findings(std::ostream& out, const Report& report);

/// Errors: std::runtime_error if the file cannot be written.
void write_json(const std::string& path, const Report& report);

}  // namespace layout
