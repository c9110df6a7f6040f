// StorageAdvice: how components were used, where each would better live, and why.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "../../storage/access_log.hpp"

namespace strata {

/// How a component was used, in all that was recorded.
struct ComponentUse {
  std::uint64_t iterated = 0;              ///< Rows visited by queries that ask of it.
  std::uint64_t iterated_alone = 0;        ///< Those of queries that ask of nothing else.
  std::vector<std::string> iterated_with;  ///< What the other queries ask of, too.
  AccessCounts accesses;
  std::uint64_t members = 0;     ///< Entities that have it now.
  std::uint64_t archetypes = 0;  ///< Of those entities.
};

/// Units: nanoseconds per frame, or in all if no frames were counted; both are estimates.
struct ComponentAdvice {
  ComponentId id{};
  std::string name;  ///< Without what it is qualified with.
  ComponentUse use;
  Storage current = Storage::table;
  Storage recommended = Storage::table;
  double cost = 0;     ///< Of all that it has a part in, as recommended.
  double saving = 0;   ///< What that saves against the other storage; 0 if nothing is known of it.
  std::string reason;  ///< In words, with figures.

  bool moves() const { return current != recommended; }

  /// Returns: the share of the other storage's cost that is saved.
  double saved_share() const { return cost + saving > 0 ? saving / (cost + saving) : 0; }
};

/// Units: as ComponentAdvice.
struct StorageAdvice {
  std::uint64_t frames = 0;
  double cost_now = 0;
  double cost_recommended = 0;
  std::uint64_t lost = 0;                   ///< Uses that were not counted, because memory ran out.
  std::vector<ComponentAdvice> components;  ///< Those that were used or have members, by id.

  /// Returns: null if the component was not used.
  const ComponentAdvice* find(ComponentId id) const;
};

/// Returns: all of it in words: a line in total, and one for each component.
std::string describe(const StorageAdvice& advice);
std::ostream& operator<<(std::ostream& out, const StorageAdvice& advice);

}  // namespace strata
