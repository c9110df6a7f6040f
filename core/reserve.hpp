// reserve_one: makes room first, so that the change that follows cannot fail.
#pragma once

namespace strata::detail {

/// Makes sure that the next `push_back` on the list does not throw; grows it so that appending stays amortised.
/// Errors: std::bad_alloc; the list is unchanged then.
template <class List>
void reserve_one(List& list) {
  if (list.size() == list.capacity()) list.reserve(list.size() * 2 + 8);
}

}  // namespace strata::detail
