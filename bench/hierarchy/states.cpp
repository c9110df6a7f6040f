// States: a subtree that is disabled and enabled, and a cascade while others are disabled.
//
// The limits are strata without states: as many rows moved by a tag that is added and removed, and the nodes that are
// left, in a world of their own.
#include <memory>
#include <strata/strata.hpp>
#include <vector>

#include "support/suite.hpp"

namespace strata::bench::states {
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

/// A world of units: trees of kUnit nodes, each with up to kChildren children.
struct Units {
  explicit Units(std::size_t nodes) {
    std::vector<std::uint32_t> parents;
    for (std::size_t i = 0; i < nodes; ++i) {
      const std::size_t node = i % kUnit;
      parents.push_back(node == 0 ? kNoParent
                                  : static_cast<std::uint32_t>(i - node + (node - 1) / kChildren));
    }
    entities = world.build_hierarchy(parents, Near{}, Far{}).entities;
  }

  World world;
  std::vector<Entity> entities;
};

Work tag_unit(std::size_t& nodes) {
  return work_on(
      std::make_shared<Units>(nodes),
      [](Units& units) {
        for (std::size_t i = 0; i < kUnit; ++i) units.world.add(units.entities[i], Hidden{});
        for (std::size_t i = 0; i < kUnit; ++i) units.world.remove<Hidden>(units.entities[i]);
      },
      [](Units& units) { return units.world.has<Hidden>(units.entities[1]) ? "a tag is left" : ""; });
}

Work disable_unit(std::size_t& nodes) {
  return work_on(
      std::make_shared<Units>(nodes),
      [](Units& units) {
        units.world.disable_subtree(units.entities[0]);
        units.world.enable_subtree(units.entities[0]);
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

Work cascade_of_half(std::size_t& nodes) {
  return cascade(std::make_shared<Units>(nodes / 2), nodes / 2);
}

Work cascade_beside_disabled(std::size_t& nodes) {
  const auto units = std::make_shared<Units>(nodes);
  for (std::size_t root = nodes / 2; root < nodes; root += kUnit)
    units->world.disable_subtree(units->entities[root]);
  return cascade(units, nodes / 2);
}

const Family kFamily([](Suite& suite) {
  for (const std::size_t n : {10'000u, 100'000u}) {
    ask_of_size<std::size_t>(suite, "hierarchy/disable_subtree", n)
        .count_items([](const std::size_t&) { return 2 * kUnit; })
        .limit(tag_unit)
        .answer("strata", disable_unit)
        .at_most(1);
    ask_of_size<std::size_t>(suite, "hierarchy/cascade_disabled", n)
        .count_items([](const std::size_t& nodes) { return nodes / 2; })
        .limit(cascade_of_half)
        .answer("strata", cascade_beside_disabled)
        .at_most(1.05);
  }
});

}  // namespace
}  // namespace strata::bench::states
