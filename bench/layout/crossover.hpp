// Where one curve crosses another.
#pragma once

#include <vector>

namespace layout {

struct Point {
  double x;  ///< Positive.
  double y;
};

/// Returns: where the first of two lines, drawn over a logarithmic x axis through points of the same x, comes
/// to lie on the other side of the second one. Lines that only touch do not cross.
/// Contract: as many points in both, by rising x.
std::vector<Point> crossovers(const std::vector<Point>& first, const std::vector<Point>& second);

}  // namespace layout
