// report_iteration: tells the observer of a store, such as a storage advisor, which iterations take place.
#pragma once

#include "../../core/compiler.hpp"
#include "../matching/matcher.hpp"
#include "../matching/selection.hpp"

namespace strata::detail {

/// Tells the store's observer about an iteration of a query that is about to begin: which components the terms name,
/// how many rows the iteration will visit, and how many tables the matching archetypes have. `as_blocks` is true if the
/// visiting function receives blocks (`each_block`), false if it receives rows.
/// Errors: std::bad_alloc.
/// Contract: the store has an observer; the matcher is up to date.
/// Complexity: O(tables); if a term uses the side store (sparse sets), the cost of the iteration itself.
STRATA_API void report_iteration(const Matcher& matcher, Selection selection, bool as_blocks);

}  // namespace strata::detail
