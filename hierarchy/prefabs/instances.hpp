// Functions that add and read the pairs of InstanceOf, which lead from copies of prefabs to the prefabs.
#pragma once

#include <span>

#include "../../core/compiler.hpp"
#include "../relations/relation_set.hpp"
#include "instance_of.hpp"

namespace strata::detail {

/// Makes copies of a prefab its instances: adds pairs of the relation InstanceOf. `originals` are the prefab and all
/// entities below it; `copies` has the copies of all of them, in their order, any number of times.
/// Errors: std::bad_alloc; the caller then removes the pairs of the copies.
/// Contract: the caller has begun a change.
void add_instances(Store& store, RelationSet& relations, std::span<const Entity> originals,
                   std::span<const Entity> copies);

/// Returns: the prefab of which an entity is an instance; a null handle if there is none.
/// Complexity: O(1).
Entity prefab_of(const Store& store, const RelationSet& relations, Entity instance);

/// Returns: the entity that was made from `node`, an entity of the instance's prefab, for the instance; a null handle
/// if there is none or it was destroyed. If the prefab is an instance itself, `node` may be an entity of its prefab,
/// and so on.
/// Complexity: O(log n) for n entities of the prefab, for each of these prefabs.
Entity counterpart(const Store& store, const RelationSet& relations, Entity instance, Entity node);

}  // namespace strata::detail
