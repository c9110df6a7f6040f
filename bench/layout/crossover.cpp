#include "crossover.hpp"

#include <cmath>

namespace layout {

std::vector<Point> crossovers(const std::vector<Point>& first, const std::vector<Point>& second) {
  std::vector<Point> found;
  std::size_t apart = first.size();  // The last position at which they differed; none yet.
  for (std::size_t i = 0; i < first.size(); ++i) {
    const double now = first[i].y - second[i].y;
    if (now == 0) continue;
    if (apart < i) {
      const double before = first[apart].y - second[apart].y;
      if ((before < 0) != (now < 0)) {
        const double share = before / (before - now);
        const double x = std::log(first[apart].x) + share * std::log(first[i].x / first[apart].x);
        found.push_back({std::exp(x), first[apart].y + share * (first[i].y - first[apart].y)});
      }
    }
    apart = i;
  }
  return found;
}

}  // namespace layout
