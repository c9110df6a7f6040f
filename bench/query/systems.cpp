// What a schedule costs beside the work of its systems: a hundred systems that find nothing to do, and twenty that visit
// a thousand entities each, on one thread and on two.
#include <algorithm>
#include <array>
#include <strata/strata.hpp>
#include <utility>

#include "support/suite.hpp"
#include "support/thread_pool.hpp"

namespace strata::bench::systems {
namespace {

template <std::size_t number>
struct Value {
  float value;
};

/// A hundred lists without elements, and as many functions that visit one each.
struct EmptyLists {
  static constexpr std::size_t kSystems = 100;

  EmptyLists() {
    for (std::vector<float>& list : lists) {
      functions.emplace_back([&list] {
        for (float& value : list) value += 1;
      });
    }
  }

  void step() {
    for (const auto& function : functions) function();
  }

  std::array<std::vector<float>, kSystems> lists;
  std::vector<std::function<void()>> functions;
};

/// A hundred systems over components that no entity has. Each is a stage of its own (`in_turn`), or all are one stage.
Work run_empty(bool in_turn) {
  struct Empty {
    World world;
    Schedule schedule{world};
    float sum = 0;
  };
  const auto empty = std::make_shared<Empty>();
  for (std::size_t i = 0; i < EmptyLists::kSystems; ++i) {
    if (in_turn) {
      empty->schedule.add([](Value<0>& value) { value.value += 1; });
    } else {
      empty->schedule.add([&sum = empty->sum](const Value<0>& value) { sum += value.value; });
    }
  }
  return {.step = [empty] { empty->schedule.run(); }};
}

/// A world in which twenty systems visit all entities, each with a component of its own. They are one stage.
class TwentySystems {
 public:
  static constexpr std::size_t kSystems = 20;

  TwentySystems(std::size_t entities, std::size_t workers) : pool_(workers) {
    for (std::size_t i = 0; i < entities; ++i) {
      const Entity entity = world_.create();
      for_numbers<kSystems>([&]<std::size_t number>() { world_.add(entity, Value<number>{float(number)}); });
    }
    for_numbers<kSystems>(
        [&]<std::size_t number>() { schedule_.add([](Value<number>& value) { value.value += 1; }); });
    if (workers > 1) schedule_.set_executor(&pool_);
  }

  void step() {
    schedule_.run();
    steps_ += 1;
  }
  Complaint check() {
    bool is_right = true;
    for_numbers<kSystems>([&]<std::size_t number>() {
      world_.query<const Value<number>>().each([&](const Value<number>& value) {
        is_right = is_right && value.value == std::min(float(number) + steps_, float(1 << 24));
      });
    });
    return is_right ? "" : "a system has not visited all entities in each step";
  }

 private:
  ThreadPool pool_;
  World world_;
  Schedule schedule_{world_};
  float steps_ = 0;
};

void ask_systems(Suite& suite) {
  constexpr std::size_t kSystems = EmptyLists::kSystems;
  auto& empty = suite.ask<EmptyLists>("query/empty_systems/" + std::to_string(kSystems), kSystems,
                                      [] { return std::make_shared<EmptyLists>(); });
  empty.limit(work_of_data<EmptyLists>);
  empty.answer("one_stage", [](EmptyLists&) { return run_empty(false); }).at_most_ns(20);
  empty.answer("in_turn", [](EmptyLists&) { return run_empty(true); }).at_most_ns(20);
  for (const std::size_t entities : {10, 1'000, 100'000}) {
    auto& twenty = suite.ask<EntityCount>("query/twenty_systems/" + std::to_string(entities),
                                          entities * TwentySystems::kSystems,
                                          [entities] { return std::make_shared<EntityCount>(entities); });
    const auto run_on = [](std::size_t workers) {
      return [workers](EntityCount& data) { return work_by<TwentySystems>(data.n, workers); };
    };
    twenty.limit(run_on(1));
    Answer& answer = twenty.answer("two_threads", run_on(2));
    if (entities >= 1'000) answer.at_most(1.0);
  }
}

const Family kFamily(ask_systems);

}  // namespace
}  // namespace strata::bench::systems
