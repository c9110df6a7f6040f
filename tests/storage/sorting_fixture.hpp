// What the tests of sorting share: algorithms of the std::sort shape, and every way to sort.
#pragma once

#include <algorithm>
#include <cstddef>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../storage/sorting/pool_sorting.hpp"
#include "pool_fixture.hpp"

namespace strata::test {

struct StdSort {
  void operator()(auto first, auto last, auto less) const { std::sort(first, last, less); }
};
struct StdStableSort {
  void operator()(auto first, auto last, auto less) const { std::stable_sort(first, last, less); }
};
struct StdHeapSort {
  void operator()(auto first, auto last, auto less) const {
    std::make_heap(first, last, less);
    std::sort_heap(first, last, less);
  }
};

/// By swaps, with no help but iter_swap.
struct SelectionSort {
  void operator()(auto first, auto last, auto less) const {
    for (auto i = first; i != last; ++i) {
      for (auto j = i + 1; j != last; ++j) {
        if (less(*j, *i)) iter_swap(i, j);
      }
    }
  }
};

#define STRATA_WAYS_TO_SORT                                                                       \
  sorting::Stable, sorting::ByPermutation<>, sorting::ByPermutation<StdSort>, sorting::InPlace<>, \
      sorting::InPlace<StdSort>, sorting::InPlace<StdStableSort>, sorting::InPlace<StdHeapSort>,  \
      sorting::BySwaps<>, sorting::BySwaps<SelectionSort>, sorting::Insertion

template <class Way>
inline constexpr bool is_stable = false;
template <>
inline constexpr bool is_stable<sorting::Stable> = true;
template <>
inline constexpr bool is_stable<sorting::InPlace<StdStableSort>> = true;
template <>
inline constexpr bool is_stable<sorting::Insertion> = true;

/// What a comparison throws that has been called often enough.
struct Enough : std::runtime_error {
  Enough() : std::runtime_error("a comparison that was to throw") {}
};

/// A pool whose values are numbers below `different`; its entities are in random order, too.
template <class T>
struct NumberedPool : PoolFixture<T> {
  NumberedPool(std::size_t count, std::uint32_t different, unsigned seed = 1) {
    std::mt19937 random(seed);
    std::vector<std::uint32_t> indices;
    for (std::uint32_t i = 0; i < count; ++i) indices.push_back(i * 3);
    for (std::size_t i = count; i > 1; --i) std::swap(indices[i - 1], indices[random() % i]);
    for (const std::uint32_t index : indices) {
      this->insert(Entity(index, 1 + index % 5), static_cast<int>(random() % different));
    }
  }

  /// Members with their numbers, in their order.
  using Listed = std::vector<std::pair<int, Entity>>;
  Listed listed() const {
    Listed all;
    for (std::uint32_t i = 0; i < this->pool.size(); ++i) {
      all.emplace_back(this->number_at(i), this->pool.entities()[i]);
    }
    return all;
  }
};

inline constexpr auto kByNumber = [](const auto& a, const auto& b) { return number_in(a) < number_in(b); };

/// Returns: what is wrong with a pool that was sorted by number, and was `before` before; empty if nothing
/// is.
template <class Listed>
std::string wrong_order(Listed before, const Listed& after, bool stable) {
  const auto less = [](const auto& a, const auto& b) { return a.first < b.first; };
  if (!std::is_sorted(after.begin(), after.end(), less)) return "it is not sorted";
  std::stable_sort(before.begin(), before.end(), less);
  if (stable && before != after) return "equal ones have not kept their order";
  Listed others = after;
  std::sort(others.begin(), others.end());
  std::sort(before.begin(), before.end());
  return others == before ? "" : "a member was lost, or has another's value";
}

}  // namespace strata::test
