// Lead: what a query that asks the side store goes by, its pools or its tables.
#pragma once

#include "gathered_rows.hpp"

namespace strata::detail {

/// Whose order an iteration takes that is asked for none.
enum class Lead : std::uint8_t {
  pools,   ///< That of the pools that lead: members are looked up in tables.
  tables,  ///< That of the matched tables, block by block: rows are looked up in pools.
};

/// Chooses: tables where no pool is required. Pools where no term asks tables, and where the members of one
/// have been put in order, which then is meant to be seen. Otherwise, whatever is faster: tables if the
/// members are many, lie all over, and are so large a share of the tables' rows that it takes less to pass
/// the others over.
///
/// The same calls give the same choice, but other members or rows may give another one at the next iteration.
/// Contract: the rows are of this matcher, which is up to date; no structural change since they were made.
/// Complexity: O(1) for few members; O(matched tables) at most, and a fraction of what it takes to visit
/// them.
Lead choose_lead(const Matcher& matcher, const GatheredRows& rows);

}  // namespace strata::detail
