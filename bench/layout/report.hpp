// The figures of a run: where their curves cross, what the terminal shows of them, as JSON and as charts.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

#include "comparison.hpp"

namespace layout {

struct Point {
  double x;  ///< Positive.
  double y;
};

/// Returns: where the first of two lines, drawn over a logarithmic x axis through points of the same x, comes
/// to lie on the other side of the second one. Lines that only touch do not cross.
/// Contract: as many points in both, by rising x.
std::vector<Point> crossovers(const std::vector<Point>& first, const std::vector<Point>& second);

/// What was measured of one number of entities, by rising churn.
struct Sweep {
  std::size_t entities;
  std::vector<Figures> figures;

  /// Returns: where tables and side store cost the same: ns per entity and frame over the churn in percent.
  std::vector<Point> crossings() const;
};

/// What was measured, and how.
struct Report {
  Plan plan;
  std::vector<Sweep> sweeps;  ///< By rising number of entities.
};

void print_figures(std::ostream& out, const Report& report);

/// Prints where tables and side store cost the same, and what the probe said where churn is highest.
void print_findings(std::ostream& out, const Report& report);

/// Errors: std::runtime_error if the file cannot be written.
void write_json(const std::string& path, const Report& report);

/// Returns: a gnuplot script, its data included, that draws a panel for each number of entities, with the
/// points marked at which tables and side store cost the same.
std::string time_script(const Report& report);

/// Returns: the same of memory, at the churn in the middle.
std::string memory_script(const Report& report);

}  // namespace layout
