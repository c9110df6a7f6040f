// write_delta and read_delta: a WorldDelta as bytes.
#pragma once

#include <string>
#include <string_view>

#include "../../core/outcome.hpp"
#include "world_delta.hpp"

namespace strata::detail {

/// Returns: the delta as bytes, which name components and resources by their names.
std::string write_delta(const WorldDelta& delta, const SavedParts& parts);

/// Reads what `write_delta` has written, which may be any bytes. Relations of the delta become known to the program's
/// world.
/// Returns: success; or a refusal that names a component, relation or resource that the program does not have or
/// describes differently.
/// Errors: std::bad_alloc.
Outcome read_delta(std::string_view bytes, const LoadedParts& parts, WorldDelta& delta);

}  // namespace strata::detail
