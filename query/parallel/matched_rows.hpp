// Cheap estimates of how many rows some tables have, and of how many rows a query has to visit.
#pragma once

#include <cstddef>
#include <span>

#include "../../core/compiler.hpp"
#include "../matching/matcher.hpp"

namespace strata::detail {

/// Returns: about how many rows the tables have together; each block in `tables` is the first one of a table.
/// If there are more than 64 tables, multiplies the average number of rows of 64 of them by the number of tables.
std::size_t estimate_rows_of(std::span<Block* const> tables);

/// Returns: an estimate of the number of rows that the query has to visit, but at most `most`. If terms require
/// components that are stored in sparse sets, this is the number of members of the smallest of these sets. Otherwise it
/// is the number of rows of the archetypes that had rows at the last `refresh` of `matcher`; `most` if there are more
/// lists of tables than this function looks at. A program that makes the same calls gets the same estimates.
/// Complexity: O(terms). Looks at no more than 256 lists of tables (an archetype has one for each depth), and at no
/// more than 64 tables of each list.
STRATA_API std::size_t estimate_rows(const Matcher& matcher, std::size_t most);

}  // namespace strata::detail
