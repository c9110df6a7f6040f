#include "hash.hpp"

#include <array>
#include <bit>
#include <cstring>

namespace strata::detail {
namespace {

constexpr std::uint64_t kPrime1 = 0x9E37'79B1'85EB'CA87;
constexpr std::uint64_t kPrime2 = 0xC2B2'AE3D'27D4'EB4F;
constexpr std::uint64_t kPrime3 = 0x1656'67B1'9E37'79F9;
constexpr std::uint64_t kPrime4 = 0x85EB'CA77'C2B2'AE63;
constexpr std::uint64_t kPrime5 = 0x27D4'EB2F'1656'67C5;

/// Returns: the 4 or 8 bytes from `at` on as a number; the first of them is its lowest byte.
template <class Number>
std::uint64_t load_word(const std::byte* at) noexcept {
  if constexpr (std::endian::native == std::endian::little) {
    Number number;
    std::memcpy(&number, at, sizeof number);
    return number;
  }
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < sizeof(Number); ++i) number |= std::uint64_t(at[i]) << (8 * i);
  return number;
}

std::uint64_t mix_lane(std::uint64_t lane, std::uint64_t input) noexcept {
  return std::rotl(lane + input * kPrime2, 31) * kPrime1;
}

/// Hashes the bytes from `at` on in stripes (pieces of 32 bytes), and moves `at` behind the last whole stripe.
/// Returns: the hash of the stripes.
std::uint64_t mix_stripes(const std::byte*& at, const std::byte* end, std::uint64_t seed) noexcept {
  std::array<std::uint64_t, 4> lanes = {seed + kPrime1 + kPrime2, seed + kPrime2, seed, seed - kPrime1};
  for (; end - at >= 32; at += 32) {
    for (std::size_t i = 0; i < 4; ++i) lanes[i] = mix_lane(lanes[i], load_word<std::uint64_t>(at + 8 * i));
  }
  std::uint64_t hash =
      std::rotl(lanes[0], 1) + std::rotl(lanes[1], 7) + std::rotl(lanes[2], 12) + std::rotl(lanes[3], 18);
  for (const std::uint64_t lane : lanes) hash = (hash ^ mix_lane(0, lane)) * kPrime1 + kPrime4;
  return hash;
}

}  // namespace

std::uint64_t hash_bytes(std::span<const std::byte> bytes, std::uint64_t seed) noexcept {
  const std::byte* at = bytes.data();
  const std::byte* const end = at + bytes.size();
  std::uint64_t hash = bytes.size() >= 32 ? mix_stripes(at, end, seed) : seed + kPrime5;
  hash += bytes.size();
  for (; end - at >= 8; at += 8)
    hash = std::rotl(hash ^ mix_lane(0, load_word<std::uint64_t>(at)), 27) * kPrime1 + kPrime4;
  if (end - at >= 4) {
    hash = std::rotl(hash ^ (load_word<std::uint32_t>(at) * kPrime1), 23) * kPrime2 + kPrime3;
    at += 4;
  }
  for (; at != end; ++at) hash = std::rotl(hash ^ (std::uint64_t(*at) * kPrime5), 11) * kPrime1;
  hash = (hash ^ hash >> 33) * kPrime2;
  hash = (hash ^ hash >> 29) * kPrime3;
  return hash ^ hash >> 32;
}

}  // namespace strata::detail
