// Systems over few entities, where what a call costs before its first row counts most: ten systems, each with a query of its
// own, as a frame of a small game has them.
#include <array>

#include "motion.hpp"
#include "support/suite.hpp"

namespace strata::bench {
namespace {

constexpr std::size_t kSystems = 10;

/// Runs ten functions of their own, so that none is folded into the loop of another.
template <class System>
void run_all(System run) {
  [&run]<std::size_t... system>(std::index_sequence<system...>) {
    (run.template operator()<system>(), ...);
  }
  (std::make_index_sequence<kSystems>());
}

template <std::size_t system>
[[gnu::noinline]] void run_on_arrays(Arrays& arrays) {
  arrays.step();
}

enum class Way : std::uint8_t {
  each,
  range_for,  ///< Row by row.
  once,       ///< With a query that is made for the call.
};

/// A world with these entities, and the queries of ten systems.
class SmallWorld : public Moving<> {
 public:
  explicit SmallWorld(std::size_t n) {
    for (auto& query : queries_) query = std::make_unique<Movers>(world.query<Position, const Velocity>());
    for (std::size_t i = 0; i < n; ++i) entities.push_back(world.create(position_of(i), velocity_of(i)));
  }

  template <Way way>
  void step_by() {
    run_all([this]<std::size_t system>() { run<way, system>(*queries_[system], world); });
    steps += kSystems;
  }
  void step() { step_by<Way::each>(); }

 private:
  using Movers = Query<Position, const Velocity>;

  template <Way way, std::size_t system>
  [[gnu::noinline]] static void run(Movers& query, World& all) {
    const auto move_one = [](Position& position, const Velocity& velocity) { move(position, velocity); };
    if constexpr (way == Way::each) {
      query.each(move_one);
    } else if constexpr (way == Way::range_for) {
      for (auto [position, velocity] : query) move(position, velocity);
    } else {
      all.query<Position, const Velocity>().each(move_one);
    }
  }

  std::array<std::unique_ptr<Movers>, kSystems> queries_;
};

template <Way way>
Work run(Arrays& arrays) {
  return step_beside(std::make_shared<SmallWorld>(arrays.size()), arrays, &SmallWorld::step_by<way>);
}

Work run_by_hand(Arrays& arrays) {
  return {.step = [&arrays] { run_all([&arrays]<std::size_t system>() { run_on_arrays<system>(arrays); }); }};
}

const Family kFamily([](Suite& suite) {
  for (const std::size_t n : {1, 10, 100, 1'000}) {
    const auto make = [n] { return std::make_shared<Arrays>(n); };
    const std::string size = std::to_string(n);
    auto& kept = suite.ask<Arrays>("query/small_world/" + size, kSystems, make);
    kept.limit(run_by_hand);
    kept.answer("each", run<Way::each>);
    kept.answer("range_for", run<Way::range_for>);
    auto& once = suite.ask<Arrays>("query/query_once/" + size, kSystems, make);
    once.limit(run_by_hand);
    once.answer("each", run<Way::once>);
  }
});

}  // namespace
}  // namespace strata::bench
