// The workload known as iterating two components: skypjack/entt IterateTwoComponents1M, ecs_bench_suite
// simple_iter, the movement of abeimler/ecs_benchmark SystemsUpdate.
#include "motion.hpp"
#include "questions.hpp"
#include "support/sizes.hpp"

namespace strata::bench {
namespace {

using All = Swarm<>;

Work iterate(Arrays& arrays, void (All::*step)()) {
  const auto swarm = std::make_shared<All>();
  swarm->populate(arrays.size());
  return step_swarm(swarm, arrays, step);
}

}  // namespace

void ask_iterate_2(Suite& suite, std::size_t n) {
  const double bar = 1.05;
  auto& question = ask_of_size<Arrays>(suite, "query/iterate_2", n);
  question.limit(step_arrays);
  question.answer("each", [](Arrays& arrays) { return iterate(arrays, &All::step_each); }).at_most(bar);
  question.answer("each_block", [](Arrays& arrays) { return iterate(arrays, &All::step_each_block); })
      .at_most(bar);
}

}  // namespace strata::bench
