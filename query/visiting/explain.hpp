// explain: describes in words what a query asks for and what it matches, for debugging.
#pragma once

#include <string>

#include "../../core/compiler.hpp"
#include "../matching/matcher.hpp"
#include "../matching/selection.hpp"

namespace strata::detail {

/// Returns: lines that list the terms of the query, whether an iteration goes through pools or tables, and the matching
/// archetypes with the numbers of their rows and tables at each depth. Long lists are cut off. The numbers are those of
/// rows in tables; an iteration may visit fewer if terms use the side store (sparse sets).
/// Complexity: O(matched archetypes * depths).
STRATA_API std::string explain(const Matcher& matcher, const Selection& selection);

/// Returns: a sentence that says whether the query visits the entity and, if not, why.
STRATA_API std::string explain(const Matcher& matcher, const Selection& selection, Entity entity);

}  // namespace strata::detail
