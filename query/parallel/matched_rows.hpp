// How many rows tables and queries have, as an estimate that costs little.
#pragma once

#include <cstddef>
#include <span>

#include "../../core/compiler.hpp"
#include "../matching/matcher.hpp"

namespace strata::detail {

/// Returns: about how many rows the tables have together; each block in `tables` is the first one of a table.
/// If there are more than 64 tables, looks at only 64 of them.
std::size_t estimate_rows_of(std::span<Block* const> tables);

/// Returns: about how many rows the query has to visit, but at most `most`; also `most` if there are more lists of
/// tables than this function looks at. If the query requires sparse sets, counts the members of the smallest one;
/// otherwise the rows of archetypes that had rows at the last `refresh` of `matcher`. A program that makes the same
/// calls gets the same estimates.
/// Complexity: O(terms). Looks at no more than 256 lists of tables (an archetype has one for each depth), and at no
/// more than 64 tables of each list.
STRATA_API std::size_t estimate_rows(const Matcher& matcher, std::size_t most);

}  // namespace strata::detail
