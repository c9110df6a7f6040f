// Population: entities with a position and a velocity in a world, and whether they are still as created.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <strata/strata.hpp>
#include <string>
#include <utility>
#include <vector>

#include "support/packed_set.hpp"
#include "support/particles.hpp"
#include "support/random.hpp"
#include "support/work.hpp"

namespace strata::bench {

using Handles = std::vector<Entity>;
using Numbers = std::vector<std::uint32_t>;

/// Returns: the numbers below n in a random order, the same every time.
inline Numbers shuffled(std::size_t n) {
  std::mt19937 random(23);
  return chosen(random, numbers_below(n), n);
}

/// A world that is made anew before a step, and its entities in the order of creation.
struct Population {
  void clear() {
    world.emplace();
    entities.clear();
  }

  /// Creates n entities; the i-th has the values of the i-th particle.
  void create(std::size_t n) {
    entities.reserve(n);
    for (std::size_t i = 0; i < n; ++i) entities.push_back(world->create(position_of(i), velocity_of(i)));
  }

  std::optional<World> world;
  Handles entities;
};

/// Returns: a population of n particles.
inline std::shared_ptr<Population> populated(std::size_t n) {
  const auto population = std::make_shared<Population>();
  population->clear();
  population->create(n);
  return population;
}

/// Returns: what is wrong with the world as a whole, if it is to have so many entities.
inline Complaint wrong_world(const World& world, const Handles& entities) {
  if (world.size() != entities.size()) {
    return "the world has " + std::to_string(world.size()) + " entities, not " +
           std::to_string(entities.size());
  }
  for (const Entity entity : entities) {
    if (!world.alive(entity)) return to_string(entity) + " is not alive";
  }
  return world.validate().message();
}

/// Returns: the first entity that is not the particle of its index, or what is wrong with the world.
inline Complaint wrong_particles(const World& world, const Handles& entities) {
  for (std::size_t i = 0; i < entities.size(); ++i) {
    const Position* const position = world.find<Position>(entities[i]);
    const Velocity* const velocity = world.find<Velocity>(entities[i]);
    const bool right = position != nullptr && *position == position_of(i) && velocity != nullptr &&
                       *velocity == velocity_of(i);
    if (!right) return to_string(entities[i]) + " does not have the values that it was created with";
  }
  return wrong_world(world, entities);
}

}  // namespace strata::bench
