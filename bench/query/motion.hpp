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
class Arrays {
 public:
  explicit Arrays(std::size_t n, std::vector<std::uint32_t> moving = {}) : moving_(std::move(moving)) {
    positions_.reserve(n);
    velocities_.reserve(n);
    for (std::size_t i = 0; i < n; ++i) {
      positions_.push_back(position_of(i));
      velocities_.push_back(velocity_of(i));
    }
  }

  void step() {
    ++steps_;
    const std::size_t n = positions_.size();
    Position* const positions = positions_.data();
    const Velocity* const velocities = velocities_.data();
    if (moving_.empty()) {
      for (std::size_t i = 0; i < n; ++i) move(positions[i], velocities[i]);
    } else {
      for (const std::uint32_t i : moving_) move(positions[i], velocities[i]);
    }
  }

  std::uint64_t steps() const { return steps_; }
  std::size_t size() const { return positions_.size(); }
  const std::vector<Position>& positions() const { return positions_; }
  const std::vector<std::uint32_t>& moving() const { return moving_; }

 private:
  std::vector<Position> positions_;
  std::vector<Velocity> velocities_;
  std::vector<std::uint32_t> moving_;  // Empty: all.
  std::uint64_t steps_ = 0;
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
template <class Side, class Limit>
Complaint disagreement(Side& side, Limit& limit) {
  while (side.steps < limit.steps()) side.step();
  while (limit.steps() < side.steps) limit.step();
  for (std::size_t i = 0; i < side.entities.size(); ++i) {
    const Entity entity = side.entities[i];
    if (side.position(entity) == limit.positions()[i]) continue;
    return "the position of " + to_string(entity) + " is not the limit's after " +
           std::to_string(limit.steps()) + " steps";
  }
  return "";
}

/// A step of the side is `step`, one of its members.
template <class Side, class Limit>
Work step_beside(std::shared_ptr<Side> side, Limit& limit, void (Side::*step)()) {
  return {.step = [side, step] { ((*side).*step)(); },
          .check = [side, &limit] { return disagreement(*side, limit); }};
}

}  // namespace strata::bench
