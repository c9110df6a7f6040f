// make_delta and apply_delta: in what a sequence of bytes, such as a saved world, differs from an earlier one.
#pragma once

#include <string>
#include <string_view>

#include "../compiler.hpp"
#include "../outcome.hpp"

namespace strata {

/// Returns: a delta, from which `apply_delta` makes `after` where there is `before`: what both have in common, at any
/// place, takes a few bytes. Both are mostly saved worlds (see save), but may be any bytes.
/// Errors: std::bad_alloc.
/// Complexity: O(before + after), on average.
STRATA_API std::string make_delta(std::string_view before, std::string_view after);

/// The result of `apply_delta`.
struct DeltaResult {
  Outcome outcome;    ///< If refused, its sentence says why.
  std::string after;  ///< Empty if it was refused.
};

/// Returns: what `make_delta` was given as `after`; or a refusal, because `before` is not what it was given, or the delta is
/// cut off or damaged. A delta may have any content: it never takes far more memory than both have bytes.
/// Errors: std::bad_alloc.
STRATA_API DeltaResult apply_delta(std::string_view before, std::string_view delta);

}  // namespace strata
