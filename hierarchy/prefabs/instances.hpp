// Functions that add and read the pairs of InstanceOf, which lead from copies of prefabs to the prefabs.
#pragma once

#include <span>

#include "../../core/compiler.hpp"
#include "../relations/relation_set.hpp"
#include "instance_of.hpp"

namespace strata::detail {

/// Makes copies of a prefab its instances: adds pairs of the relation InstanceOf, which lead from the copies to the
/// prefab. `originals` are the prefab and all entities below it; `copies` has a copy of each of them, in the same
/// order, for one instance after the other.
/// Errors: std::bad_alloc; the caller must then remove the pairs of the copies.
/// Contract: the caller has begun a structural change of the store.
void add_instances(Store& store, RelationSet& relations, std::span<const Entity> originals,
                   std::span<const Entity> copies);

/// Returns: the prefab of which the entity `instance` is an instance; a null handle if it is an instance of none.
/// Complexity: O(1).
Entity prefab_of(const Store& store, const RelationSet& relations, Entity instance);

/// Returns: the copy in `instance` of `node`, an entity of the instance's prefab; a null handle if there is no copy or
/// it was destroyed. If the prefab is itself an instance of another prefab, `node` may be an entity of that prefab, and
/// so on.
/// Complexity: O(p * log n) for p such prefabs, each with at most n entities.
Entity counterpart(const Store& store, const RelationSet& relations, Entity instance, Entity node);

}  // namespace strata::detail
