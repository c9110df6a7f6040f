// list_moves: compares two states of a world, and lists the entities that have to get another parent, or another place
// among their siblings, to turn the first state into the second.
#pragma once

#include <vector>

#include "world_delta.hpp"

namespace strata::detail {

/// Appends to `moves` the moves that, made one after the other, turn the parents and the order of children in the state
/// `from` into those in the state `to`. In each family (a parent and its children), as few children as possible are
/// moved. Entities that become roots come first, then families by increasing depth, so that no move makes an entity its
/// own ancestor.
/// Errors: std::bad_alloc.
/// Complexity: O(s + f log f + sum of (d + n log n)), where s is the number of slots in `to`, and f is the number of
/// families that have changed. The sum is over these families: d is the depth of the parent, and n is the number of its
/// children in both states.
void list_moves(const ImageFacts& from, const ImageFacts& to, std::vector<WorldDelta::Move>& moves);

}  // namespace strata::detail
