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

  /// Compares every position after equally many steps; the side that is behind catches up first.
  Complaint disagreement(Arrays& arrays) {
    while (arrays.steps() < steps_) arrays.step();
    while (steps_ < arrays.steps()) step_each();
    for (std::size_t i = 0; i < entities_.size(); ++i) {
      if (world_.get<Position>(entities_[i]) == arrays.positions()[i]) continue;
      return "the position of " + to_string(entities_[i]) + " is not the limit's after " +
             std::to_string(steps_) + " steps";
    }
    return "";
  }

 private:
  World world_;
  Query<Position, const Velocity, Filters...> query_;
  std::vector<Entity> entities_;
  std::uint64_t steps_ = 0;
};

inline Work step_arrays(Arrays& arrays) {
  return {.step = [&arrays] { arrays.step(); }};
}

/// A step of the swarm is `step`, one of its members.
template <class Swarm>
Work step_swarm(std::shared_ptr<Swarm> swarm, Arrays& arrays, void (Swarm::*step)()) {
  return {.step = [swarm, step] { ((*swarm).*step)(); },
          .check = [swarm, &arrays] { return swarm->disagreement(arrays); }};
}

}  // namespace strata::bench
