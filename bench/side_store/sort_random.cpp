// The workload of sorting by a value that says nothing about the order before: EnTT's benchmark
// SortSingle.StdSort, at several sizes.
#include <algorithm>

#include "keys.hpp"
#include "questions.hpp"
#include "support/sizes.hpp"

namespace strata::bench {
namespace {

constexpr auto kStdSort = [](auto first, auto last, auto less) { std::sort(first, last, less); };

void sort_by_key(World& world) {
  world.sort<Distance>(&Distance::metres);
}

/// Each comparison looks two values up.
void sort_by_entities(World& world) {
  auto distances = world.accessor<const Distance>();
  world.sort<Distance>(
      [distances](Entity a, Entity b) mutable { return distances.get(a).metres < distances.get(b).metres; });
}

template <class Way>
auto sort_by(Way way) {
  return sort_in_world([way](World& world) { world.sort<Distance>(kNearer, way); });
}

}  // namespace

void ask_sort_random(Suite& suite, std::size_t n) {
  auto& question = ask_of_size<Keys>(suite, "side_store/sort_random", n, [n] { return random_keys(n); });
  question.limit(sort_by_hand([](PackedKeys& packed) { packed.sort(); }));
  question.answer("stable", sort_by(sorting::Stable{})).at_most(bar_of(n, 1.4, 1.6));
  question.answer("key", sort_in_world(sort_by_key));
  question.answer("by_entities", sort_in_world(sort_by_entities));
  question.answer("permutation", sort_by(sorting::ByPermutation{}));
  question.answer("permutation_std", sort_by(sorting::ByPermutation{kStdSort}));
  question.answer("in_place", sort_by(sorting::InPlace{}));
  question.answer("in_place_std", sort_by(sorting::InPlace{kStdSort}));
  question.answer("swaps", sort_by(sorting::BySwaps{}));
}

}  // namespace strata::bench
