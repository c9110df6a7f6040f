// The workload of a query that joins tables with a sparse set: positions and velocities in tables, of those
// entities that are burning, which the side store knows. Nearest to skypjack/entt
// IterateTwoComponents1MHalf.
#include <algorithm>
#include <numeric>
#include <random>

#include "motion.hpp"
#include "questions.hpp"
#include "support/random.hpp"
#include "support/sizes.hpp"

namespace strata::bench {
namespace {

using Burners = Swarm<With<Burning>>;

/// The limit goes through a list of indices in ascending order, the best one. Which they are is random.
std::shared_ptr<Arrays> arrays_with_chosen(std::size_t n, std::size_t percent) {
  std::mt19937 random(31);
  std::vector<std::uint32_t> all(n);
  std::iota(all.begin(), all.end(), 0u);
  std::vector<std::uint32_t> moving = chosen(random, std::move(all), n * percent / 100);
  std::sort(moving.begin(), moving.end());
  return std::make_shared<Arrays>(n, std::move(moving));
}

/// The entities catch fire in the given order.
Work iterate(Arrays& arrays, const std::vector<std::uint32_t>& order) {
  const auto swarm = std::make_shared<Burners>();
  swarm->populate(arrays.size());
  for (const std::uint32_t i : order) swarm->world().add<Burning>(swarm->entities()[i]);
  return step_swarm(swarm, arrays, &Burners::step_each);
}

Work iterate_ascending(Arrays& arrays) {
  return iterate(arrays, arrays.moving());
}

Work iterate_any_order(Arrays& arrays) {
  std::mt19937 random(37);
  return iterate(arrays, chosen(random, arrays.moving(), arrays.moving().size()));
}

void ask(Suite& suite, const char* path, std::size_t n, std::size_t percent) {
  const auto make = [n, percent] { return arrays_with_chosen(n, percent); };
  auto& question = ask_of_size<Arrays>(suite, path, n, make);
  question.count_items([](const Arrays& arrays) { return arrays.moving().size(); });
  question.limit(step_arrays);
  question.answer("in_order", iterate_ascending).at_most(2);
  question.answer("any_order", iterate_any_order).at_most(2);
}

}  // namespace

void ask_sparse_filter(Suite& suite, std::size_t n) {
  ask(suite, "query/sparse_filter_1pct", n, 1);
  ask(suite, "query/sparse_filter_50pct", n, 50);
}

}  // namespace strata::bench
