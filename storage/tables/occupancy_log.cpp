#include "occupancy_log.hpp"

#include <algorithm>

namespace strata::detail {

void OccupancyLog::reserve(std::size_t archetypes) {
  const std::size_t wanted = std::max(archetypes, kLeast);
  if (wanted > entries_.size()) entries_.resize(std::max(wanted, entries_.size() * 2));
}

}  // namespace strata::detail
