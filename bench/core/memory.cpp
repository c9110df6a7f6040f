// What an entity with two components of 12 bytes takes in all.
#include "population.hpp"
#include "questions.hpp"
#include "support/counting_memory.hpp"
#include "support/sizes.hpp"

namespace strata::bench {
namespace {

/// Bytes of the limit: the two components and a handle.
constexpr double kByHand = sizeof(Position) + sizeof(Velocity) + sizeof(Entity);

Amounts bytes_per_entity(std::size_t n) {
  CountingMemory memory;
  World world(WorldOptions{.memory = &memory});
  Handles entities;
  populate(world, n, entities);
  return {static_cast<double>(memory.bytes()) / static_cast<double>(n), kByHand};
}

}  // namespace

void ask_memory(Suite& suite, std::size_t n) {
  suite.count({.path = "core/memory/" + std::to_string(n),
               .items = n,
               .take = [n] { return bytes_per_entity(n); },
               .on_demand = n != kSizes[2]});
}

}  // namespace strata::bench
