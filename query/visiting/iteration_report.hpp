// iteration_report: reports the iterations of queries to a store's observer.
#pragma once

#include "../matching/matcher.hpp"
#include "../matching/selection.hpp"

namespace strata::detail {

/// Reports an iteration that is about to begin to the store's observer.
/// Errors: std::bad_alloc.
/// Contract: there is an observer; the matcher is up to date.
/// Complexity: O(tables); as the iteration if a term uses the side store.
void report_iteration(const Matcher& matcher, Selection selection, bool as_blocks);

}  // namespace strata::detail
