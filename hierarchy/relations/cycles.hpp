// find_cycle: whether a new pair (a link from a source entity to a target entity) would close a cycle of pairs.
#pragma once

#include <memory_resource>
#include <string>

#include "pairs.hpp"

namespace strata::detail {

/// Returns: a sentence that names both entities if a chain of pairs leads from the target to the source, so that a new
/// pair from the source to the target would close a cycle; an empty string if there is no such chain.
/// Errors: std::bad_alloc. In an exclusive relation, in which each source has at most one target, the search itself
/// allocates nothing.
/// Contract: the pairs of the relation form no cycle.
/// Complexity: O(e + p), where e is the number of entities that chains of pairs reach from the target, and p is the
/// number of pairs whose sources are these entities or the target. O(1) if the source is not the target of any pair, or
/// the target is not the source of any pair.
std::string find_cycle(const Pairs& pairs, Entity source, Entity target, std::pmr::memory_resource* memory);

}  // namespace strata::detail
