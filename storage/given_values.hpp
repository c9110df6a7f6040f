// Functions that check that values which are about to be moved or copied into a store are not in its memory already.
#pragma once

#include "store.hpp"

namespace strata::detail {

/// Returns: whether an address lies in the memory of the store's tables or pools (sparse sets).
/// Complexity: O(pools) if the address is outside of all memory ranges that the store has used so far, as an address on
/// the stack is. Otherwise O(n), where n counts the pages of values in pools and the slabs of memory from which blocks
/// are allocated.
STRATA_API bool holds_value_at(const Store& store, const void* address) noexcept;

/// Checks a `value` that a caller passes in order to add a component. The message of a broken contract names the
/// operation, the entity and the component.
/// Contract: `value` is null only for a tag. `value` does not point into the memory of the store: the addition ends the
/// lifetime of `*value`, so the store would destroy this value a second time.
/// Complexity: that of `holds_value_at`.
void require_given(const Store& store, const char* operation, Entity entity, ComponentId id,
                   const void* value);

/// Checks the address of an array of values of one component, which the caller is going to copy to new rows. The
/// message of a broken contract names the operation and the component.
/// Contract: `values` does not point into the memory of the store: creating the new rows may move the store's rows, and
/// the array with them.
STRATA_API void require_outside(const Store& store, const char* operation, ComponentId id,
                                const void* values);

}  // namespace strata::detail
