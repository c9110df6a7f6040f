// The workload known as add_remove of ecs_bench_suite, in a sparse set: the component is added to all
// entities, then removed from all.
#include "prepared.hpp"
#include "questions.hpp"
#include "support/sizes.hpp"
#include "toggle.hpp"

namespace strata::bench {

void ask_toggle_sparse_two_passes(Suite& suite, std::size_t n) {
  auto& question = ask_of_size<CountOrSpan>(suite, "core/toggle_sparse_two_passes", n);
  question.limit(toggle_in_set<Burning, Passes::two>);
  question.answer("strata", toggle_in_world<Burning, Passes::two>).at_most(4.5);
  question.answer("prepared", toggle_prepared<Burning, Passes::two>).at_most(3.5);
}

}  // namespace strata::bench
