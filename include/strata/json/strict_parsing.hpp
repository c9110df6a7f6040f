// parse_strictly: JSON from a text of any content.
#pragma once

#include <iosfwd>
#include <string>

#include "json.hpp"

namespace strata::detail {

/// Parses a text. An object with the same member twice, or deeper nesting than a world can have, is a fault.
/// Returns: the document; it has no meaning if `fault` is not empty then.
/// Errors: std::bad_alloc, and what the stream throws.
Json parse_strictly(std::istream& in, std::string& fault);

}  // namespace strata::detail
