// Measures on this machine what strata::StorageAdvice::Costs holds.
#pragma once

#include <cstddef>
#include <iosfwd>

namespace layout {

/// Measures each of `strata::StorageAdvice::Costs` in worlds of `count` entities (that of a table in fewer), and prints
/// C++ that sets them. Each is the median of 9 runs, or is computed from differences of such medians.
void calibrate(std::ostream& out, std::size_t count);

}  // namespace layout
