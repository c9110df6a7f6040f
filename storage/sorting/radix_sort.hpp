// radix_sort: sorts numbers without comparing them.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../../core/compiler.hpp"

namespace strata::detail {

/// A record to sort: the bits of a key, and the position in the pool of the member that has the key.
template <class Bits>
struct PlacedKey {
  Bits key;
  std::uint32_t position;
};

/// Whether key_bits can convert values of Key: float, double, and integers and enumerations of up to 8 bytes.
template <class Key>
inline constexpr bool has_key_bits = sizeof(Key) <= 8 &&
                                     (std::is_integral_v<Key> || std::is_enum_v<Key> ||
                                      std::is_same_v<Key, float> || std::is_same_v<Key, double>);

/// The unsigned integer type to which key_bits converts a Key.
template <class Key>
using KeyBits = std::conditional_t<sizeof(Key) <= 4, std::uint32_t, std::uint64_t>;

/// Converts a key to an unsigned integer; the order of these integers is the order of the keys by `<`.
/// Returns: that integer. Positive and negative zero have the same integer, and NaN has the greatest integer.
template <class Key>
constexpr KeyBits<Key> key_bits(Key key) {
  using Bits = KeyBits<Key>;
  constexpr Bits kSign = Bits{1} << (sizeof(Bits) * 8 - 1);
  if constexpr (std::is_enum_v<Key>) {
    return key_bits(static_cast<std::underlying_type_t<Key>>(key));
  } else if constexpr (std::is_floating_point_v<Key>) {
    if (key != key) return ~Bits{0};
    const Bits bits = std::bit_cast<Bits>(key == 0 ? Key{0} : key);
    return (bits & kSign) != 0 ? ~bits : bits | kSign;
  } else if constexpr (std::is_signed_v<Key>) {
    return static_cast<Bits>(static_cast<std::make_signed_t<Bits>>(key)) ^ kSign;
  } else {
    return static_cast<Bits>(key);
  }
}

/// Sorts `count` keys stably, byte by byte; `spare` is memory for as many keys. A byte that is equal in all keys is
/// skipped.
/// Returns: the array that holds the result: `keys` or `spare`.
/// Complexity: O(count) for each byte in which keys differ.
/// Source: radix sort from the least digit on (D. Knuth, The Art of Computer Programming, 5.2.5).
template <class Bits>
STRATA_API PlacedKey<Bits>* radix_sort(PlacedKey<Bits>* keys, PlacedKey<Bits>* spare, std::size_t count);

extern template PlacedKey<std::uint32_t>* radix_sort(PlacedKey<std::uint32_t>*, PlacedKey<std::uint32_t>*,
                                                     std::size_t);
extern template PlacedKey<std::uint64_t>* radix_sort(PlacedKey<std::uint64_t>*, PlacedKey<std::uint64_t>*,
                                                     std::size_t);

}  // namespace strata::detail
