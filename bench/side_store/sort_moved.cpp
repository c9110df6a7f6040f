// The workload of a pool that is kept in order while some of its values jump: a hundred belong anywhere else.
#include "keys.hpp"
#include "questions.hpp"
#include "support/sizes.hpp"

namespace strata::bench {
namespace {

/// As a game would, a tenth of the pool in each frame, until all is in order.
void sort_in_steps(World& world) {
  const std::size_t budget = world.size() / 10;
  while (!world.sort_step<Distance>(kNearer, budget)) {
  }
}

}  // namespace

void ask_sort_moved(Suite& suite, std::size_t n) {
  auto& question = ask_of_size<Keys>(suite, "side_store/sort_moved", n, [n] { return keys_with_moved(n); });
  question.limit(sort_by_hand([](PackedKeys& packed) { packed.insertion_sort(); }));
  question.answer("steps", sort_in_world(sort_in_steps)).at_most(3);
  question.answer("insertion",
                  sort_in_world([](World& world) { world.sort<Distance>(kNearer, sorting::Insertion{}); }));
  question.answer("stable", sort_in_world([](World& world) { world.sort<Distance>(kNearer); }));
}

}  // namespace strata::bench
