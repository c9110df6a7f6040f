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
/// is the number of rows of the archetypes that had rows at the last `refresh` of `matcher`. An archetype has a list of
/// tables for each depth. If a list has more than 64 tables, the rows of 64 of them are counted, and the number for the
/// whole list is computed from their average. If there are more than 256 lists, the result is `most`. A program that
/// makes the same calls gets the same estimates.
/// Complexity: O(terms). Looks at no more than 256 lists of tables, and at no more than 64 tables of each list.
STRATA_API std::size_t estimate_rows(const Matcher& matcher, std::size_t most);

}  // namespace strata::detail
