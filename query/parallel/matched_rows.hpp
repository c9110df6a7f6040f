// How many rows tables and queries have, as an estimate that costs little.
#pragma once

#include <cstddef>
#include <span>

#include "../../core/compiler.hpp"
#include "../matching/matcher.hpp"

namespace strata::detail {

/// Returns: about how many rows the tables have together; of more than 64 tables, it only looks at 64.
std::size_t estimate_rows_of(std::span<Block* const> tables);

/// Returns: about how many rows the query had to visit when it was last visited; `most` if there are as many or more.
/// The same calls give the same estimate.
/// Complexity: O(lists of tables), at most 256. In lists of more than 64 tables, it looks at 64 of them.
STRATA_API std::size_t estimate_rows(const Matcher& matcher, std::size_t most);

}  // namespace strata::detail
