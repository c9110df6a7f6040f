// set_storage: moves all values of a component from tables to the component's sparse set, or back.
#pragma once

#include "store.hpp"

namespace strata::detail {

/// Checks the contract of `set_storage` for these arguments. If the contract is broken, reports it with a message that
/// names the component.
/// Contract: `store` issued the id. `storage` is `table` or `sparse`; if it is `sparse`, the component is not
/// tracked (see Tracking). No query is iterating, and no operation that runs user code is under way (see ChangeGuard).
void require_movable(const Store& store, ComponentId id, Storage storage);

/// Changes the storage of a component of a store, and moves its existing values from tables to its sparse set or back.
/// Does nothing if `storage` is the present one. In both directions, the rows of the entities that have the component
/// move to the end of other tables. If values move to the sparse set, its members get the order in which a query visits
/// their rows, and the rows of one table move together, in the same order. If values move from the sparse set to
/// tables, the rows move one by one, in the order of the sparse set: the last row of the old table fills each place
/// that becomes free.
/// Errors: std::bad_alloc; no value has changed its storage then, but empty tables may have been created, and rows may
/// have moved within their tables.
/// Contract: that of `require_movable`.
/// Invalidates: pointers to the values of all entities that have the component, and to values in the tables that their
/// rows leave and enter.
/// Complexity: O(entities that have the component * their components).
void set_storage(Store& store, ComponentId id, Storage storage);

}  // namespace strata::detail
