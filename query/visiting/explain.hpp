// Explain: describes a query and its matches in words.
#pragma once

#include <string>

#include "../matching/matcher.hpp"
#include "../matching/selection.hpp"

namespace strata::detail {

/// Returns: lines that list the terms, whether pools or tables are iterated, and the matching archetypes with
/// their rows and tables by rank. Long lists are cut off. The numbers count rows of tables; side-store terms
/// may drop some of them.
/// Complexity: O(matched archetypes * ranks).
std::string explain(const Matcher& matcher, const Selection& selection);

/// Returns: a sentence that says whether the query visits an entity and, if not, why.
std::string explain(const Matcher& matcher, const Selection& selection, Entity entity);

}  // namespace strata::detail
