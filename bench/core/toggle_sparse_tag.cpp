// As toggle_sparse_two_passes, of a component without a payload: SanderMertens/ecs_benchmark
// add_remove_1_tags, in a sparse set and in two passes.
#include "prepared.hpp"
#include "questions.hpp"
#include "support/sizes.hpp"
#include "toggle.hpp"

namespace strata::bench {

void ask_toggle_sparse_tag(Suite& suite, std::size_t n) {
  auto& question = ask_of_size<CountOrSpan>(suite, "core/toggle_sparse_tag", n);
  question.limit(toggle_in_set<Noticed, Passes::two>);
  question.answer("strata", toggle_in_world<Noticed, Passes::two>).at_most(4.5);
  question.answer("prepared", toggle_prepared<Noticed, Passes::two>).at_most(3);
}

}  // namespace strata::bench
