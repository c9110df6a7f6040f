// Systems over few entities, where what a call costs before its first row counts most: ten systems, each with a query of its
// own, as a frame of a small game has them.
#include <array>
#include <memory>
#include <strata/strata.hpp>
#include <utility>

#include "motion.hpp"
#include "support/suite.hpp"

namespace strata::bench {
namespace {

constexpr std::size_t kSystems = 10;

/// Runs ten functions of their own, so that none is folded into the loop of another.
template <class System, std::size_t... system>
void run_all(System&& run, std::index_sequence<system...>) {
  (run.template operator()<system>(), ...);
}
template <class System>
void run_all(System&& run) {
  run_all(run, std::make_index_sequence<kSystems>());
}

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
    run_all([this]<std::size_t system>() { run_each<system>(*queries_[system]); });
    steps += kSystems;
  }
  /// As above, row by row.
  void step_range_for() {
    run_all([this]<std::size_t system>() { run_range_for<system>(*queries_[system]); });
    steps += kSystems;
  }
  /// As `step`, with queries that are made for the call.
  void step_once() {
    run_all([this]<std::size_t system>() { run_once<system>(world); });
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

Work run(Arrays& arrays, void (SmallWorld::*step)()) {
  return step_beside(std::make_shared<SmallWorld>(arrays.size()), arrays, step);
}

Work run_by_hand(Arrays& arrays) {
  return {.step = [&arrays] { run_all([&arrays]<std::size_t system>() { run_on_arrays<system>(arrays); }); }};
}

void ask(Suite& suite, std::size_t n) {
  const auto make = [n] { return std::make_shared<Arrays>(n); };
  const std::string size = std::to_string(n);
  auto& kept = suite.ask<Arrays>("query/small_world/" + size, kSystems, make);
  kept.limit(run_by_hand);
  kept.answer("each", [](Arrays& arrays) { return run(arrays, &SmallWorld::step); });
  kept.answer("range_for", [](Arrays& arrays) { return run(arrays, &SmallWorld::step_range_for); });
  auto& once = suite.ask<Arrays>("query/query_once/" + size, kSystems, make);
  once.limit(run_by_hand);
  once.answer("each", [](Arrays& arrays) { return run(arrays, &SmallWorld::step_once); });
}

void ask_small_world(Suite& suite) {
  for (const std::size_t n : {1, 10, 100, 1'000}) ask(suite, n);
}

const Family kFamily(ask_small_world);

}  // namespace
}  // namespace strata::bench
