// make_delta and apply_delta: the difference between two sequences of bytes, such as two saved worlds.
#pragma once

#include <string>
#include <string_view>

#include "../compiler.hpp"
#include "../outcome.hpp"

namespace strata {

/// Returns: a delta, from which `apply_delta` makes `after` out of `before`. A long run of bytes that is in both
/// sequences, at any positions, takes a few bytes of the delta. Both may be any bytes, such as saved worlds (see save).
/// Errors: std::bad_alloc.
/// Complexity: O(before + after), on average.
STRATA_API std::string make_delta(std::string_view before, std::string_view after);

/// The result of `apply_delta`.
struct DeltaResult {
  Outcome outcome;    ///< If refused, its sentence says why.
  std::string after;  ///< Empty if the delta was refused.
};

/// Returns: the bytes `after` for which `make_delta` made the delta. Refused if `delta` is no delta, if it was made
/// with another `before`, or if it is cut off or damaged. `delta` may be any bytes: the result never has more than
/// 4 * before.size() + delta.size() bytes.
/// Errors: std::bad_alloc.
STRATA_API DeltaResult apply_delta(std::string_view before, std::string_view delta);

}  // namespace strata
