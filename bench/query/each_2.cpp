#include "each_2.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <strata/strata.hpp>
#include <string>
#include <vector>

namespace strata::bench {
namespace {

struct Position {
  float x, y, z;
  friend bool operator==(const Position&, const Position&) = default;
};

struct Velocity {
  float x, y, z;
};

void move(Position& position, const Velocity& velocity) {
  position.x += velocity.x;
  position.y += velocity.y;
  position.z += velocity.z;
}

Position position_of(std::size_t i) {
  const auto n = static_cast<float>(i % 1000);
  return {n, n + 0.5f, -n};
}

Velocity velocity_of(std::size_t i) {
  const auto n = static_cast<float>(i % 7);
  return {0.25f * n, 0.5f, -0.125f * n};
}

/// The limit: two presized arrays.
class Arrays {
 public:
  explicit Arrays(std::size_t n) : positions_(n), velocities_(n) {
    for (std::size_t i = 0; i < n; ++i) {
      positions_[i] = position_of(i);
      velocities_[i] = velocity_of(i);
    }
  }

  void step() {
    ++steps_;
    const std::size_t n = positions_.size();
    Position* const positions = positions_.data();
    const Velocity* const velocities = velocities_.data();
    for (std::size_t i = 0; i < n; ++i) move(positions[i], velocities[i]);
  }

  std::uint64_t steps() const { return steps_; }
  const std::vector<Position>& positions() const { return positions_; }

 private:
  std::vector<Position> positions_;
  std::vector<Velocity> velocities_;
  std::uint64_t steps_ = 0;
};

/// The same in a world.
class Particles {
 public:
  explicit Particles(std::size_t n) : query_(world_.query<Position, const Velocity>()) {
    entities_.reserve(n);
    for (std::size_t i = 0; i < n; ++i) entities_.push_back(world_.create(position_of(i), velocity_of(i)));
  }

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
  Query<Position, const Velocity> query_;
  std::vector<Entity> entities_;
  std::uint64_t steps_ = 0;
};

Work work_of(Arrays& arrays, std::size_t n, void (Particles::*step)()) {
  auto particles = std::make_shared<Particles>(n);
  return {.step = [particles, step] { ((*particles).*step)(); },
          .check = [particles, &arrays] { return particles->disagreement(arrays); }};
}

void ask(Suite& suite, std::size_t n, double bar) {
  auto& question = suite.ask<Arrays>("query/each_2/one_table/" + std::to_string(n), n,
                                     [n] { return std::make_shared<Arrays>(n); });
  question.limit([](Arrays& arrays) { return Work{.step = [&arrays] { arrays.step(); }}; });
  question.answer("", [n](Arrays& arrays) { return work_of(arrays, n, &Particles::step_each); }).at_most(bar);
  question
      .answer("each_block", [n](Arrays& arrays) { return work_of(arrays, n, &Particles::step_each_block); })
      .at_most(bar);
}

}  // namespace

void ask_each_2(Suite& suite) {
  ask(suite, 10'000, 1.2);
  ask(suite, 1'000'000, 1.1);
}

}  // namespace strata::bench
