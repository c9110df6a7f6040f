#include "population.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <utility>

#include "support/random.hpp"

namespace strata::bench {

void Population::create(std::size_t n) {
  entities.reserve(n);
  for (std::size_t i = 0; i < n; ++i) entities.push_back(world->create(position_of(i), velocity_of(i)));
}

std::shared_ptr<Population> populated(std::size_t n) {
  const auto population = std::make_shared<Population>();
  population->clear();
  population->create(n);
  return population;
}

Numbers shuffled(std::size_t n) {
  std::mt19937 random(23);
  Numbers all(n);
  std::iota(all.begin(), all.end(), 0u);
  return chosen(random, std::move(all), n);
}

Complaint wrong_world(const World& world, const Handles& entities) {
  if (world.size() != entities.size()) {
    return "the world has " + std::to_string(world.size()) + " entities, not " +
           std::to_string(entities.size());
  }
  for (const Entity entity : entities) {
    if (!world.alive(entity)) return to_string(entity) + " is not alive";
  }
  return world.validate().message();
}

Complaint wrong_particles(const World& world, const Handles& entities) {
  for (std::size_t i = 0; i < entities.size(); ++i) {
    const Position* const position = world.find<Position>(entities[i]);
    const Velocity* const velocity = world.find<Velocity>(entities[i]);
    const bool right = position != nullptr && *position == position_of(i) && velocity != nullptr &&
                       *velocity == velocity_of(i);
    if (!right) return to_string(entities[i]) + " has not the values that it was created with";
  }
  return wrong_world(world, entities);
}

}  // namespace strata::bench
