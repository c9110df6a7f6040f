// Reports the iterations of queries to a store's observer.
#pragma once

#include "../matching/matcher.hpp"
#include "../matching/selection.hpp"

namespace strata::detail {

/// Tells the store's observer of an iteration that is about to begin.
/// Errors: std::bad_alloc.
/// Contract: there is an observer; the matcher is up to date.
/// Complexity: as the iteration, where a term asks the side store; O(tables) otherwise.
void note_iteration(const Matcher& matcher, Selection selection, bool as_blocks);

}  // namespace strata::detail
