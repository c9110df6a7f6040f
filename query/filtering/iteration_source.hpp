// IterationSource: whether a query with side-store terms iterates pools or tables.
#pragma once

#include "gathered_rows.hpp"

namespace strata::detail {

/// The iteration order when the caller asks for none.
enum class IterationSource : std::uint8_t {
  pools,   ///< Iterates the leading pools and looks members up in tables.
  tables,  ///< Iterates matched tables block by block and looks rows up in pools.
};

/// Chooses the iteration order. The rules apply in this order:
/// - Tables, if no pool is required.
/// - Pools, if no term uses tables.
/// - Pools, if there are few members, or if the members of a leader were sorted: the caller then expects to
///   see that order.
/// - Otherwise the faster one. Tables win if the members are many, are scattered in memory, and are so large
///   a share of the tables' rows that skipping the other rows is cheaper.
///
/// The same calls give the same choice. It may differ between iterations when members or rows have changed.
/// Contract: the rows belong to this matcher, which is up to date; no structural change since they were made.
/// Complexity: O(1) for few members; at most O(matched tables), a fraction of visiting them.
IterationSource choose_iteration_source(const Matcher& matcher, const GatheredRows& rows);

}  // namespace strata::detail
