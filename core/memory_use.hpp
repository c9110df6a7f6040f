// MemoryUse: how much memory a part of a world has allocated, and how much of it holds data.
#pragma once

#include <cstddef>

namespace strata {

/// How much memory a part of a world has allocated, and how much of it holds data.
/// Units: bytes.
struct MemoryUse {
  std::size_t used = 0;      ///< The bytes that hold data.
  std::size_t reserved = 0;  ///< All allocated bytes, `used` included.

  /// Returns: the allocated bytes that hold no data.
  std::size_t spare() const { return reserved - used; }

  friend MemoryUse operator+(MemoryUse a, MemoryUse b) { return {a.used + b.used, a.reserved + b.reserved}; }
  MemoryUse& operator+=(MemoryUse other) { return *this = *this + other; }
  friend bool operator==(const MemoryUse&, const MemoryUse&) = default;
};

namespace detail {

/// Returns: the memory of the elements of a list, such as a std::vector or a PlainList; the list object itself is
/// not included.
template <class List>
MemoryUse memory_use_of(const List& list) {
  constexpr std::size_t size = sizeof(typename List::value_type);
  return {list.size() * size, list.capacity() * size};
}

}  // namespace detail
}  // namespace strata
