// Sizes: the numbers of entities that the questions about entities and queries are asked for.
#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>

#include "suite.hpp"

namespace strata::bench {

/// The smallest is for the tests, which want a right result and no figure.
inline constexpr std::size_t kSizes[] = {1'000, 10'000, 1'000'000};

/// Returns: the bar for n entities, of those for 10,000 and for 1,000,000.
inline double bar_of(std::size_t n, double small, double large) {
  return n < kSizes[2] ? small : large;
}

/// Asks `path`/n, about data that is made of n; only on demand for the smallest n.
template <class Data>
Question<Data>& ask_of_size(Suite& suite, const std::string& path, std::size_t n,
                            std::function<std::shared_ptr<Data>()> make) {
  auto& question = suite.ask<Data>(path + "/" + std::to_string(n), n, std::move(make));
  if (n == kSizes[0]) question.only_on_demand();
  return question;
}
template <class Data>
Question<Data>& ask_of_size(Suite& suite, const std::string& path, std::size_t n) {
  return ask_of_size<Data>(suite, path, n, [n] { return std::make_shared<Data>(n); });
}

/// Asks each question for all sizes.
inline void ask_for_sizes(Suite& suite, std::initializer_list<void (*)(Suite&, std::size_t)> questions) {
  for (const auto ask : questions) {
    for (const std::size_t n : kSizes) ask(suite, n);
  }
}

}  // namespace strata::bench
