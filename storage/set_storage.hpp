// set_storage: moves all values of a component from tables to the component's sparse set, or back.
#pragma once

#include "store.hpp"

namespace strata::detail {

/// Checks the contract of `set_storage` for these arguments; a message names the component.
/// Contract: this store issued the id, changes of the component are not tracked, and no iteration or
/// operation is under way; see ChangeGuard.
void require_movable(const Store& store, ComponentId id, Storage storage);

/// Changes the storage of a component of a store, and moves its existing values from tables to its sparse set
/// or back. Rows of tables keep their order; members of the sparse set get the order in which a query visits
/// tables.
/// Errors: std::bad_alloc; nothing has changed then, but empty tables may have been created.
/// Contract: this store issued the id, changes of the component are not tracked, and no iteration or
/// operation is under way; see ChangeGuard.
/// Invalidates: pointers to the values of all entities that have the component.
/// Complexity: O(entities that have the component * their components).
void set_storage(Store& store, ComponentId id, Storage storage);

}  // namespace strata::detail
