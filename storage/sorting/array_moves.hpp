// Moves plain values inside an array: one past others, a part to the other end, or all into a new order.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace strata::detail {

/// Moves the last of `count` values to the place of the first, and each of the others one place further. The
/// first is at `first`, and the distance is `step` bytes: kSize or, counted from the other end, -kSize.
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

/// The same as rotate_array if one value passes the others, which begin at `first`.
template <std::size_t kSize>
void pass_one(std::byte* first, std::uint32_t count, bool last_goes_first) {
  constexpr auto kStep = static_cast<std::ptrdiff_t>(kSize);
  if (last_goes_first) return carry<kSize>(first, kStep, count);
  carry<kSize>(first + kStep * (std::ptrdiff_t{count} - 1), -kStep, count);
}

/// Copies each value from its old position. With a size known at compile time, a copy is one or two
/// instructions.
template <std::size_t kSize, class ValueAt>
void copy_in_order(std::span<const std::uint32_t> order, std::byte* to, ValueAt value_at) {
  for (const std::uint32_t from : order) {
    std::memcpy(to, value_at(from), kSize);
    to += kSize;
  }
}

/// The same as std::rotate; the shorter part fits into `held`.
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
