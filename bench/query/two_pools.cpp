// The workload of a query whose components are all in the side store: positions and velocities in a pool each,
// whose members are in the same order or in different ones. Nearest to skypjack/entt IterateTwoComponents1M.
#include <numeric>
#include <random>

#include "motion.hpp"
#include "questions.hpp"
#include "support/random.hpp"
#include "support/sizes.hpp"

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
class Flock {
 public:
  explicit Flock(const Pair& pair) : query_(world_.query<Place, const Drift>()) {
    for (std::size_t i = 0; i < pair.positions().size(); ++i) {
      entities_.push_back(world_.create());
      world_.add(entities_.back(), Place{position_of(i)});
    }
    for (const std::uint32_t i : pair.velocity_order()) world_.add(entities_[i], Drift{velocity_of(i)});
  }

  void step() {
    ++steps_;
    query_.each([](Place& place, const Drift& drift) { move(place, drift); });
  }

  /// Compares every position after equally many steps; the side that is behind catches up first.
  Complaint disagreement(Pair& pair) {
    while (pair.steps() < steps_) pair.step();
    while (steps_ < pair.steps()) step();
    for (std::size_t i = 0; i < entities_.size(); ++i) {
      if (world_.get<Place>(entities_[i]) == pair.positions()[i]) continue;
      return "the position of " + to_string(entities_[i]) + " is not the limit's after " +
             std::to_string(steps_) + " steps";
    }
    return "";
  }

 private:
  World world_;
  Query<Place, const Drift> query_;
  std::vector<Entity> entities_;
  std::uint64_t steps_ = 0;
};

std::shared_ptr<Pair> make_pair(std::size_t n, bool shuffled) {
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0u);
  std::mt19937 random(41);
  if (shuffled) order = chosen(random, std::move(order), n);
  return std::make_shared<Pair>(n, std::move(order));
}

Work step_limit(Pair& pair) {
  return {.step = [&pair] { pair.step(); }};
}

Work step_flock(Pair& pair) {
  const auto flock = std::make_shared<Flock>(pair);
  return {.step = [flock] { flock->step(); }, .check = [flock, &pair] { return flock->disagreement(pair); }};
}

void ask(Suite& suite, const char* path, std::size_t n, bool shuffled) {
  auto& question = ask_of_size<Pair>(suite, path, n, [n, shuffled] { return make_pair(n, shuffled); });
  question.limit(step_limit);
  question.answer("", step_flock).at_most(1.5);
}

}  // namespace

void ask_two_pools(Suite& suite, std::size_t n) {
  ask(suite, "query/two_pools_in_order", n, false);
  ask(suite, "query/two_pools_shuffled", n, true);
}

}  // namespace strata::bench
