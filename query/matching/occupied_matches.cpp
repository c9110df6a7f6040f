#include "occupied_matches.hpp"

namespace strata::detail {

void OccupiedMatches::reserve(std::size_t matches) {
  archetypes_.reserve(matches);
  matches_.reserve(matches);
}

void OccupiedMatches::clear() noexcept {
  archetypes_.clear();
  matches_.clear();
}

void OccupiedMatches::update(std::span<Archetype* const> matches, const Archetype& archetype) {
  const std::ptrdiff_t match = find_match(matches, archetype);
  if (match < 0) return;
  const auto found = std::lower_bound(matches_.begin(), matches_.end(), match);
  const std::ptrdiff_t position = found - matches_.begin();
  const bool listed = found != matches_.end() && *found == match;
  if (listed == (archetype.ranks().tables() != 0)) return;
  if (listed) {
    archetypes_.erase(archetypes_.begin() + position);
    matches_.erase(found);
  } else {
    archetypes_.insert(archetypes_.begin() + position, matches[static_cast<std::size_t>(match)]);
    matches_.insert(found, static_cast<std::uint32_t>(match));
  }
}

void OccupiedMatches::refresh(std::span<Archetype* const> matches, const Archetypes& archetypes) {
  // `update` must not throw after it has changed only one of the two lists, so both get room for all matches now. The
  // lists may be without room, because a copy of this object does not copy their capacity.
  reserve(matches.size());
  const OccupancyLog& log = archetypes.occupancy();
  if (log.reaches(seen_)) {
    for (const std::uint32_t id : log.since(seen_)) update(matches, *archetypes.all()[id]);
  } else {
    list(matches);
  }
  seen_ = log.end();
}

void OccupiedMatches::list(std::span<Archetype* const> matches) {
  clear();
  for (std::uint32_t match = 0; match < matches.size(); ++match) {
    if (matches[match]->ranks().tables() == 0) continue;
    archetypes_.push_back(matches[match]);
    matches_.push_back(match);
  }
}

std::string OccupiedMatches::check_invariants(std::span<Archetype* const> matches,
                                              const OccupancyLog& log) const {
  // If archetypes have got their first row or lost their last one since the last `refresh`, the list is out of date.
  // That is allowed, so nothing is checked.
  if (seen_ != log.end()) return "";
  std::size_t occupied = 0;
  for (std::size_t i = 0; i < matches.size(); ++i) {
    if (matches[i]->ranks().tables() == 0) continue;
    const bool listed =
        occupied < archetypes_.size() && archetypes_[occupied] == matches[i] && matches_[occupied] == i;
    if (!listed) return "Q4: a match with rows is not among the occupied ones";
    ++occupied;
  }
  return occupied == archetypes_.size() ? "" : "Q4: a match without rows is among the occupied ones";
}

}  // namespace strata::detail
