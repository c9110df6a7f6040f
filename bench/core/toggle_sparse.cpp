// The workload known as adding and removing a component, entity by entity, for one that is meant to come and
// go: abeimler/ecs_benchmark RemoveAddComponent and SanderMertens/ecs_benchmark add_remove_1_components, in
// a sparse set.
#include "prepared.hpp"
#include "questions.hpp"
#include "support/sizes.hpp"
#include "toggle.hpp"

namespace strata::bench {

void ask_toggle_sparse(Suite& suite, std::size_t n) {
  auto& question = ask_of_size<CountOrSpan>(suite, "core/toggle_sparse", n);
  question.limit(toggle_in_set<Burning, Passes::one>);
  question.answer("strata", toggle_in_world<Burning, Passes::one>).at_most(5.5);
  question.answer("prepared", toggle_prepared<Burning, Passes::one>).at_most(4);
}

}  // namespace strata::bench
