// Motion: Position += Velocity * dt over arrays and in a world, which most query benches time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <strata/strata.hpp>
#include <string>
#include <utility>
#include <vector>

#include "support/particles.hpp"
#include "support/work.hpp"

namespace strata::bench {

inline void move(Position& position, const Velocity& velocity) {
  constexpr float kSeconds = 1.0f / 64;
  position.x += velocity.x * kSeconds;
  position.y += velocity.y * kSeconds;
  position.z += velocity.z * kSeconds;
}

/// The limit: two presized arrays, and which of their elements move if not all do.
struct Arrays {
  explicit Arrays(std::size_t n, std::vector<std::uint32_t> moving_numbers = {})
      : moving(std::move(moving_numbers)) {
    positions.reserve(n);
    velocities.reserve(n);
    for (std::size_t i = 0; i < n; ++i) {
      positions.push_back(position_of(i));
      velocities.push_back(velocity_of(i));
    }
  }

  std::size_t size() const { return positions.size(); }

  void step() {
    ++steps;
    const std::size_t n = positions.size();
    Position* const to = positions.data();
    const Velocity* const by = velocities.data();
    if (moving.empty()) {
      for (std::size_t i = 0; i < n; ++i) move(to[i], by[i]);
    } else {
      for (const std::uint32_t i : moving) move(to[i], by[i]);
    }
  }

  std::vector<Position> positions;
  std::vector<Velocity> velocities;
  std::vector<std::uint32_t> moving;  // Empty: all.
  std::uint64_t steps = 0;
};

/// Entities in a world, and how many steps they have made. A place is a position, or a component that has one's members.
template <class Place = Position>
struct Moving {
  const Position& position(Entity entity) { return world.get<Place>(entity); }

  World world;
  std::vector<Entity> entities;
  std::uint64_t steps = 0;
};

/// The entities of the arrays in a world, where what matches `Filters` as well moves.
template <class... Filters>
class Swarm : public Moving<> {
 public:
  explicit Swarm(std::size_t n) : query_(world.query<Position, const Velocity, Filters...>()) {
    entities.reserve(n);
    for (std::size_t i = 0; i < n; ++i) entities.push_back(world.create(position_of(i), velocity_of(i)));
  }

  void step() {
    ++steps;
    query_.each([](Position& position, const Velocity& velocity) { move(position, velocity); });
  }

  void step_each_block() {
    ++steps;
    query_.each_block([](std::span<Position> positions, std::span<const Velocity> velocities) {
      for (std::size_t i = 0; i < positions.size(); ++i) move(positions[i], velocities[i]);
    });
  }

 private:
  Query<Position, const Velocity, Filters...> query_;
};

/// Compares every position after equally many steps; the side that is behind catches up first.
Complaint disagreement(auto& side, auto& limit) {
  while (side.steps < limit.steps) side.step();
  while (limit.steps < side.steps) limit.step();
  for (std::size_t i = 0; i < side.entities.size(); ++i) {
    const Entity entity = side.entities[i];
    if (side.position(entity) == limit.positions[i]) continue;
    return "the position of " + to_string(entity) + " is not the limit's after " +
           std::to_string(limit.steps) + " steps";
  }
  return "";
}

/// A step of the side is `step`, one of its members.
template <class Side>
Work step_beside(std::shared_ptr<Side> side, auto& limit, void (Side::*step)()) {
  return {.step = [side, step] { ((*side).*step)(); },
          .check = [side, &limit] { return disagreement(*side, limit); }};
}

}  // namespace strata::bench
