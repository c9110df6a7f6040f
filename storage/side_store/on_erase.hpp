// OnErase: what the sparse set (pool) of a component does with values when it erases a member.
#pragma once

#include <cstdint>

#include "../../core/component.hpp"

namespace strata::detail {

/// What SparsePool::erase does with values. The choice depends only on the component, so it is made once for each pool.
enum class OnErase : std::uint8_t {
  nothing,    ///< There are no values: the component is a tag.
  copy_last,  ///< Copies the bytes of the last value to the place of the erased one.
  move_last,  ///< Move-constructs the last value at the place of the erased one.
  general,    ///< Calls SparsePool::erase_object: the pool is stable, or values have a destructor.
};

/// Returns: what the pool of a component does with values when it erases a member.
inline OnErase on_erase_of(const ComponentInfo& component) {
  if (component.is_tag()) return OnErase::nothing;
  if (component.pool.removal == Removal::stable || component.destroy != nullptr) return OnErase::general;
  return component.relocate != nullptr ? OnErase::move_last : OnErase::copy_last;
}

}  // namespace strata::detail
