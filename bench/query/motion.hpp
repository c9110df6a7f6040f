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
  explicit Arrays(std::size_t n);
  Arrays(std::size_t n, std::vector<std::uint32_t> moving);

  void step();

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

/// The same entities in a world, where what matches `Filters` as well moves.
template <class... Filters>
class Swarm {
 public:
  Swarm() : query_(world_.query<Position, const Velocity, Filters...>()) {}

  void populate(std::size_t n) {
    entities_.reserve(n);
    for (std::size_t i = 0; i < n; ++i) entities_.push_back(world_.create(position_of(i), velocity_of(i)));
  }

  World& world() { return world_; }
  const std::vector<Entity>& entities() const { return entities_; }

  void step_each() {
    ++steps_;
    query_.each([](Position& position, const Velocity& velocity) { move(position, velocity); });
  }

  void step_each_block() {
    ++steps_;
    query_.each_block([](std::span<Position> positions, std::span<const Velocity> velocities) {
      for (std::size_t i = 0; i < positions.size(); ++i) move(positions[i], velocities[i]);
    });
  }

  void step() { step_each(); }
  std::uint64_t steps() const { return steps_; }
  const Position& position(Entity entity) { return world_.get<Position>(entity); }

 private:
  World world_;
  Query<Position, const Velocity, Filters...> query_;
  std::vector<Entity> entities_;
  std::uint64_t steps_ = 0;
};

/// Compares every position after equally many steps; the side that is behind catches up first.
template <class Side, class Limit>
Complaint disagreement(Side& side, Limit& limit) {
  while (side.steps() < limit.steps()) side.step();
  while (limit.steps() < side.steps()) limit.step();
  for (std::size_t i = 0; i < side.entities().size(); ++i) {
    const Entity entity = side.entities()[i];
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

/// The limit itself.
template <class Limit>
Work step_limit(Limit& limit) {
  return {.step = [&limit] { limit.step(); }};
}

}  // namespace strata::bench
