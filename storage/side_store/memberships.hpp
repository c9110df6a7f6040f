// Memberships: which pools an entity has been in, so that destroying it asks those alone.
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

/// For each entity index, one bit for each pool that has had a member with it since it was last taken. A bit may
/// outlast the membership: taking a component away, which happens far more often than destroying, costs nothing.
///
/// Pages by index have as many words for each index as hold a bit for every pool: 1, 2, 4, 8, ...
///
/// Invariants:
///   M1. Every index that is held, and perhaps others, has a page; a page counts how often it is held.
///   M2. Each of an index's words is within its page, and no bit is of a pool that was never expected.
///
/// Threads: any number of readers, or one writer.
class Memberships {
 public:
  static constexpr std::uint32_t kIndicesPerPage = 1024;

  explicit Memberships(std::pmr::memory_resource* memory) : pages_(memory), holds_(memory) {}
  Memberships(const Memberships&) = delete;
  Memberships& operator=(const Memberships&) = delete;
  ~Memberships();

  /// Makes room for the bits of so many pools.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Complexity: O(1), but O(pages) as often as the pools double from 64 on.
  void reserve_pools(std::uint32_t count);

  /// Makes sure that there are pages for `count` indices from `first` on until they are let go.
  /// Errors: std::bad_alloc; nothing is held then.
  void hold(std::uint32_t first, std::uint32_t count);

  /// Frees all pages, held ones included: nothing is held or noted any more.
  void reset() noexcept;

  /// Takes back a `hold` of the same indices: no pool that held them has one of them any more.
  void let_go(std::uint32_t first, std::uint32_t count) noexcept;

  /// The place of one pool's bits.
  class Mark {
   public:
    explicit Mark(std::uint32_t pool) : bit_(std::uint64_t{1} << pool % 64), word_(pool / 64) {}

   private:
    friend class Memberships;
    std::uint64_t bit_;
    std::uint32_t word_;
  };

  /// Notes that the entity of an index has joined a pool.
  /// Contract: the index is held, the pool is expected.
  void add(std::uint32_t index, const Mark& mark) noexcept { *word_of(index, mark) |= mark.bit_; }

  /// Contract: as of `add`.
  void remove(std::uint32_t index, const Mark& mark) noexcept { *word_of(index, mark) &= ~mark.bit_; }

  /// Returns: whether the bit is set.
  bool contains(std::uint32_t index, const Mark& mark) const noexcept {
    return has_page(index) && (*word_of(index, mark) & mark.bit_) != 0;
  }

  /// Calls `visit(pool)` for each pool that the entity of an index has been in, and forgets them.
  /// Complexity: O(pools it has been in + pools / 64).
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

  /// Frees the pages that no pool holds, with the notes for their indices.
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

  // By index / kIndicesPerPage; null where none of the indices was ever held, or the page was given back.
  std::pmr::vector<std::uint64_t*> pages_;
  std::pmr::vector<std::uint32_t> holds_;  // Of each page.
  std::uint32_t pools_ = 0;
  std::uint32_t words_in_use_ = 0;  // Of each index: those with bits of pools.
  std::uint32_t stride_bits_ = 0;   // An index has 1 << stride_bits_ words.
};

}  // namespace strata::detail
