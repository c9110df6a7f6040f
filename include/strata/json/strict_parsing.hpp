// parse_strictly: parses JSON text from a source that is not trusted.
#pragma once

#include <iosfwd>
#include <string>

#include "json.hpp"

namespace strata::detail {

/// Parses a text. `fault` is empty before the call. If the text is not valid, the call sets `fault` to the reason, for
/// example that an object has a member twice, or that the nesting is deeper than a world can have.
/// Returns: the document; it must not be used if `fault` is set.
/// Errors: std::bad_alloc, and what the stream throws.
Json parse_strictly(std::istream& in, std::string& fault);

}  // namespace strata::detail
