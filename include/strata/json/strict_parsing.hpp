// parse_strictly: JSON from a text of any content.
#pragma once

#include <iosfwd>
#include <string>

#include "json.hpp"

namespace strata::detail {

/// Parses a text. One with a member twice in an object, or with deeper nesting than a world can have, has a fault.
/// Returns: the document; it has no meaning if `fault` is not empty then.
/// Errors: std::bad_alloc, and what the stream throws.
Json parse_strictly(std::istream& in, std::string& fault);

}  // namespace strata::detail
