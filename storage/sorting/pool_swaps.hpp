// PoolSwaps: a range over a pool (sparse set) for sorting algorithms. Swapping its elements exchanges
// members.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory_resource>
#include <utility>

#include "../../core/scratch_array.hpp"
#include "pool_arranger.hpp"

namespace strata::detail {

/// A random-access range over the positions of a pool, for algorithms that sort by `iter_swap`. Swapping two elements
/// of the range exchanges the members at these positions, with their values. A reversible range also records the
/// original position of each member, so that `undo` can restore the order.
class PoolSwaps {
 public:
  /// If `reversible` is true, the range records the original position of each member, which takes 4 bytes per member.
  /// Errors: std::bad_alloc, if `reversible` is true.
  PoolSwaps(PoolArranger& arranger, bool reversible)
      : arranger_(arranger), origins_(reversible ? arranger.pool().size() : 0, arranger.memory()) {
    for (std::uint32_t i = 0; i < origins_.size(); ++i) origins_[i] = i;
  }

  /// Exchanges the members at two positions, with their values.
  void swap(std::uint32_t a, std::uint32_t b) noexcept {
    arranger_.swap(a, b);
    if (origins_.size() != 0) std::swap(origins_[a], origins_[b]);
  }

  /// Restores the original order.
  /// Contract: the range is reversible.
  void undo() noexcept {
    for (std::uint32_t i = 0; i < origins_.size(); ++i) {
      while (origins_[i] != i) swap(i, origins_[i]);
    }
  }

  /// An iterator over the positions. The member at a position can be read (see MemberOrder::at), and exchanged with
  /// another member by `iter_swap`.
  class Iterator {
   public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = std::uint32_t;
    using difference_type = std::ptrdiff_t;
    using pointer = const std::uint32_t*;
    using reference = std::uint32_t;

    Iterator() = default;
    Iterator(PoolSwaps& swaps, difference_type position) : swaps_(&swaps), position_(position) {}

    /// Returns: the position in the pool. MemberOrder::at returns the value or entity to compare.
    std::uint32_t operator*() const { return static_cast<std::uint32_t>(position_); }
    std::uint32_t operator[](difference_type n) const { return *(*this + n); }

    Iterator& operator+=(difference_type n) {
      position_ += n;
      return *this;
    }
    Iterator& operator-=(difference_type n) { return *this += -n; }
    Iterator& operator++() { return *this += 1; }
    Iterator& operator--() { return *this += -1; }
    Iterator operator++(int) {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    Iterator operator--(int) {
      const Iterator before = *this;
      --*this;
      return before;
    }
    friend Iterator operator+(Iterator it, difference_type n) { return it += n; }
    friend Iterator operator+(difference_type n, Iterator it) { return it += n; }
    friend Iterator operator-(Iterator it, difference_type n) { return it -= n; }
    friend difference_type operator-(Iterator a, Iterator b) { return a.position_ - b.position_; }
    friend bool operator==(Iterator a, Iterator b) { return a.position_ == b.position_; }
    friend auto operator<=>(Iterator a, Iterator b) { return a.position_ <=> b.position_; }
    friend void iter_swap(Iterator a, Iterator b) noexcept { a.swaps_->swap(*a, *b); }

   private:
    PoolSwaps* swaps_ = nullptr;
    difference_type position_ = 0;
  };

  Iterator begin() { return {*this, 0}; }
  Iterator end() { return {*this, static_cast<std::ptrdiff_t>(arranger_.pool().size())}; }

 private:
  PoolArranger& arranger_;
  ScratchArray<std::uint32_t> origins_;  // By position: the original position of the member.
};

}  // namespace strata::detail
