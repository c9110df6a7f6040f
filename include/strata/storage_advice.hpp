// StorageAdvice: how components were used, in which storage each should be, and why.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "../../core/compiler.hpp"
#include "../../storage/observing/access_log.hpp"

namespace strata {

/// The result of StorageAdvisor::advise: which components of a world should be stored in tables, and which in the side
/// store (sparse sets).
/// Units: costs are estimates in nanoseconds per frame, or in total if no frames were counted.
struct StorageAdvice {
  /// How often a component was looked up, added and removed while an advisor was running.
  using Accesses = detail::AccessCounts;

  /// The recommended storage of one component, and why.
  /// Units: `cost` and `saving` are estimates in nanoseconds per frame, or in total if no frames were counted.
  struct Component {
    /// How a component was used while an advisor was running.
    struct Use {
      std::uint64_t iterated = 0;              ///< Rows visited by queries with a term for the component.
      std::uint64_t iterated_alone = 0;        ///< The rows visited by queries with only this component.
      std::vector<std::string> iterated_with;  ///< Names of components that queries use with this one.
      Accesses accesses;
      std::uint64_t members = 0;     ///< Entities that have the component at present.
      std::uint64_t archetypes = 0;  ///< Archetypes in which entities have the component.
    };

    ComponentId id{};
    std::string name;  ///< The name of the component, without namespaces.
    Use use;
    Storage current = Storage::table;
    Storage recommended = Storage::table;
    double cost = 0;     ///< The cost of all uses of the component, in the recommended storage.
    double saving = 0;   ///< The saving compared to the other storage; 0 if there were too few uses.
    std::string reason;  ///< The reason for the recommendation: a text with figures.

    /// Returns: whether the recommended storage is not the present one.
    bool moves() const { return current != recommended; }

    /// Returns: `saving` divided by the cost that the uses have in the storage that is not recommended; 0 if that cost
    /// is 0. The result is negative if the storage that is not recommended would cost less, but not by enough to
    /// recommend moving the component.
    double saved_share() const { return cost + saving > 0 ? saving / (cost + saving) : 0; }
  };

  /// The cost of each kind of operation in each storage; an argument of StorageAdvisor. The defaults were measured by
  /// `bench/run --layout --calibrate` on one machine, with 100,000 entities, whose values are looked up and changed in
  /// random order. A recommendation depends only on the ratios of these costs, which differ less between machines than
  /// the costs themselves.
  /// Units: nanoseconds, unless named otherwise.
  struct Costs {
    // Nanoseconds for an iteration of a query whose components are all in tables.
    double table = 4;         ///< Each table with rows.
    double row = 0.7;         ///< Each row, without its values.
    double row_value = 0.01;  ///< Each value that the query reads from a column.

    // Nanoseconds for an iteration of a query with components in the side store (sparse sets).
    double member = 1;           ///< Each member of the leading pool, the one that the query iterates.
    double member_row = 1.1;     ///< The look-up of a member's row, if the query has table terms.
    double member_value = 0.1;   ///< Each value from this row that the query passes to its function.
    double pool_look_up = 1.25;  ///< Each look-up in a pool that the query does not iterate.

    // Nanoseconds for looking up a value by the entity's handle: in a table, and in a pool (sparse set).
    double find_in_table = 6.7;
    double find_in_pool = 7;

    // Nanoseconds for adding a component or removing it.
    double move = 29;         ///< Each row that moves to another table, without its values.
    double move_column = 7;   ///< Each value of a row that moves.
    double move_byte = 0.4;   ///< Each byte of these values.
    double pool_change = 10;  ///< Each member added to a pool or removed from it.

    /// Another storage than the present one is recommended only if it saves at least this share of the cost of all uses
    /// of the component.
    double least_saving = 0.1;
    /// Another storage than the present one is recommended only for components with at least this many uses in all
    /// counted frames: rows visited by queries, look-ups, additions, removals and replacements of values.
    double least_uses = 1'000;
  };

  std::uint64_t frames = 0;     ///< The number of counted frames.
  double cost_now = 0;          ///< The cost of all uses of components in their present storages.
  double cost_recommended = 0;  ///< The cost of all uses of components in the recommended storages.
  std::uint64_t lost = 0;       ///< Uses that were not counted because memory ran out.
  std::vector<Component>
      components;  ///< The components that were used or that entities have, in the order of ids.

  /// Returns: the advice for a component; null if it was not used and no entity has it.
  /// Complexity: O(components).
  STRATA_API const Component* find(ComponentId id) const;
};

/// Returns: the advice as text: a line for the world as a whole, and a line for each component. `out << advice` writes
/// the same text.
STRATA_API std::string describe(const StorageAdvice& advice);
STRATA_API std::ostream& operator<<(std::ostream& out, const StorageAdvice& advice);

}  // namespace strata
