// merge_sort: a stable sort of small records with few unpredictable branches.
#pragma once

#include <algorithm>
#include <cstddef>

namespace strata::detail {

/// Merges two sorted arrays of `half` records each, which are adjacent and begin at `from`, into the array
/// `to`. Fills `to` from both ends at once, `half` records from each end. The processor can do the work of both
/// ends in parallel. No test for the end of an array is needed, because neither array has more than `half` records.
/// Returns: false if `less` is inconsistent (no strict weak order). In this case, a record may be in `to` twice, and
/// another one missing.
/// Source: S. Chandra and others, quadsort's parity merge (github.com/scandum/quadsort).
template <class Record, class Less>
bool merge_from_both_ends(const Record* from, std::ptrdiff_t half, Record* to, Less& less) {
  // The indices in `from` of the next records: `a` and `x` are in the first array, `b` and `y` in the second. `a` and
  // `b` go up, `x` and `y` go down. No index leaves its array before the last of the `half` steps.
  std::ptrdiff_t a = 0, b = half;
  std::ptrdiff_t x = half - 1, y = 2 * half - 1;
  for (std::ptrdiff_t i = 0; i < half; ++i) {
    const bool second = less(from[b], from[a]);
    to[i] = from[second ? b : a];
    a += second ? 0 : 1;
    b += second ? 1 : 0;
    const bool first = less(from[y], from[x]);
    to[2 * half - 1 - i] = from[first ? x : y];
    x -= first ? 1 : 0;
    y -= first ? 0 : 1;
  }
  return a == x + 1 && b == y + 1;
}

/// Sorts `count` records stably; `spare` is memory for as many records. Allocates nothing. With an inconsistent
/// comparison, the sort stays in bounds and loses no record.
/// Returns: the array that holds the result: `records` or `spare`.
/// Errors: what `less` throws.
/// Complexity: O(n log n) comparisons.
/// Source: bottom-up merge sort (D. Knuth, The Art of Computer Programming, 5.2.4).
template <class Record, class Less>
Record* merge_sort(Record* records, Record* spare, std::size_t count, Less less) {
  constexpr std::size_t kRun = 8;
  for (std::size_t begin = 0; begin < count; begin += kRun) {
    const std::size_t end = std::min(begin + kRun, count);
    for (std::size_t i = begin + 1; i < end; ++i) {
      const Record record = records[i];
      std::size_t place = i;
      for (; place != begin && less(record, records[place - 1]); --place) records[place] = records[place - 1];
      records[place] = record;
    }
  }
  for (std::size_t width = kRun; width < count; width *= 2) {
    for (std::size_t begin = 0; begin < count; begin += 2 * width) {
      const Record* const first = records + begin;
      const Record* const middle = records + std::min(begin + width, count);
      const Record* const last = records + std::min(begin + 2 * width, count);
      Record* const to = spare + begin;
      if (middle == last || !less(*middle, *(middle - 1))) {
        std::copy(first, last, to);
      } else if (last - middle != middle - first || !merge_from_both_ends(first, middle - first, to, less)) {
        std::merge(first, middle, middle, last, to, less);
      }
    }
    std::swap(records, spare);
  }
  return records;
}

}  // namespace strata::detail
