// list_topological: an order of entities in which the targets of a relation come before their sources.
#pragma once

#include <vector>

#include "../../core/outcome.hpp"
#include "pairs.hpp"

namespace strata::detail {

/// Makes `order` the list of all entities that have a pair (a link from a source to a target entity), with targets
/// before their sources. Searches depth first, from one source after the other by ascending slot index, without
/// recursion.
/// Returns: success; or a refusal that names two entities of a cycle. If it is a refusal, `order` is empty.
/// Errors: std::bad_alloc.
/// Complexity: O(p + i), where p is the number of pairs, and i is the highest slot index of an entity that has a pair.
STRATA_API Outcome list_topological(const Pairs& pairs, std::vector<Entity>& order);

}  // namespace strata::detail
