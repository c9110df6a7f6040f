// The workload of fragmented iteration at large: SanderMertens/ecs_benchmark iterates over subsets of
// components by a flipped coin (cached_10_components_1_term). As iterate_2, with the entities spread over
// the 1,024 archetypes that five tags and five components make. The limit is that of iterate_2, not
// fragmented at all.
#include <utility>

#include "motion.hpp"
#include "questions.hpp"
#include "support/sizes.hpp"

namespace strata::bench {
namespace {

template <std::size_t k>
struct Tag {};

template <std::size_t k>
struct Extra {
  float value;
};

constexpr std::size_t kOfEach = 5;
constexpr std::size_t kSubsets = std::size_t{1} << (2 * kOfEach);

/// Gives the entity a tag for each of the lower bits and a component for each of the upper bits.
template <std::size_t... k>
void equip(World& world, Entity entity, std::size_t subset, std::index_sequence<k...>) {
  const auto has = [subset](std::size_t bit) { return (subset >> bit & 1) != 0; };
  ((has(k) ? void(world.add<Tag<k>>(entity)) : void()), ...);
  ((has(kOfEach + k) ? void(world.add<Extra<k>>(entity)) : void()), ...);
}

Work iterate(Arrays& arrays) {
  const auto swarm = std::make_shared<Swarm<>>();
  swarm->populate(arrays.size());
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    equip(swarm->world(), swarm->entities()[i], i % kSubsets, std::make_index_sequence<kOfEach>());
  }
  return step_swarm(swarm, arrays, &Swarm<>::step_each);
}

}  // namespace

void ask_frag_1024(Suite& suite, std::size_t n) {
  auto& question = ask_of_size<Arrays>(suite, "query/frag_1024", n);
  question.limit(step_arrays);
  question.answer("each", iterate).at_most(bar_of(n, 3, 1.05));
}

}  // namespace strata::bench
