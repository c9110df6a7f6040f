#include "../../query/systems/system_order.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "../support/model_test.hpp"

namespace strata::test::system_order_test {

using namespace detail;

namespace {

using Indices = std::vector<SystemOrder::Index>;

/// Which systems run before which, found by trying all ways.
class Model {
 public:
  explicit Model(std::uint32_t count) : before_(count, std::vector<bool>(count)) {}

  bool runs_before(std::uint32_t first, std::uint32_t second) const {
    std::vector<bool> seen(before_.size());
    Indices open{first};
    while (!open.empty()) {
      const std::uint32_t system = open.back();
      open.pop_back();
      for (std::uint32_t next = 0; next < before_.size(); ++next) {
        if (!before_[system][next] || seen[next]) continue;
        if (next == second) return true;
        seen[next] = true;
        open.push_back(next);
      }
    }
    return false;
  }
  bool is_direct(std::uint32_t first, std::uint32_t second) const { return before_[first][second]; }
  void add(std::uint32_t first, std::uint32_t second) { before_[first][second] = true; }

  /// Returns: the order in which the lowest number that may come next comes next.
  Indices order() const {
    Indices order;
    while (order.size() < before_.size()) {
      for (std::uint32_t system = 0; system < before_.size(); ++system) {
        const auto is_done = [&](std::uint32_t other) {
          return std::find(order.begin(), order.end(), other) != order.end();
        };
        bool ready = !is_done(system);
        for (std::uint32_t other = 0; other < before_.size(); ++other)
          ready = ready && (!before_[other][system] || is_done(other));
        if (!ready) continue;
        order.push_back(system);
        break;
      }
    }
    return order;
  }
  std::uint32_t stage_of(std::uint32_t system) const {
    std::uint32_t stage = 0;
    for (std::uint32_t other = 0; other < before_.size(); ++other) {
      if (before_[other][system]) stage = std::max(stage, stage_of(other) + 1);
    }
    return stage;
  }

 private:
  std::vector<std::vector<bool>> before_;
};

bool is_declared_cycle(const Model& model, const Indices& cycle, std::uint32_t before, std::uint32_t after) {
  if (cycle.empty()) return false;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const std::uint32_t next = cycle[(i + 1) % cycle.size()];
    if (!model.is_direct(cycle[i], next) && !(cycle[i] == before && next == after)) return false;
  }
  return true;
}

/// Compares the finished order with the model.
Disagreement compare(const SystemOrder& order, const Model& model) {
  if (!std::ranges::equal(order.order(), model.order())) return "the order is another one";
  std::uint32_t stages = 0;
  for (std::uint32_t system = 0; system < order.count(); ++system) {
    stages = std::max(stages, model.stage_of(system) + 1);
    if (order.stage_of(system) != model.stage_of(system))
      return "system " + std::to_string(system) + " is in stage " + std::to_string(order.stage_of(system));
    Indices direct;
    for (std::uint32_t other = 0; other < order.count(); ++other) {
      if (order.runs_before(system, other) != model.runs_before(system, other))
        return std::to_string(system) + " before " + std::to_string(other) + " is answered wrongly";
      if (!model.runs_before(other, system)) continue;
      bool between = false;
      for (std::uint32_t third = 0; third < order.count(); ++third)
        between = between || (model.runs_before(other, third) && model.runs_before(third, system));
      if (!between) direct.push_back(other);
    }
    if (order.direct_predecessors(system) != direct) return "direct predecessors differ";
  }
  if (order.stage_count() != stages) return "the number of stages differs";
  return {};
}

Disagreement order_agrees(Bytes& bytes, Log& log) {
  if (!bytes.turn()) return {};
  const auto count = static_cast<std::uint32_t>(1 + bytes.below(bytes.chance(4) ? 130 : 9));
  SystemOrder order(count);
  Model model(count);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> conflicts;
  while (bytes.turn() && conflicts.size() < 60) {
    const auto first = static_cast<std::uint32_t>(bytes.below(count));
    const auto second = static_cast<std::uint32_t>(bytes.below(count));
    if (bytes.chance(2)) {
      log("declare ", first, " before ", second);
      const bool refused = first == second || model.runs_before(second, first);
      const Indices cycle = order.declare(first, second);
      if (cycle.empty() == refused) return "a cycle goes unnoticed, or there is none";
      if (refused && !is_declared_cycle(model, cycle, first, second)) return "the cycle was not declared";
      if (!refused) model.add(first, second);
    } else if (first != second) {
      conflicts.emplace_back(std::min(first, second), std::max(first, second));
    }
  }
  for (const auto& [first, second] : conflicts) {
    log("separate ", first, " and ", second);
    order.separate(first, second);
    if (!model.runs_before(second, first)) model.add(first, second);
  }
  order.finish();
  return compare(order, model);
}

}  // namespace

TEST_SUITE("query/system_order") {
  TEST_CASE("the lowest number comes first among those that may come next") {
    SystemOrder order(4);
    CHECK(order.declare(3, 0).empty());
    order.finish();
    CHECK(std::ranges::equal(order.order(), Indices{1, 2, 3, 0}));
    CHECK(order.stage_of(0) == 1);
    CHECK(order.stage_of(3) == 0);
    CHECK(order.stage_count() == 2);
  }
  TEST_CASE("conflicting systems keep the order of adding even if one of them has to wait") {
    SystemOrder order(3);
    CHECK(order.declare(2, 0).empty());
    order.separate(0, 1);
    order.finish();
    CHECK(std::ranges::equal(order.order(), Indices{2, 0, 1}));
  }
  TEST_CASE("a cycle of declarations is named from the declared one on") {
    SystemOrder order(4);
    CHECK(order.declare(0, 1).empty());
    CHECK(order.declare(1, 2).empty());
    CHECK(order.declare(2, 0) == Indices{0, 1, 2});
    CHECK(order.declare(3, 3) == Indices{3});
    CHECK(order.declare(2, 3).empty());
  }
  STRATA_MODEL_TEST("an order of systems agrees with one that tries all ways", order_agrees, .runs = 150,
                    .turns = 60);
}

}  // namespace strata::test::system_order_test
