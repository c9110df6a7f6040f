// Functions that reorder values in an array by copying their bytes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace strata::detail {

/// Moves the last of `count` adjacent values to the place of the first one, and each other value to the place of the
/// value after it. The value with number i is at `first + i * step`. `step` is kSize bytes or, if the first value has
/// the highest address, -kSize.
template <std::size_t kSize>
void carry(std::byte* first, std::ptrdiff_t step, std::uint32_t count) {
  const std::ptrdiff_t last = step * (std::ptrdiff_t{count} - 1);
  std::array<std::byte, kSize> carried;
  std::memcpy(carried.data(), first + last, kSize);
  for (std::ptrdiff_t place = 0; place != last; place += step) {
    std::array<std::byte, kSize> next;
    std::memcpy(next.data(), first + place, kSize);
    std::memcpy(first + place, carried.data(), kSize);
    carried = next;
  }
  std::memcpy(first + last, carried.data(), kSize);
}

/// Moves one of `count` adjacent values of kSize bytes past all others: the last one to the front or, if
/// `last_goes_first` is false, the first one to the end. `first` is the lowest address.
template <std::size_t kSize>
void pass_one(std::byte* first, std::uint32_t count, bool last_goes_first) {
  constexpr auto kStep = static_cast<std::ptrdiff_t>(kSize);
  if (last_goes_first) return carry<kSize>(first, kStep, count);
  carry<kSize>(first + kStep * (std::ptrdiff_t{count} - 1), -kStep, count);
}

/// Copies the values at the positions in `order` to an array: the i-th value written is the value at position order[i].
/// `value_at(position)` returns the address of the value at a position. As kSize is known at compile time, a copy of a
/// value is one or two instructions.
template <std::size_t kSize, class ValueAt>
void copy_in_order(std::span<const std::uint32_t> order, std::byte* to, ValueAt value_at) {
  for (const std::uint32_t from : order) {
    std::memcpy(to, value_at(from), kSize);
    to += kSize;
  }
}

/// Exchanges the parts [first, middle) and [middle, last) of an array, like std::rotate. The shorter part is copied
/// temporarily to `held`, which must have room for that part.
template <class T>
void rotate_array(T* first, T* middle, T* last, T* held) {
  if (middle - first <= last - middle) {
    std::copy(first, middle, held);
    std::copy(held, held + (middle - first), std::copy(middle, last, first));
  } else {
    std::copy(middle, last, held);
    std::copy_backward(first, middle, last);
    std::copy(held, held + (last - middle), first);
  }
}

}  // namespace strata::detail
