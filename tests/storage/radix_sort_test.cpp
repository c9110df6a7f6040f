#include "../../storage/sorting/radix_sort.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

namespace strata::test::radix_sort_test {

namespace {

/// Whether key_bits orders two keys as `<` does.
template <class Key>
bool ordered_alike(std::vector<Key> keys) {
  for (const Key a : keys) {
    for (const Key b : keys) {
      if ((a < b) != (detail::key_bits(a) < detail::key_bits(b))) return false;
    }
  }
  return true;
}

template <class Key>
std::vector<Key> edges() {
  using Limits = std::numeric_limits<Key>;
  return {Limits::lowest(), Limits::min(), static_cast<Key>(-1), Key{0}, Key{1}, Key{100}, Limits::max()};
}

enum class Layer : signed char { below = -3, ground = 0, above = 7 };

}  // namespace

TEST_SUITE("storage/radix_sort") {
  TEST_CASE("bits of keys are ordered as the keys are") {
    CHECK(ordered_alike(edges<signed char>()));
    CHECK(ordered_alike(edges<unsigned char>()));
    CHECK(ordered_alike(edges<short>()));
    CHECK(ordered_alike(edges<int>()));
    CHECK(ordered_alike(edges<unsigned>()));
    CHECK(ordered_alike(edges<long long>()));
    CHECK(ordered_alike(edges<unsigned long long>()));
    CHECK(ordered_alike<bool>({false, true}));
    CHECK(ordered_alike<Layer>({Layer::below, Layer::ground, Layer::above}));
    constexpr float kInfinite = std::numeric_limits<float>::infinity();
    CHECK(ordered_alike<float>({-kInfinite, -1e30f, -1, -1e-40f, -0.0f, 0.0f, 1e-40f, 0.5f, 2, kInfinite}));
    CHECK(ordered_alike<double>({-1e300, -1, -0.0, 0.0, 1e-320, 1, 1e300}));
    CHECK(detail::key_bits(std::numeric_limits<float>::quiet_NaN()) > detail::key_bits(kInfinite));
    CHECK(detail::key_bits(-std::numeric_limits<float>::quiet_NaN()) > detail::key_bits(kInfinite));
  }
  TEST_CASE_TEMPLATE("it sorts stably", Bits, std::uint32_t, std::uint64_t) {
    using Placed = detail::PlacedKey<Bits>;
    std::mt19937_64 random(3);
    for (const Bits mask : {Bits{0}, Bits{0x7}, Bits{0xFF00}, static_cast<Bits>(~Bits{0})}) {
      for (const std::uint32_t count : {0u, 1u, 2u, 1000u}) {
        std::vector<Placed> keys(count), spare(count);
        for (std::uint32_t i = 0; i < count; ++i) keys[i] = {static_cast<Bits>(random()) & mask, i};
        const Placed* const sorted = detail::radix_sort(keys.data(), spare.data(), count);
        REQUIRE(std::is_sorted(sorted, sorted + count, [](const Placed& a, const Placed& b) {
          return a.key != b.key ? a.key < b.key : a.position < b.position;
        }));
      }
    }
  }
}

}  // namespace strata::test::radix_sort_test
