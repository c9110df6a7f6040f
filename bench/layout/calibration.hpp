// Measures on this machine what strata::StorageAdvice::Costs holds.
#pragma once

#include <cstddef>
#include <iosfwd>

namespace layout {

/// Each cost by loops over a world of its own, of so many entities: the median of 9 runs; what depends on two
/// of them, by their difference. Prints them as C++ that sets them.
void calibrate(std::ostream& out, std::size_t count);

}  // namespace layout
