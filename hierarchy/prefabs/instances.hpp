// Functions that link copies of a prefab to the prefab, by pairs of the relation InstanceOf, and that follow these
// links.
#pragma once

#include <span>

#include "../../core/compiler.hpp"
#include "../relations/relation_set.hpp"
#include "instance_of.hpp"

namespace strata::detail {

/// Adds pairs of the relation InstanceOf that lead from new copies of a prefab to the prefab, which makes the copies
/// its instances. `originals` are the prefab and all entities below it. `copies` has, in the same order, the copies of
/// all originals for the first instance, then those for the next instance, and so on.
/// Errors: std::bad_alloc; the caller must then remove the pairs of the copies.
/// Contract: the caller has begun a structural change of the store.
void add_instances(Store& store, RelationSet& relations, std::span<const Entity> originals,
                   std::span<const Entity> copies);

/// Returns: the prefab of which the entity `instance` is an instance; a null handle if it is an instance of none.
/// Complexity: O(1).
Entity prefab_of(const Store& store, const RelationSet& relations, Entity instance);

/// Returns: the copy of `node`, an entity of a prefab, in `instance`, an instance of that prefab; a null handle if
/// there is no copy or the copy was destroyed. If the prefab is itself an instance of another prefab, `node` may also
/// be an entity of that other prefab, and so on along the chain of prefabs.
/// Complexity: O(p * log n) for a chain of p prefabs, each with at most n entities.
Entity counterpart(const Store& store, const RelationSet& relations, Entity instance, Entity node);

}  // namespace strata::detail
