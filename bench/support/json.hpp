// JSON: writes all figures of a run to a file.
#pragma once

#include <string>
#include <vector>

#include "figure.hpp"
#include "options.hpp"

namespace strata::bench {

/// Writes the timed figures ("times", ns per item) and the counted ones ("amounts", bytes per item).
/// Returns: what went wrong; empty when the file was written.
Complaint write_json(const Options& options, const std::vector<Figure>& times,
                     const std::vector<Figure>& amounts);

}  // namespace strata::bench
