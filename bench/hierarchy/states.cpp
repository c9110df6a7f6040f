// States: a subtree that is disabled and enabled, and a cascade while others are disabled.
//
// The limits are strata without states: as many rows moved by a tag that is added and removed, and the nodes that are
// left, in a world of their own.
#include <memory>
#include <strata/strata.hpp>
#include <utility>
#include <vector>

#include "support/suite.hpp"

namespace strata::bench {
namespace {

constexpr std::size_t kUnit = 1'000;   // Nodes of a subtree that is disabled.
constexpr std::size_t kChildren = 10;  // Of a node.

struct Near {
  float x = 1;
};
struct Far {
  float x = 0;
};
struct Hidden {};

struct UnitCount {
  explicit UnitCount(std::size_t nodes) : n(nodes), units(nodes / kUnit) {}

  std::size_t n;
  std::size_t units;
};

/// A world of units: trees of kUnit nodes, each with up to kChildren children.
struct Units {
  explicit Units(std::size_t count) {
    std::vector<std::uint32_t> parents;
    for (std::size_t i = 0; i < count * kUnit; ++i) {
      const std::size_t node = i % kUnit;
      parents.push_back(node == 0 ? kNoParent
                                  : static_cast<std::uint32_t>(i - node + (node - 1) / kChildren));
    }
    entities = world.build_hierarchy(parents, Near{}, Far{}).entities;
  }
  Entity root(std::size_t unit) const { return entities[unit * kUnit]; }

  World world;
  std::vector<Entity> entities;
};

Work tag_unit(UnitCount& count) {
  return work_on(
      std::make_shared<Units>(count.units),
      [](Units& units) {
        for (std::size_t i = 0; i < kUnit; ++i) units.world.add(units.entities[i], Hidden{});
        for (std::size_t i = 0; i < kUnit; ++i) units.world.remove<Hidden>(units.entities[i]);
      },
      [](Units& units) { return units.world.has<Hidden>(units.entities[1]) ? "a tag is left" : ""; });
}

Work disable_unit(UnitCount& count) {
  return work_on(
      std::make_shared<Units>(count.units),
      [](Units& units) {
        units.world.disable_subtree(units.root(0));
        units.world.enable_subtree(units.root(0));
      },
      [](Units& units) {
        return units.world.disabled(units.entities[1]) ? "an entity is still disabled" : "";
      });
}

/// A step is a pass over all nodes of `units` that are enabled; there are `expected` of them.
Work cascade(std::shared_ptr<Units> units, std::size_t expected) {
  return summing(expected, [units, query = kept(units->world.query<const Near, Far, Parent<const Far>>())] {
    std::uint64_t visited = 0;
    query->cascade().each([&visited](const Near& near, Far& far, const Far* parent) {
      far.x = near.x + (parent != nullptr ? parent->x : 0);
      ++visited;
    });
    return visited;
  });
}

Work cascade_of_half(UnitCount& count) {
  return cascade(std::make_shared<Units>(count.units / 2), count.units / 2 * kUnit);
}

Work cascade_beside_disabled(UnitCount& count) {
  const auto units = std::make_shared<Units>(count.units);
  for (std::size_t unit = count.units / 2; unit < count.units; ++unit)
    units->world.disable_subtree(units->root(unit));
  return cascade(units, count.units / 2 * kUnit);
}

void ask_states_of(Suite& suite, std::size_t n) {
  auto& toggle = suite.ask<UnitCount>("hierarchy/disable_subtree/" + std::to_string(n), 2 * kUnit,
                                      [n] { return std::make_shared<UnitCount>(n); });
  toggle.limit(tag_unit);
  toggle.answer("strata", disable_unit).at_most(1);
  auto& pass = suite.ask<UnitCount>("hierarchy/cascade_disabled/" + std::to_string(n), n / 2,
                                    [n] { return std::make_shared<UnitCount>(n); });
  pass.limit(cascade_of_half);
  pass.answer("strata", cascade_beside_disabled).at_most(1.05);
}

void ask_states(Suite& suite) {
  for (const std::size_t n : {std::size_t{10'000}, std::size_t{100'000}}) ask_states_of(suite, n);
}

const Family kFamily(ask_states);

}  // namespace
}  // namespace strata::bench
