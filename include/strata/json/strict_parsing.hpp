// parse_strictly: parses JSON from a text that need not be trusted.
#pragma once

#include <iosfwd>
#include <string>

#include "json.hpp"

namespace strata::detail {

/// Parses a text. `fault` says what is wrong with the text, for example that an object has a member twice, or that the
/// nesting is deeper than a world can have.
/// Returns: the document, which has no meaning if `fault` is not empty afterwards.
/// Errors: std::bad_alloc, and what the stream throws.
Json parse_strictly(std::istream& in, std::string& fault);

}  // namespace strata::detail
