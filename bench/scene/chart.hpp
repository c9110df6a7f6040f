// The bar chart of a comparison.
#pragma once

#include <string>

#include "figures_report.hpp"

namespace scene {

/// Draws time and memory per node of every variant, by gnuplot.
/// Returns: the chart as SVG, or an empty string if gnuplot is not installed.
/// Errors: std::runtime_error if gnuplot fails.
std::string draw_chart(const Report& report);

}  // namespace scene
