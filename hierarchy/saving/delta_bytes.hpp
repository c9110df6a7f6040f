// write_delta and read_delta: write a WorldDelta (lists of changes of a world) as bytes, and read it from bytes.
#pragma once

#include <string>
#include <string_view>

#include "../../core/outcome.hpp"
#include "world_delta.hpp"

namespace strata::detail {

/// Returns: the delta as bytes. `parts` refers to the store, links, names and so on of the world whose changes `delta`
/// lists. In the bytes, components and resources are identified by their names.
std::string write_delta(const WorldDelta& delta, const SavedParts& parts);

/// Fills `delta` from the bytes that `write_delta` has written. `bytes` may be any bytes: if they are no delta, they
/// are refused. Relations that the bytes contain are registered in the world of `parts`.
/// Returns: success; or a refusal, which says that the bytes are not valid, or names a component, relation or resource
/// that the program does not have or describes differently. After a refusal, `delta` may have a part of the lists.
/// Errors: std::bad_alloc.
/// Contract: `delta` is empty.
Outcome read_delta(std::string_view bytes, const LoadedParts& parts, WorldDelta& delta);

}  // namespace strata::detail
