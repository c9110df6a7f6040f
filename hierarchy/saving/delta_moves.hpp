// list_moves: which entities get other parents or places among their siblings between two states of a world.
#pragma once

#include <vector>

#include "world_delta.hpp"

namespace strata::detail {

/// Lists moves that make the parents and the order of children what they are in another state, if they are made one
/// after the other: as few in each family as there can be, and none that makes an entity its own ancestor on the way,
/// because families of less depth come first.
/// Errors: std::bad_alloc.
/// Complexity: O(entities), and O(n log n) for families with n children that have changed.
void list_moves(const ImageFacts& from, const ImageFacts& to, std::vector<WorldDelta::Move>& moves);

}  // namespace strata::detail
