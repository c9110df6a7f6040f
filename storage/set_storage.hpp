// set_storage: moves a component of all entities from tables to the side store, or back.
#pragma once

#include "store.hpp"

namespace strata::detail {

/// Contract: the component can be moved there now; the message names it.
void require_movable(const Store& store, ComponentId id, Storage storage);

/// Has a component stored there from here on, and moves the values that there are. Rows of tables keep their order;
/// members of the pool come in the order in which a query visits tables.
/// Errors: std::bad_alloc; nothing has changed then, but tables without rows may have been made.
/// Contract: the component is of this store and its changes are not tracked, nothing is being iterated.
/// Invalidates: pointers to the values of all entities that have the component.
/// Complexity: O(entities that have the component * their components).
void set_storage(Store& store, ComponentId id, Storage storage);

}  // namespace strata::detail
