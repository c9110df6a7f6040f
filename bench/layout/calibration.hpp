// Measures on this machine what strata::StorageAdvice::Costs holds.
#pragma once

#include <cstddef>
#include <iosfwd>

#include "../../include/strata/storage_advice.hpp"

namespace layout {

/// Each cost by loops over a world of its own, of so many entities: the median of 9 runs; what depends on two
/// of them, by their difference.
strata::StorageAdvice::Costs calibrate(std::size_t entities);

/// Prints them as C++ that sets them.
void print_costs(std::ostream& out, const strata::StorageAdvice::Costs& costs);

}  // namespace layout
