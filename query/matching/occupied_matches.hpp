// OccupiedMatches: the archetypes that match a query and have rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "../../storage/tables/archetypes.hpp"

namespace strata::detail {

/// Returns: the index of an archetype in a list of archetypes in the order of creation; -1 if it is not in the list.
/// Complexity: O(log archetypes).
inline std::ptrdiff_t find_match(std::span<Archetype* const> matches, const Archetype& archetype) {
  // Archetypes get ascending ids, so the list is sorted by id.
  const auto found =
      std::lower_bound(matches.begin(), matches.end(), archetype.id(),
                       [](const Archetype* match, std::uint32_t id) { return match->id() < id; });
  return found != matches.end() && *found == &archetype ? found - matches.begin() : -1;
}

/// The occupied matches of a query: the archetypes that match the query and have rows. The list is updated from the
/// OccupancyLog, which names the archetypes that got their first row or lost their last one, so `refresh` need not look
/// at all matches. The Matcher has the list of all matches, and passes it to each function that needs it.
///
/// Invariants:
///   Q4. After `refresh`, the occupied matches are the matches that have rows, in order of creation.
class OccupiedMatches {
 public:
  /// Begins without matches. `log_end` is the present OccupancyLog::end: earlier entries of the log are not read.
  explicit OccupiedMatches(std::uint64_t log_end) : seen_(log_end) {}

  /// Returns: the matches that had rows at the last `refresh`. `match_of` converts an index into this list to an index
  /// into the list of all matches.
  std::span<Archetype* const> archetypes() const { return {archetypes_.data(), archetypes_.size()}; }
  std::size_t match_of(std::size_t i) const { return matches_[i]; }

  /// Returns: the position in the OccupancyLog up to which the log has been read.
  std::uint64_t seen() const { return seen_; }

  /// Makes room for this number of matches in all, so that `update` does not allocate.
  /// Errors: std::bad_alloc; nothing has changed then.
  void reserve(std::size_t matches);

  /// Empties the list, for a query that forgets all its matches.
  void clear() noexcept;

  /// Updates the occupied matches after `archetype` has become one of the `matches` (all matches of the query), has got
  /// its first row or has lost its last one. Does nothing if the archetype is not in `matches`.
  /// Contract: `reserve` was called for the number of matches.
  void update(std::span<Archetype* const> matches, const Archetype& archetype);

  /// Updates the list for the archetypes in the OccupancyLog's entries from `seen` on. If the log has dropped some of
  /// these entries, makes the list anew from all matches.
  /// Errors: std::bad_alloc; nothing has changed then.
  void refresh(std::span<Archetype* const> matches, const Archetypes& archetypes);

  /// Returns: the first invariant that does not hold, as a sentence; empty when all hold. Also empty if the log has
  /// entries that were not read yet: then the list may be out of date, so nothing is checked.
  std::string check_invariants(std::span<Archetype* const> matches, const OccupancyLog& log) const;

 private:
  void list(std::span<Archetype* const> matches);

  std::vector<Archetype*> archetypes_;
  std::vector<std::uint32_t> matches_;  // For each of `archetypes_`: its index into the list of all matches.
  std::uint64_t seen_;
};

}  // namespace strata::detail
