// StorageAdvice: how components were used, which storage suits each of them, and why.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "../../storage/observing/access_log.hpp"

namespace strata {

/// The recommended storage of one component, and why.
/// Units: nanoseconds per frame, or in total if no frames were counted; both are estimates.
struct ComponentAdvice {
  /// How a component was used while an advisor was running.
  struct Use {
    std::uint64_t iterated = 0;              ///< Rows visited by queries with a term for the component.
    std::uint64_t iterated_alone = 0;        ///< Those of queries without another component.
    std::vector<std::string> iterated_with;  ///< The other components of those queries.
    AccessCounts accesses;
    std::uint64_t members = 0;     ///< Entities that have it at present.
    std::uint64_t archetypes = 0;  ///< Archetypes of those entities.
  };

  ComponentId id{};
  std::string name;  ///< Without namespaces.
  Use use;
  Storage current = Storage::table;
  Storage recommended = Storage::table;
  double cost = 0;     ///< Of all uses that involve it, in the recommended storage.
  double saving = 0;   ///< Compared to the other storage; 0 if there were too few uses.
  std::string reason;  ///< A sentence with figures.

  /// Returns: whether the recommended storage is not the present one.
  bool moves() const { return current != recommended; }

  /// Returns: the share of the other storage's cost that is saved.
  double saved_share() const { return cost + saving > 0 ? saving / (cost + saving) : 0; }
};

/// The recommended storages of the components of a world; made by StorageAdvisor::advise.
/// Units: as ComponentAdvice.
struct StorageAdvice {
  std::uint64_t frames = 0;
  double cost_now = 0;
  double cost_recommended = 0;
  std::uint64_t lost = 0;                   ///< Uses that were not counted because memory ran out.
  std::vector<ComponentAdvice> components;  ///< Those that were used or have members, by id.

  /// Returns: the advice for a component; null if it was not used and has no members.
  /// Complexity: O(components).
  const ComponentAdvice* find(ComponentId id) const;
};

/// Returns: the advice as text: one line in total, and one line per component.
std::string describe(const StorageAdvice& advice);
std::ostream& operator<<(std::ostream& out, const StorageAdvice& advice);

}  // namespace strata
