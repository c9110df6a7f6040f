#include "radix_sort.hpp"

#include <array>
#include <utility>

namespace strata::detail {

template <class Bits>
PlacedKey<Bits>* radix_sort(PlacedKey<Bits>* keys, PlacedKey<Bits>* spare, std::size_t count) {
  constexpr std::size_t kDigits = sizeof(Bits);
  std::array<std::array<std::uint32_t, 256>, kDigits> counts{};
  const auto digit_of = [](Bits key, std::size_t digit) { return (key >> (digit * 8)) & 0xFF; };
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t digit = 0; digit < kDigits; ++digit) ++counts[digit][digit_of(keys[i].key, digit)];
  }
  for (std::size_t digit = 0; digit < kDigits; ++digit) {
    std::array<std::uint32_t, 256>& places = counts[digit];
    if (count == 0 || places[digit_of(keys[0].key, digit)] == count) continue;
    std::uint32_t next = 0;
    for (std::uint32_t& place : places) next += std::exchange(place, next);
    for (std::size_t i = 0; i < count; ++i) spare[places[digit_of(keys[i].key, digit)]++] = keys[i];
    std::swap(keys, spare);
  }
  return keys;
}

template PlacedKey<std::uint32_t>* radix_sort(PlacedKey<std::uint32_t>*, PlacedKey<std::uint32_t>*,
                                              std::size_t);
template PlacedKey<std::uint64_t>* radix_sort(PlacedKey<std::uint64_t>*, PlacedKey<std::uint64_t>*,
                                              std::size_t);

}  // namespace strata::detail
