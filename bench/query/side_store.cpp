// Queries over the side store.
//
// sparse_filter: positions and velocities in tables, of those entities that are burning, which the side store knows; nearest
// to skypjack/entt IterateTwoComponents1MHalf. two_pools: positions and velocities in a pool each, whose members are in the
// same order or in different ones; nearest to skypjack/entt IterateTwoComponents1M.
#include <algorithm>

#include "motion.hpp"
#include "support/random.hpp"
#include "support/suite.hpp"

namespace strata::bench::side_store {
namespace {

using Burners = Swarm<With<Burning>>;

/// The limit goes through a list of indices in ascending order, the best one. Which they are is random.
std::shared_ptr<Arrays> arrays_with_chosen(std::size_t n, std::size_t percent) {
  std::mt19937 random(31);
  std::vector<std::uint32_t> moving = chosen(random, numbers_below(n), n * percent / 100);
  std::sort(moving.begin(), moving.end());
  return std::make_shared<Arrays>(n, std::move(moving));
}

/// The entities catch fire in the given order.
Work iterate(Arrays& arrays, const std::vector<std::uint32_t>& order) {
  const auto swarm = std::make_shared<Burners>(arrays.size());
  for (const std::uint32_t i : order) swarm->world.add<Burning>(swarm->entities[i]);
  return step_beside(swarm, arrays, &Burners::step);
}

void ask_filter(Suite& suite, const char* path, std::size_t n, std::size_t percent) {
  const auto make = [n, percent] { return arrays_with_chosen(n, percent); };
  auto& question = ask_of_size<Arrays>(suite, path, n, make);
  question.count_items([](const Arrays& arrays) { return arrays.moving.size(); });
  question.limit(work_of_data<Arrays>);
  question.answer("in_order", [](Arrays& arrays) { return iterate(arrays, arrays.moving); }).at_most(2);
  const auto any_order = [](Arrays& arrays) {
    std::mt19937 random(37);
    return iterate(arrays, chosen(random, arrays.moving, arrays.moving.size()));
  };
  question.answer("any_order", any_order).at_most(2);
}

constexpr std::uint32_t kAbsent = 0xFFFF'FFFF;

/// The limit goes through the positions and looks the velocities up: values packed, the numbers that they belong to, and
/// for velocities a flat map from numbers to rows.
struct Pair {
  Pair(std::size_t n, std::vector<std::uint32_t> order)
      : numbers(numbers_below(n)), velocity_order(std::move(order)), velocity_rows(n, kAbsent) {
    for (std::size_t i = 0; i < n; ++i) positions.push_back(position_of(i));
    for (const std::uint32_t i : velocity_order) {
      velocity_rows[i] = static_cast<std::uint32_t>(velocities.size());
      velocities.push_back(velocity_of(i));
    }
  }

  void step() {
    ++steps;
    const std::size_t size = numbers.size();
    for (std::size_t row = 0; row < size; ++row) {
      const std::uint32_t other = velocity_rows[numbers[row]];
      if (other != kAbsent) move(positions[row], velocities[other]);
    }
  }

  std::vector<std::uint32_t> numbers;  // Of the positions.
  std::vector<Position> positions;
  std::vector<std::uint32_t> velocity_order;  // The numbers of the velocities.
  std::vector<Velocity> velocities;
  std::vector<std::uint32_t> velocity_rows;
  std::uint64_t steps = 0;
};

/// The same entities in a world.
class Flock : public Moving<PooledPosition> {
 public:
  explicit Flock(const Pair& pair) : query_(world.query<PooledPosition, const PooledVelocity>()) {
    for (std::size_t i = 0; i < pair.positions.size(); ++i) {
      entities.push_back(world.create());
      world.add(entities.back(), PooledPosition{position_of(i)});
    }
    for (const std::uint32_t i : pair.velocity_order) world.add(entities[i], PooledVelocity{velocity_of(i)});
  }

  void step() {
    ++steps;
    query_.each([](PooledPosition& position, const PooledVelocity& velocity) { move(position, velocity); });
  }

 private:
  Query<PooledPosition, const PooledVelocity> query_;
};

void ask_pair(Suite& suite, const char* path, std::size_t n, bool shuffled) {
  const auto make = [n, shuffled] {
    std::mt19937 random(41);
    return std::make_shared<Pair>(n, shuffled ? chosen(random, numbers_below(n), n) : numbers_below(n));
  };
  auto& question = ask_of_size<Pair>(suite, path, n, make);
  question.limit(work_of_data<Pair>);
  const auto step_flock = [](Pair& pair) {
    return step_beside(std::make_shared<Flock>(pair), pair, &Flock::step);
  };
  question.answer("", step_flock).at_most(1.5);
}

void ask_side_store(Suite& suite, std::size_t n) {
  ask_filter(suite, "query/sparse_filter_1pct", n, 1);
  ask_filter(suite, "query/sparse_filter_50pct", n, 50);
  ask_pair(suite, "query/two_pools_in_order", n, false);
  ask_pair(suite, "query/two_pools_shuffled", n, true);
}

const Family kFamily([](Suite& suite) { ask_for_sizes(suite, {ask_side_store}); });

}  // namespace
}  // namespace strata::bench::side_store
