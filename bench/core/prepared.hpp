// Prepared: the same work through spawners and accessors, which have looked up once what they need.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "creation.hpp"
#include "population.hpp"
#include "random_access.hpp"
#include "toggle.hpp"

namespace strata::bench {

/// Makes what creates entities from a position and a velocity.
struct PreparedCreation {
  auto operator()(World& world) const {
    return [spawner = world.spawner<Position, Velocity>()](const Position& position,
                                                           const Velocity& velocity) mutable {
      return spawner.create(position, velocity);
    };
  }
};

/// As create_2, by a spawner.
inline Work create_prepared(CountOrSpan& data) {
  const auto fill = [n = data.n](World& world, Handles& entities) {
    auto spawner = world.spawner<Position, Velocity>();
    for (std::size_t i = 0; i < n; ++i) entities.push_back(spawner.create(position_of(i), velocity_of(i)));
  };
  return create_in_world(data.n, fill, wrong_particles);
}

/// Creates all rows at once, and copies the columns into each run of them.
inline Work create_many(const std::vector<Position>& positions, const std::vector<Velocity>& velocities) {
  const auto fill = [&positions, &velocities](World& world, Handles& entities) {
    auto position = positions.begin();
    auto velocity = velocities.begin();
    world.create_many<Position, Velocity>(
        positions.size(), [&](std::span<const Entity> handles, std::span<Position> new_positions,
                              std::span<Velocity> new_velocities) {
          const auto count = static_cast<std::ptrdiff_t>(handles.size());
          entities.insert(entities.end(), handles.begin(), handles.end());
          std::copy_n(position, count, new_positions.begin());
          std::copy_n(velocity, count, new_velocities.begin());
          position += count;
          velocity += count;
        });
  };
  return create_in_world(positions.size(), fill, wrong_particles);
}

/// As get_random, by an accessor.
inline Work get_prepared(const RandomAccess& data, std::shared_ptr<Crowd> crowd) {
  return summing(data, [crowd] {
    auto positions = crowd->world.accessor<Position>();
    return sum_over(crowd->in_order, [&](Entity entity) { return digest(positions.get(entity)); });
  });
}

/// As has_random, by an accessor.
inline Work has_prepared(const RandomAccess& data, std::shared_ptr<Crowd> crowd) {
  return summing(data, [crowd] {
    auto healths = crowd->world.accessor<Health>();
    return sum_over(crowd->in_order, [&](Entity entity) { return healths.contains(entity); });
  });
}

/// As the questions about a component of the side store, by its accessor.
template <class T, Passes passes>
Work toggle_prepared(CountOrSpan& data) {
  return toggle_in<T, passes>(data.n, [](World& world) { return world.accessor<T>(); });
}

}  // namespace strata::bench
