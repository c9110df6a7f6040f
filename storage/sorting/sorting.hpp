// strata::sorting: types that a caller passes to choose how a pool (sparse set) is sorted.
#pragma once

#include <cstddef>
#include <iterator>
#include <utility>

namespace strata::sorting {

/// An algorithm for ByPermutation, InPlace and BySwaps: sorts [first, last) by swapping elements with `iter_swap` only.
/// Whatever `less` returns, the algorithm stays in range and terminates. If `less` throws, all elements are still
/// present, in some order.
/// Complexity: O(n log n).
/// Source: introspective sort (D. Musser, Introspective Sorting and Selection Algorithms, 1997).
struct QuickSort {
  template <class Iterator, class Less>
  void operator()(Iterator first, Iterator last, Less less) const {
    struct Range {
      Iterator first, last;
      int splits_left;
    };
    // When a range is split into two parts, the larger part waits in this array, and the smaller part, which has at
    // most half of the elements, is sorted first. So the array needs no more entries than std::ptrdiff_t has bits.
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

  /// Chooses a pivot: the median of the second, the middle and the last element. Moves elements that are less
  /// before the pivot, and greater ones behind it; equal ones may get to either side.
  /// Returns: the final position of the pivot.
  /// Contract: there are at least two elements.
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

// The ways to sort a pool: the types that a caller passes to choose one. An `Algorithm` is called as
// algorithm(first, last, less), like std::sort, and must only permute the elements. A lambda that forwards
// these arguments to std::sort is sufficient.

/// The default way to sort a pool, and the fastest. Members that compare equal keep their order. Numeric keys are
/// sorted by radix sort or, if the pool has at most 256 members, by merge sort. If there are no numeric keys, merge
/// sort sorts the entities or the values, depending on which of them the caller's function takes. For values, it sorts
/// copies of them or, if values have more than 16 bytes or cannot be copied as bytes, their addresses. After sorting,
/// the members are moved. Allocates up to 60 bytes per member and, for values of up to 64 bytes, room for a copy of
/// each value.
struct Stable {};

/// A way to sort a pool: applies `algorithm` to an array of records, and then moves the members to the order of the
/// records. A record has the position of a member and what is compared: the entity, a copy of the member's value or, if
/// the value has more than 16 bytes or cannot be copied as bytes, its address. If `less` throws, the pool is unchanged.
template <class Algorithm = QuickSort>
struct ByPermutation {
  Algorithm algorithm{};
};
template <class Algorithm>
ByPermutation(Algorithm) -> ByPermutation<Algorithm>;

/// A way to sort a pool: applies `algorithm` to the pool's own array of entities, and then moves each value
/// once along the cycles of the permutation. Allocates nothing for values of up to 1024 bytes. While the pool is being
/// sorted, look-ups in it fail. So a `less` that takes entities cannot look up their values in this pool: to compare
/// these values, use a `less` that takes values.
///
/// If `less` throws, the algorithm cannot be interrupted, because the algorithm may hold a member in a local variable,
/// outside of the array. So the exception is stored, and `less` returns false from then on. When the algorithm has
/// ended, the members are restored to their old order.
/// Contract: the algorithm stays in range and terminates even if `less` returns false from some call on. This holds for
/// algorithms whose loops end as soon as `less` returns false: QuickSort, heap sort, merge sort, insertion sort, and
/// std::sort of libstdc++.
template <class Algorithm = QuickSort>
struct InPlace {
  Algorithm algorithm{};
};
template <class Algorithm>
InPlace(Algorithm) -> InPlace<Algorithm>;

/// A way to sort a pool: each swap of the algorithm exchanges two members with their values, so `less` may look up
/// members and values in the pool. If `less` may throw, allocates 4 bytes per member, to restore the order after an
/// exception. Allocates memory for one value if values have more than 1024 bytes or an alignment above 64.
/// Contract: the algorithm swaps elements with `iter_swap` only, as QuickSort does, because the iterators give only
/// read access to elements.
template <class Algorithm = QuickSort>
struct BySwaps {
  Algorithm algorithm{};
};
template <class Algorithm>
BySwaps(Algorithm) -> BySwaps<Algorithm>;

/// A way to sort a pool whose members are nearly sorted: one pass finds the members that are out of order, and moves
/// each to its place, together with following members that belong to the same place. Members that compare equal keep
/// their order.
/// Complexity: O(members) if already sorted; O(members * members) in the worst case.
struct Insertion {};

}  // namespace strata::sorting
