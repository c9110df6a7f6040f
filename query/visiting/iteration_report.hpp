// report_iteration: tells the observer of a store, such as a storage advisor, which iterations take place.
#pragma once

#include "../../core/compiler.hpp"
#include "../matching/matcher.hpp"
#include "../matching/selection.hpp"

namespace strata::detail {

/// Tells the store's AccessObserver about an iteration of a query that is about to begin: which components the terms
/// name, how many rows the iteration will visit, and how many tables the matching archetypes with rows have, including
/// tables that the iteration does not visit. `as_blocks` is true if the visiting function receives blocks
/// (`each_block`), false if it receives rows.
/// Errors: std::bad_alloc.
/// Contract: the store has an AccessObserver; the matcher is up to date.
/// Complexity: that of counting the rows: O(tables of the matching archetypes) or, if a term uses the side store
/// (sparse sets), as much as the iteration itself.
STRATA_API void report_iteration(const Matcher& matcher, Selection selection, bool as_blocks);

}  // namespace strata::detail
