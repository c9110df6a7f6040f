// Queries over the side store.
//
// sparse_filter: positions and velocities in tables, of those entities that are burning, which the side store knows; nearest
// to skypjack/entt IterateTwoComponents1MHalf. two_pools: positions and velocities in a pool each, whose members are in the
// same order or in different ones; nearest to skypjack/entt IterateTwoComponents1M.
#include <algorithm>
#include <numeric>
#include <random>

#include "motion.hpp"
#include "support/random.hpp"
#include "support/suite.hpp"

namespace strata::bench {
namespace {

/// A position and a velocity of the side store.
struct Place : Position {};
struct Drift : Velocity {};

}  // namespace
}  // namespace strata::bench

template <>
inline constexpr strata::Storage strata::storage_of<strata::bench::Place> = strata::Storage::sparse;
template <>
inline constexpr strata::Storage strata::storage_of<strata::bench::Drift> = strata::Storage::sparse;

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
  const auto swarm = std::make_shared<Burners>(arrays.size());
  for (const std::uint32_t i : order) swarm->world.add<Burning>(swarm->entities[i]);
  return step_beside(swarm, arrays, &Burners::step);
}

Work iterate_ascending(Arrays& arrays) {
  return iterate(arrays, arrays.moving());
}

Work iterate_any_order(Arrays& arrays) {
  std::mt19937 random(37);
  return iterate(arrays, chosen(random, arrays.moving(), arrays.moving().size()));
}

void ask_filter(Suite& suite, const char* path, std::size_t n, std::size_t percent) {
  const auto make = [n, percent] { return arrays_with_chosen(n, percent); };
  auto& question = ask_of_size<Arrays>(suite, path, n, make);
  question.count_items([](const Arrays& arrays) { return arrays.moving().size(); });
  question.limit(work_of_data<Arrays>);
  question.answer("in_order", iterate_ascending).at_most(2);
  question.answer("any_order", iterate_any_order).at_most(2);
}

void ask_sparse_filter(Suite& suite, std::size_t n) {
  ask_filter(suite, "query/sparse_filter_1pct", n, 1);
  ask_filter(suite, "query/sparse_filter_50pct", n, 50);
}

constexpr std::uint32_t kAbsent = 0xFFFF'FFFF;

/// Values of some of the numbers below n, packed, and a flat map from numbers to their rows.
template <class T>
struct Packed {
  explicit Packed(std::size_t n) : rows(n, kAbsent) {}

  void add(std::uint32_t number, const T& value) {
    rows[number] = static_cast<std::uint32_t>(numbers.size());
    numbers.push_back(number);
    values.push_back(value);
  }

  std::vector<std::uint32_t> rows;
  std::vector<std::uint32_t> numbers;
  std::vector<T> values;
};

/// The limit goes through the positions and looks the velocities up.
class Pair {
 public:
  Pair(std::size_t n, std::vector<std::uint32_t> velocity_order)
      : velocity_order_(std::move(velocity_order)), positions_(n), velocities_(n) {
    for (std::uint32_t i = 0; i < n; ++i) positions_.add(i, position_of(i));
    for (const std::uint32_t i : velocity_order_) velocities_.add(i, velocity_of(i));
  }

  void step() {
    ++steps_;
    const std::size_t size = positions_.numbers.size();
    for (std::size_t row = 0; row < size; ++row) {
      const std::uint32_t other = velocities_.rows[positions_.numbers[row]];
      if (other != kAbsent) move(positions_.values[row], velocities_.values[other]);
    }
  }

  std::uint64_t steps() const { return steps_; }
  const std::vector<Position>& positions() const { return positions_.values; }
  const std::vector<std::uint32_t>& velocity_order() const { return velocity_order_; }

 private:
  std::vector<std::uint32_t> velocity_order_;
  Packed<Position> positions_;
  Packed<Velocity> velocities_;
  std::uint64_t steps_ = 0;
};

/// The same entities in a world.
class Flock : public Moving<Place> {
 public:
  explicit Flock(const Pair& pair) : query_(world.query<Place, const Drift>()) {
    for (std::size_t i = 0; i < pair.positions().size(); ++i) {
      entities.push_back(world.create());
      world.add(entities.back(), Place{position_of(i)});
    }
    for (const std::uint32_t i : pair.velocity_order()) world.add(entities[i], Drift{velocity_of(i)});
  }

  void step() {
    ++steps;
    query_.each([](Place& place, const Drift& drift) { move(place, drift); });
  }

 private:
  Query<Place, const Drift> query_;
};

std::shared_ptr<Pair> make_pair(std::size_t n, bool shuffled) {
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0u);
  std::mt19937 random(41);
  if (shuffled) order = chosen(random, std::move(order), n);
  return std::make_shared<Pair>(n, std::move(order));
}

Work step_flock(Pair& pair) {
  return step_beside(std::make_shared<Flock>(pair), pair, &Flock::step);
}

void ask_pair(Suite& suite, const char* path, std::size_t n, bool shuffled) {
  auto& question = ask_of_size<Pair>(suite, path, n, [n, shuffled] { return make_pair(n, shuffled); });
  question.limit(work_of_data<Pair>);
  question.answer("", step_flock).at_most(1.5);
}

void ask_two_pools(Suite& suite, std::size_t n) {
  ask_pair(suite, "query/two_pools_in_order", n, false);
  ask_pair(suite, "query/two_pools_shuffled", n, true);
}

void ask_side_store(Suite& suite) {
  ask_for_sizes(suite, {ask_sparse_filter, ask_two_pools});
}

const Family kFamily(ask_side_store);

}  // namespace
}  // namespace strata::bench
