// The charts of a run: time over churn, and memory over the number of entities.
#pragma once

#include <string>

#include "report.hpp"

namespace layout {

/// Returns: a gnuplot script, its data included, that draws a panel for each number of entities, with the
/// points marked at which tables and side store cost the same.
std::string time_script(const Report& report);

/// Returns: the same of memory, at the churn in the middle.
std::string memory_script(const Report& report);

}  // namespace layout
