// sorting: the ways to sort a pool, and algorithms for them.
#pragma once

#include <cstddef>
#include <iterator>
#include <utility>

namespace strata::sorting {

/// Sorts [first, last) by exchanging elements, through `iter_swap` alone. Whatever `less` answers, it stays
/// in range and ends; should `less` throw, all elements are there, in some order.
/// Complexity: O(n log n).
/// Source: introspective sort (D. Musser, Introspective Sorting and Selection Algorithms, 1997).
struct QuickSort {
  template <class Iterator, class Less>
  void operator()(Iterator first, Iterator last, Less less) const {
    struct Range {
      Iterator first, last;
      int splits_left;
    };
    // The larger part waits: the next one to wait lies in the smaller, which is at most half.
    Range waiting[sizeof(std::ptrdiff_t) * 8];
    std::size_t count = 0;
    int splits = 4;
    for (auto size = last - first; size > 1; size /= 2) splits += 2;
    waiting[count++] = {first, last, splits};
    while (count != 0) {
      Range range = waiting[--count];
      while (range.last - range.first > kFew && range.splits_left-- > 0) {
        const Iterator middle = partition(range.first, range.last, less);
        Range larger{middle + 1, range.last, range.splits_left};
        range.last = middle;
        if (larger.last - larger.first < range.last - range.first) std::swap(larger, range);
        waiting[count++] = larger;
      }
      if (range.last - range.first > kFew) {
        heap_sort(range.first, range.last, less);
      } else {
        insertion_sort(range.first, range.last, less);
      }
    }
  }

 private:
  static constexpr std::ptrdiff_t kFew = 12;

  template <class Iterator>
  static void exchange(Iterator a, Iterator b) {
    using std::iter_swap;
    iter_swap(a, b);
  }

  /// Returns: where the first element comes to lie that was chosen to divide the others.
  template <class Iterator, class Less>
  static Iterator partition(Iterator first, Iterator last, Less& less) {
    Iterator a = first + 1, b = first + (last - first) / 2, c = last - 1;
    if (less(*b, *a)) std::swap(a, b);
    if (less(*c, *b)) b = less(*c, *a) ? a : c;
    exchange(first, b);
    Iterator low = first + 1, high = last;
    for (;;) {
      while (low < high && less(*low, *first)) ++low;
      while (low < high && less(*first, *(high - 1))) --high;
      if (high - low <= 1) break;
      exchange(low++, --high);
    }
    exchange(first, low - 1);
    return low - 1;
  }

  template <class Iterator, class Less>
  static void insertion_sort(Iterator first, Iterator last, Less& less) {
    if (first == last) return;
    for (Iterator i = first + 1; i != last; ++i) {
      for (Iterator j = i; j != first && less(*j, *(j - 1)); --j) exchange(j, j - 1);
    }
  }

  template <class Iterator, class Less>
  static void heap_sort(Iterator first, Iterator last, Less& less) {
    const auto count = last - first;
    for (auto i = count / 2; i-- > 0;) sift(first, i, count, less);
    for (auto end = count - 1; end > 0; --end) {
      exchange(first, first + end);
      sift(first, decltype(end){0}, end, less);
    }
  }

  template <class Iterator, class Distance, class Less>
  static void sift(Iterator first, Distance i, Distance count, Less& less) {
    for (Distance child = 2 * i + 1; child < count; child = 2 * i + 1) {
      if (child + 1 < count && less(first[child], first[child + 1])) ++child;
      if (!less(first[i], first[child])) return;
      exchange(first + i, first + child);
      i = child;
    }
  }
};

// The ways. An `Algorithm` is called as algorithm(first, last, less), as std::sort is, and only permutes the
// elements, so a lambda that passes all three on to std::sort will do.

/// Members that compare equal keep their order: merge sort of copies, or radix sort of keys that are numbers.
/// The fastest one; takes scratch memory of up to 60 bytes a member, and a copy of values of up to 64 bytes.
struct Stable {};

/// Sorts a list of values (or of pointers to them) and positions, then puts the members in that order.
template <class Algorithm = QuickSort>
struct ByPermutation {
  Algorithm algorithm{};
};
template <class Algorithm>
ByPermutation(Algorithm) -> ByPermutation<Algorithm>;

/// Sorts the dense array itself, then moves each value once along the cycles of what came of it: takes no
/// memory. While it sorts, the pool cannot be asked: let `less` compare values, instead of looking them up.
///
/// If `less` throws, the algorithm cannot be left at once, as it may hold a member. The exception is kept and
/// `less` answers false from then on; when the algorithm has ended, all members are there and go back.
/// Contract: the algorithm ends in range if `less` answers false from some call on. One does that relies on
/// `less` to end a loop only where false ends it: QuickSort, heaps, merges, insertion, std::sort of
/// libstdc++.
template <class Algorithm = QuickSort>
struct InPlace {
  Algorithm algorithm{};
};
template <class Algorithm>
InPlace(Algorithm) -> InPlace<Algorithm>;

/// Exchanges members and their values one pair at a time, so that the pool is whole at each comparison. Takes
/// no memory if `less` is noexcept; otherwise 4 bytes a member, to go back by.
/// Contract: the algorithm exchanges elements through `iter_swap` alone, as QuickSort does: the iterators
/// give elements to read only.
template <class Algorithm = QuickSort>
struct BySwaps {
  Algorithm algorithm{};
};
template <class Algorithm>
BySwaps(Algorithm) -> BySwaps<Algorithm>;

/// For members that are almost in order: one pass looks for those that are not, and brings them to their
/// places together with what goes the same way. Stable; O(n) if sorted already, O(n * n) at worst.
struct Insertion {};

}  // namespace strata::sorting
