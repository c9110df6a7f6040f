// Memberships: the pools that an entity has been in, so that destroying it only visits those.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <string>
#include <utility>
#include <vector>

#include "../../core/memory_use.hpp"

namespace strata::detail {

/// One bit for each entity index and pool: set if the pool has had a member with this index since the bits
/// were last taken. A bit may stay set after the membership ends. So removing a component, which is far more
/// frequent than destroying an entity, costs nothing extra.
///
/// Bits are on pages by index. Each index has as many words as its pools need, rounded up to a power of two.
///
/// Invariants:
///   M1. Every held index has a page; other indices may have one. A page counts how often it is held.
///   M2. The words of an index are within its page, and no bit belongs to a pool beyond the reserved ones.
///
/// Threads: any number of readers, or one writer.
class Memberships {
 public:
  static constexpr std::uint32_t kIndicesPerPage = 1024;

  explicit Memberships(std::pmr::memory_resource* memory) : pages_(memory), holds_(memory) {}
  Memberships(const Memberships&) = delete;
  Memberships& operator=(const Memberships&) = delete;
  ~Memberships();

  /// Makes room for the bits of `count` pools.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Complexity: O(1); O(pages) each time the number of pools doubles from 64 on.
  void reserve_pools(std::uint32_t count);

  /// Ensures that `count` indices from `first` on have pages, until `let_go`.
  /// Errors: std::bad_alloc; nothing is held then.
  void hold(std::uint32_t first, std::uint32_t count);

  /// Frees all pages, held ones included, and resets all bits.
  void reset() noexcept;

  /// Reverts a `hold` of the same indices. The pool must not have a member with one of them any more.
  void let_go(std::uint32_t first, std::uint32_t count) noexcept;

  /// The position of one pool's bits.
  class Mark {
   public:
    explicit Mark(std::uint32_t pool) : bit_(std::uint64_t{1} << pool % 64), word_(pool / 64) {}

   private:
    friend class Memberships;
    std::uint64_t bit_;
    std::uint32_t word_;
  };

  /// Records that the entity of an index has joined a pool.
  /// Contract: the index is held, and the pool is reserved.
  void add(std::uint32_t index, const Mark& mark) noexcept { *word_of(index, mark) |= mark.bit_; }

  /// Contract: as `add`.
  void remove(std::uint32_t index, const Mark& mark) noexcept { *word_of(index, mark) &= ~mark.bit_; }

  /// Returns: whether the bit is set.
  bool contains(std::uint32_t index, const Mark& mark) const noexcept {
    return has_page(index) && (*word_of(index, mark) & mark.bit_) != 0;
  }

  /// Calls `visit(pool)` for each pool that the entity of an index has been in, and resets the bits.
  /// Complexity: O(pools that it has been in + pools / 64).
  template <class Visit>
  void take(std::uint32_t index, Visit visit) noexcept {
    if (!has_page(index)) return;
    std::uint64_t* const words = words_of(index);
    std::uint64_t* const end = words + words_in_use_;
    for (std::uint64_t* word = words; word != end; ++word) {
      if (*word == 0) continue;
      const auto first = static_cast<std::uint32_t>(word - words) * 64;
      for (std::uint64_t bits = std::exchange(*word, 0); bits != 0; bits &= bits - 1) {
        visit(first + static_cast<std::uint32_t>(std::countr_zero(bits)));
      }
    }
  }

  MemoryUse memory_use() const noexcept;

  /// Frees the pages that no pool holds, with their bits.
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
  std::pmr::memory_resource* memory() const { return pages_.get_allocator().resource(); }

  // By index / kIndicesPerPage; null if the page does not exist.
  std::pmr::vector<std::uint64_t*> pages_;
  std::pmr::vector<std::uint32_t> holds_;  // By page.
  std::uint32_t pools_ = 0;
  std::uint32_t words_in_use_ = 0;  // Words of an index that hold bits of pools.
  std::uint32_t stride_bits_ = 0;   // An index has 1 << stride_bits_ words.
};

}  // namespace strata::detail
