// Systems over few entities, where what a call costs before its first row counts most: ten systems, each with a query of its
// own, as a frame of a small game has them.
#include <array>

#include "motion.hpp"
#include "support/suite.hpp"

namespace strata::bench::small_world {
namespace {

constexpr std::size_t kSystems = 10;

/// Each system is a function of its own, so that none is folded into the loop of another.
template <std::size_t system>
[[gnu::noinline]] void run_on_arrays(Arrays& arrays) {
  arrays.step();
}

/// A world with these entities, and the queries of ten systems.
class SmallWorld : public Moving<> {
 public:
  explicit SmallWorld(std::size_t n) {
    for (auto& query : queries_) query = std::make_unique<Movers>(world.query<Position, const Velocity>());
    for (std::size_t i = 0; i < n; ++i) entities.push_back(world.create(position_of(i), velocity_of(i)));
  }

  void step() {
    for_numbers<kSystems>([this]<std::size_t system>() { run_each<system>(*queries_[system]); });
    steps += kSystems;
  }
  /// As above, row by row.
  void step_range_for() {
    for_numbers<kSystems>([this]<std::size_t system>() { run_range_for<system>(*queries_[system]); });
    steps += kSystems;
  }
  /// As `step`, with queries that are made for the call.
  void step_once() {
    for_numbers<kSystems>([this]<std::size_t system>() { run_once<system>(world); });
    steps += kSystems;
  }

 private:
  using Movers = Query<Position, const Velocity>;

  template <std::size_t system>
  [[gnu::noinline]] static void run_each(Movers& query) {
    query.each([](Position& position, const Velocity& velocity) { move(position, velocity); });
  }
  template <std::size_t system>
  [[gnu::noinline]] static void run_range_for(Movers& query) {
    for (auto [position, velocity] : query) move(position, velocity);
  }
  template <std::size_t system>
  [[gnu::noinline]] static void run_once(World& all) {
    all.query<Position, const Velocity>().each(
        [](Position& position, const Velocity& velocity) { move(position, velocity); });
  }

  std::array<std::unique_ptr<Movers>, kSystems> queries_;
};

auto run_by(void (SmallWorld::*step)()) {
  return [step](Arrays& arrays) {
    return step_beside(std::make_shared<SmallWorld>(arrays.size()), arrays, step);
  };
}

Work run_by_hand(Arrays& arrays) {
  return {.step = [&arrays] {
    for_numbers<kSystems>([&arrays]<std::size_t system>() { run_on_arrays<system>(arrays); });
  }};
}

void ask_small_world(Suite& suite, std::size_t n) {
  const auto make = [n] { return std::make_shared<Arrays>(n); };
  auto& kept = suite.ask<Arrays>("query/small_world/" + std::to_string(n), kSystems, make);
  kept.limit(run_by_hand);
  kept.answer("each", run_by(&SmallWorld::step));
  kept.answer("range_for", run_by(&SmallWorld::step_range_for));
  auto& once = suite.ask<Arrays>("query/query_once/" + std::to_string(n), kSystems, make);
  once.limit(run_by_hand);
  once.answer("each", run_by(&SmallWorld::step_once));
}

const Family kFamily([](Suite& suite) {
  for (const std::size_t n : {1, 10, 100, 1'000}) ask_small_world(suite, n);
});

}  // namespace
}  // namespace strata::bench::small_world
