// Random: choices that are the same with every compiler and standard library.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace strata::bench {

/// Returns: a number below `n`; std::uniform_int_distribution differs between standard libraries, this does not.
inline std::uint32_t below(std::mt19937& random, std::uint32_t n) {
  return static_cast<std::uint32_t>(std::uint64_t{random()} * n >> 32);
}

/// Returns: the numbers below `n`, in ascending order.
inline std::vector<std::uint32_t> numbers_below(std::size_t n) {
  std::vector<std::uint32_t> numbers(n);
  std::iota(numbers.begin(), numbers.end(), 0u);
  return numbers;
}

/// Returns: `count` different ones of `all`, or all of them if there are fewer, in random order.
template <class T>
std::vector<T> chosen(std::mt19937& random, std::vector<T> all, std::size_t count) {
  count = std::min(count, all.size());
  for (std::size_t i = 0; i < count; ++i) {
    std::swap(all[i], all[i + below(random, static_cast<std::uint32_t>(all.size() - i))]);
  }
  all.resize(count);
  return all;
}

}  // namespace strata::bench
