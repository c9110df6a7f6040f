// Population: entities with a position and a velocity in a world, and whether they are still as created.
#pragma once

#include <cstddef>
#include <cstdint>
#include <strata/strata.hpp>
#include <vector>

#include "support/particles.hpp"
#include "support/work.hpp"

namespace strata::bench {

using Handles = std::vector<Entity>;
using Numbers = std::vector<std::uint32_t>;

/// Creates n entities; the i-th has the values of the i-th particle.
void populate(World& world, std::size_t n, Handles& entities);

/// Returns: a random order of the numbers below n, the same every time.
Numbers shuffled(std::size_t n);

/// Returns: what is wrong with the world as a whole, if it is to have so many entities.
Complaint wrong_world(const World& world, const Handles& entities);

/// Returns: the first entity that is not the particle of its index, or what is wrong with the world.
Complaint wrong_particles(const World& world, const Handles& entities);

}  // namespace strata::bench
