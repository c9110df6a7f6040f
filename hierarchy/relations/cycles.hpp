// find_cycle: whether a new pair would close a cycle of pairs.
#pragma once

#include <memory_resource>
#include <string>

#include "pairs.hpp"

namespace strata::detail {

/// Returns: a sentence that names both entities if pairs lead from the target to the source, so that a new pair from
/// the source to the target would close a cycle; empty if it would not close one.
/// Errors: std::bad_alloc, only if the relation is not exclusive.
/// Contract: the pairs of the relation form no cycle.
/// Complexity: O(e + p), where e is the number of entities to which pairs lead from the target, and p is the number of
/// pairs that these have as sources. O(1) if the source is not the target of any pair, or the target is not the source
/// of any.
std::string find_cycle(const Pairs& pairs, Entity source, Entity target, std::pmr::memory_resource* memory);

}  // namespace strata::detail
