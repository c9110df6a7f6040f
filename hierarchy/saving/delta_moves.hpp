// list_moves: lists the entities that get other parents or places among their siblings between two states of a world.
#pragma once

#include <vector>

#include "world_delta.hpp"

namespace strata::detail {

/// Lists moves which, made one after the other, change the parents and the order of children of one state to those of
/// another. Each family gets as few moves as possible. Families of less depth come first, so that no move makes an
/// entity its own ancestor.
/// Errors: std::bad_alloc.
/// Complexity: O(entities), and O(n log n) for families with n children that have changed.
void list_moves(const ImageFacts& from, const ImageFacts& to, std::vector<WorldDelta::Move>& moves);

}  // namespace strata::detail
