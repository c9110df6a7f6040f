// As iterate_2, over entities that have five components more, as those of ecs_bench_suite simple_iter have
// two and those of abeimler/ecs_benchmark SystemsUpdate have several: what a query does not ask for should
// cost it nothing.
#include "motion.hpp"
#include "questions.hpp"
#include "support/sizes.hpp"

namespace strata::bench {
namespace {

template <int k>
struct Ballast {
  float values[k];
};

Work iterate(Arrays& arrays) {
  const auto swarm = std::make_shared<Swarm<>>();
  swarm->populate(arrays.size());
  for (const Entity entity : swarm->entities()) {
    swarm->world().add<Health>(entity);
    swarm->world().add<Ballast<1>>(entity);
    swarm->world().add<Ballast<2>>(entity);
    swarm->world().add<Ballast<4>>(entity);
    swarm->world().add<Ballast<8>>(entity);
  }
  return step_swarm(swarm, arrays, &Swarm<>::step_each);
}

}  // namespace

void ask_iterate_7comps_of_2(Suite& suite, std::size_t n) {
  auto& question = ask_of_size<Arrays>(suite, "query/iterate_7comps_of_2", n);
  question.limit(step_arrays);
  question.answer("each", iterate).at_most(1.05);
}

}  // namespace strata::bench
