// The workload of sorting again what has changed a little: EnTT's benchmark AlmostSorted.InsertionSort,
// nearest.
#include "keys.hpp"
#include "questions.hpp"
#include "support/sizes.hpp"

namespace strata::bench {

void ask_sort_almost(Suite& suite, std::size_t n) {
  auto& question =
      ask_of_size<Keys>(suite, "side_store/sort_almost", n, [n] { return almost_sorted_keys(n); });
  question.limit(sort_by_hand([](PackedKeys& packed) { packed.insertion_sort(); }));
  question
      .answer("insertion",
              sort_in_world([](World& world) { world.sort<Distance>(kNearer, sorting::Insertion{}); }))
      .at_most(bar_of(n, 2, 4));
  question.answer("stable", sort_in_world([](World& world) { world.sort<Distance>(kNearer); }));
  question.answer("key", sort_in_world([](World& world) { world.sort<Distance>(&Distance::metres); }));
  question.answer("in_place",
                  sort_in_world([](World& world) { world.sort<Distance>(kNearer, sorting::InPlace{}); }));
}

}  // namespace strata::bench
