// explain: describes in words what a query asks for and what it matches, for debugging.
#pragma once

#include <string>

#include "../../core/compiler.hpp"
#include "../matching/matcher.hpp"
#include "../matching/selection.hpp"

namespace strata::detail {

/// Returns: lines that list the terms of the query, whether an iteration goes through tables or through sparse sets (of
/// the side store), and the matching archetypes with the numbers of their rows and tables at each depth. Long lists are
/// cut off. All rows of the matching archetypes are counted; an iteration visits fewer rows if terms test each row.
/// Complexity: O(matched archetypes * depths).
STRATA_API std::string explain(const Matcher& matcher, const Selection& selection);

/// Returns: a sentence that says whether the query visits the entity and, if not, why.
STRATA_API std::string explain(const Matcher& asked, const Selection& selection, Entity entity);

}  // namespace strata::detail
