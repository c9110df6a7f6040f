// make_world_delta: lists the differences of two images (copies) of a world.
#pragma once

#include "../../core/outcome.hpp"
#include "contents.hpp"
#include "world_delta.hpp"

namespace strata::detail {

/// Lists in `delta` the changes that lead from the image `from` of a world (a copy of its contents) to the later image
/// `to`.
/// Returns: success; or a refusal that names a component or resource that cannot be written.
/// Errors: std::bad_alloc, and what the program's functions for writing values (see members_of) throw.
/// Contract: both images were taken of the world of `parts`, by one WorldRecorder.
/// Complexity: O(slots + values in table rows) if entities were created or destroyed or rows have moved; otherwise
/// O(blocks + values in changed pages). Pools, relations, resources and names add their size if they differ; for
/// the tree, see list_moves.
Outcome make_world_delta(const SavedParts& parts, const WorldImage& from, const WorldImage& to,
                         Undescribed undescribed, WorldDelta& delta);

}  // namespace strata::detail
