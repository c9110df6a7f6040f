// reserve_one, reserve_more: allocate room in a vector before a change, so that the change itself cannot
// fail.
#pragma once

#include <cstddef>

namespace strata::detail {

/// Reserves room in a vector, so that the next `count` calls of `push_back` do not allocate. Does nothing if there is
/// room for them already. Otherwise reserves more than they need, so that the capacity grows geometrically and
/// appending takes amortised constant time.
/// Errors: std::bad_alloc; the vector is unchanged then.
template <class List>
void reserve_more(List& list, std::size_t count) {
  if (list.capacity() - list.size() < count) list.reserve(list.size() * 2 + 7 + count);
}

/// Reserves room in a vector for one call of `push_back`; see reserve_more.
template <class List>
void reserve_one(List& list) {
  reserve_more(list, 1);
}

}  // namespace strata::detail
