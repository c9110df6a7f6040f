// IterationSource: whether a query with components in the side store goes through the members of pools (sparse sets) or
// through the rows of tables.
#pragma once

#include "gathered_rows.hpp"

namespace strata::detail {

/// What a query with components in the side store (sparse sets) iterates, if the caller asks for no order.
enum class IterationSource : std::uint8_t {
  pools,   ///< The members of the leading pools (see below); their rows are looked up.
  tables,  ///< The rows of matching tables, block by block; their entities are looked up in pools.
};

/// Chooses what a query with components in the side store (sparse sets) iterates, by the first of these rules that
/// applies. The leading pools (sparse sets) of a query are the smallest pool that the query requires, or the pools of
/// an `AnyOf` (see SideTerms::leaders).
/// - Tables, if the query has no leading pool.
/// - Pools, if no term uses tables.
/// - Pools, if the leading pools have so few members that their data stay in the processor's fast caches.
/// - Pools, if a leading pool was sorted, because the caller expects to see its members in that order.
/// - Pools, if the members of the leading pools are mostly in the order of their data in memory.
/// - Otherwise, what is estimated to be faster. Tables are faster if most of their rows belong to members: then
///   skipping the other rows costs less than looking up each member.
///
/// A program that makes the same calls gets the same choices. If members or rows change between two iterations, the two
/// choices may differ.
/// Contract: `rows` was made for this matcher, which is up to date; there was no structural change after `rows` was
/// made.
/// Complexity: O(1) if the leading pools have few members; otherwise at most O(matching tables), which is little
/// compared with visiting the rows of these tables.
IterationSource choose_iteration_source(const Matcher& matcher, const GatheredRows& rows);

}  // namespace strata::detail
