// Population: entities with a position and a velocity in a world, and whether they are still as created.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <strata/strata.hpp>
#include <vector>

#include "support/particles.hpp"
#include "support/work.hpp"

namespace strata::bench {

using Handles = std::vector<Entity>;
using Numbers = std::vector<std::uint32_t>;

/// The data of a question that needs to know no more than how many entities there are.
struct EntityCount {
  explicit EntityCount(std::size_t count) : n(count) {}

  std::size_t n;
};

/// A world that is made anew before a step, and its entities in the order of creation.
struct Population {
  void clear() {
    world.emplace();
    entities.clear();
  }

  /// Creates n entities; the i-th has the values of the i-th particle.
  void create(std::size_t n);

  std::optional<World> world;
  Handles entities;
};

/// Returns: a population of n particles.
std::shared_ptr<Population> populated(std::size_t n);

/// Returns: a random order of the numbers below n, the same every time.
Numbers shuffled(std::size_t n);

/// Returns: what is wrong with the world as a whole, if it is to have so many entities.
Complaint wrong_world(const World& world, const Handles& entities);

/// Returns: the first entity that is not the particle of its index, or what is wrong with the world.
Complaint wrong_particles(const World& world, const Handles& entities);

}  // namespace strata::bench
