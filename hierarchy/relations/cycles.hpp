// find_cycle: whether a new pair would close a cycle of pairs.
#pragma once

#include <memory_resource>
#include <string>

#include "pairs.hpp"

namespace strata::detail {

/// Returns: a sentence that names both entities if the target leads to the source, so that a pair from the source
/// to the target would close a cycle; empty if it does not.
/// Errors: std::bad_alloc, if the relation is not exclusive.
/// Contract: the pairs of the relation form no cycle.
/// Complexity: O(entities to which the target leads, and their pairs); O(1) if the source is no target, or the
/// target no source.
std::string find_cycle(const Pairs& pairs, Entity source, Entity target, std::pmr::memory_resource* memory);

}  // namespace strata::detail
