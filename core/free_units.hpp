// FreeUnits: a bitmap for a slab (a large allocation of BlockPool). It has a bit for each 64 bytes of the slab, which
// is set if these bytes are free.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace strata::detail {

/// A bitmap with a bit for each unit (64 bytes) of a slab, a large allocation that BlockPool cuts into pieces. The bit
/// is set if the unit is free. BlockPool sets the bits of its free pieces and reads runs of set bits. In this way,
/// BlockPool merges neighbouring free pieces without sorting them.
template <std::size_t Units>
class FreeUnits {
 public:
  /// Marks `count` units, from `begin` on, as free.
  /// Contract: begin + count <= Units.
  void set(std::size_t begin, std::size_t count) {
    while (count != 0) {
      const std::size_t bit = begin % 64;
      const std::size_t here = std::min(count, 64 - bit);
      words_[begin / 64] |= (~std::uint64_t{0} >> (64 - here)) << bit;
      begin += here;
      count -= here;
    }
  }

  /// Calls `visit(begin, count)` for every maximal run of free units, from the last run to the first.
  template <class Visit>
  void for_each_run_backwards(Visit visit) const {
    std::size_t begin = Units;
    while (const std::size_t end = end_before<true>(begin)) {
      begin = end_before<false>(end);
      visit(begin, end - begin);
    }
  }

 private:
  static_assert(Units % 64 == 0);

  /// Returns: 1 + the index of the last unit below `limit` whose bit equals `Set`; 0 when there is none.
  template <bool Set>
  std::size_t end_before(std::size_t limit) const {
    while (limit != 0) {
      const std::size_t last = limit - 1;
      const std::uint64_t word = Set ? words_[last / 64] : ~words_[last / 64];
      const std::uint64_t candidates = word << (63 - last % 64);
      if (candidates != 0) return limit - static_cast<std::size_t>(std::countl_zero(candidates));
      limit = last / 64 * 64;
    }
    return 0;
  }

  std::array<std::uint64_t, Units / 64> words_{};
};

}  // namespace strata::detail
