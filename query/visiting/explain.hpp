// Explain: what a query asks and finds, in words.
#pragma once

#include <string>

#include "../matching/matcher.hpp"
#include "../matching/selection.hpp"

namespace strata::detail {

/// Returns: lines that say what the terms are, what leads the way to the rows, and which archetypes match,
/// with their rows and tables by rank; of many archetypes or ranks, the first ones. Counts what tables offer:
/// terms of the side store may leave out some of those rows.
/// Complexity: O(matched archetypes * ranks).
std::string explain(const Matcher& matcher, const Selection& selection);

/// Returns: a sentence that says whether an entity is among what the query visits and, if not, for which
/// reasons.
std::string explain(const Matcher& matcher, const Selection& selection, Entity entity);

}  // namespace strata::detail
