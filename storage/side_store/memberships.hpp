// Memberships: records which pools (sparse sets) each entity has joined, so that destroying the entity visits only
// these pools.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <string>
#include <utility>

#include "../../core/memory_use.hpp"
#include "../../core/plain_list.hpp"

namespace strata::detail {

/// A bitmap with one bit for each entity index and pool (the sparse set of one component). A bit is set if an entity
/// with this index has joined the pool since the bit was last reset. `take` resets the bits of an entity that is
/// destroyed. A bit may stay set after the entity has left the pool. So removing a component, which is far more
/// frequent than destroying an entity, need not change the bitmap.
///
/// The bits of 1024 adjacent indices are on one page. For each index, a page has as many 64-bit words as the bits of
/// all pools need. This number is rounded up to a power of two. A pool calls `hold` for the indices of its members: the
/// pages of these indices are not freed until the pool calls `release`.
///
/// Invariants:
///   M1. Every index that is held has a page; other indices may have one. An index is held between `hold` and
///       `release`. A page counts the calls of `hold` that no `release` has ended.
///   M2. The words that a page has for each index have a bit for every pool. Bits are only set for
///       pools with numbers below the largest count that was passed to `reserve_pools`.
///
/// Threads: any number of readers, or one writer.
class Memberships {
 public:
  static constexpr std::uint32_t kIndicesPerPage = 1024;

  explicit Memberships(std::pmr::memory_resource* memory) : pages_(memory), holds_(memory) {}
  Memberships(const Memberships&) = delete;
  Memberships& operator=(const Memberships&) = delete;
  ~Memberships();

  /// Makes room for the bits of the pools numbered from 0 to `count` - 1.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Complexity: O(1). When the number of pools first exceeds 64, 128, 256 and so on: O(pages of bits).
  void reserve_pools(std::uint32_t count);

  /// Allocates the missing pages of bits for `count` entity indices, from `first` on, so that `add` finds them. Holds
  /// these pages: `shrink` does not free them until `release` was called as often as `hold` for the same indices.
  /// Errors: std::bad_alloc; the call then holds no page, but may have allocated some.
  /// Contract: `count` is not 0.
  void hold(std::uint32_t first, std::uint32_t count);

  /// Frees all pages, even those that are held (see `hold`). This resets all bits.
  void reset() noexcept;

  /// Ends the effect of one call of `hold` for these indices, so that their pages may be freed. Frees no page: `shrink`
  /// does that.
  /// Contract: the pool that called `hold` has no member with one of these indices any more.
  void release(std::uint32_t first, std::uint32_t count) noexcept;

  /// Where the bit of a pool (sparse set) is among the bits of an entity index: the number of the 64-bit word, from the
  /// first word of the index on, and a mask with only the pool's bit. It is the same for each index, so a pool computes
  /// its Mark once, from the pool's number.
  class Mark {
   public:
    explicit Mark(std::uint32_t pool) : bit_(std::uint64_t{1} << pool % 64), word_(pool / 64) {}

   private:
    friend class Memberships;
    std::uint64_t bit_;
    std::uint32_t word_;
  };

  /// Sets the bit of an entity index and a pool: the entity with this index has joined the pool.
  /// Contract: `hold` was called for the index, and `reserve_pools` for the pool.
  void add(std::uint32_t index, const Mark& mark) noexcept { *word_of(index, mark) |= mark.bit_; }

  /// Resets the bit of an entity index and a pool.
  /// Contract: `hold` was called for the index, and `reserve_pools` for the pool.
  void remove(std::uint32_t index, const Mark& mark) noexcept { *word_of(index, mark) &= ~mark.bit_; }

  /// Returns: whether the bit of an entity index and a pool is set. If so, an entity with this index has joined the
  /// pool. It may have left the pool again.
  bool contains(std::uint32_t index, const Mark& mark) const noexcept {
    return has_page(index) && (*word_of(index, mark) & mark.bit_) != 0;
  }

  /// Calls `visit(number)` with the number of each pool whose bit is set for this index, and resets all bits of the
  /// index. The entity with this index may have left some of these pools.
  /// Complexity: O(set bits + pools / 64).
  template <class Visit>
  void take(std::uint32_t index, Visit visit) noexcept {
    if (!has_page(index)) return;
    for (std::uint32_t word = 0; word < words_in_use_; ++word) {
      // Calls `words_of` again in each step, because `visit` may create a pool, and this may reallocate all pages.
      std::uint64_t bits = std::exchange(words_of(index)[word], 0);
      for (; bits != 0; bits &= bits - 1)
        visit(word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits)));
    }
  }

  MemoryUse memory_use() const noexcept;

  /// Frees unused capacity of arrays, and the pages that are not held (see `hold`). The bits on these pages are lost;
  /// they are of no use, because the entities have left the pools again.
  void shrink() noexcept;

  /// Returns: the first invariant that does not hold, as a sentence; empty when all do.
  std::string check_invariants() const;

 private:
  bool has_page(std::uint32_t index) const noexcept {
    const std::uint32_t page = index / kIndicesPerPage;
    return page < pages_.size() && pages_[page] != nullptr;
  }
  std::uint64_t* words_of(std::uint32_t index) const noexcept {
    return pages_[index / kIndicesPerPage] + (std::size_t{index % kIndicesPerPage} << stride_bits_);
  }
  std::uint64_t* word_of(std::uint32_t index, const Mark& mark) const noexcept {
    return words_of(index) + mark.word_;
  }

  std::uint64_t* allocate(std::uint32_t stride_bits) const;
  void deallocate(std::uint64_t* words, std::uint32_t stride_bits) const noexcept;
  std::pmr::memory_resource* memory() const { return pages_.memory(); }

  // The pages of bits, by entity index / kIndicesPerPage; null if a page does not exist.
  PlainList<std::uint64_t*> pages_;
  PlainList<std::uint32_t> holds_;  // By page: how many calls of `hold` no `release` has ended.
  std::uint32_t pools_ = 0;
  std::uint32_t words_in_use_ = 0;  // How many words of each index hold bits of pools.
  std::uint32_t stride_bits_ = 0;   // Each index has 1 << stride_bits_ words.
};

}  // namespace strata::detail
