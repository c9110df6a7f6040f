// list_topological: an order of entities in which the targets of a relation come before their sources.
#pragma once

#include <vector>

#include "../../core/outcome.hpp"
#include "pairs.hpp"

namespace strata::detail {

/// Writes all entities that have a pair to `order`, targets before their sources. It goes through the sources by
/// ascending index, depth first, without recursion.
/// Returns: success; or a refusal that names two entities of a cycle, `order` is empty then.
/// Errors: std::bad_alloc.
/// Complexity: O(pairs + highest index of an entity that has one).
STRATA_API Outcome list_topological(const Pairs& pairs, std::vector<Entity>& order);

}  // namespace strata::detail
