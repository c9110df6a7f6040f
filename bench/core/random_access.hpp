// RandomAccess: entities asked about one by one, in an order that has nothing to do with where they are.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "population.hpp"

namespace strata::bench {

/// The order, which limit and answers share, and what a whole pass over it sums up to.
struct RandomAccess {
  explicit RandomAccess(std::size_t n) : order(shuffled(n)) {}

  std::size_t size() const { return order.size(); }

  Numbers order;
  std::uint64_t expected = 0;
};

/// A world with one entity per number.
struct Crowd {
  World world;
  Handles in_order;  ///< The handles in the order of asking.
};

/// Returns: a world of particles in which those for which `has_health(i)` have a health as well.
template <class HasHealth>
std::shared_ptr<Crowd> crowd(const RandomAccess& data, HasHealth has_health) {
  const auto made = std::make_shared<Crowd>();
  Handles entities;
  for (std::size_t i = 0; i < data.size(); ++i) {
    entities.push_back(has_health(i) ? made->world.create(position_of(i), velocity_of(i), health_of(i))
                                     : made->world.create(position_of(i), velocity_of(i)));
  }
  for (const std::uint32_t i : data.order) made->in_order.push_back(entities[i]);
  return made;
}

/// Reads all of the value, whole numbers so that no sum waits for the one before.
inline std::uint32_t digest(const Position& position) {
  return std::bit_cast<std::uint32_t>(position.x) + std::bit_cast<std::uint32_t>(position.y) +
         std::bit_cast<std::uint32_t>(position.z);
}

/// A step is a pass that answers with a sum.
template <class Pass>
Work summing(const RandomAccess& data, Pass pass) {
  const auto sum = std::make_shared<std::uint64_t>(0);
  return {.step = [sum, pass] { *sum = pass(); },
          .check = [sum, &data] { return *sum == data.expected ? "" : "the sum is wrong"; }};
}

/// The sum of `value_of(entity)` over all entities, in the order of asking.
template <class ValueOf>
std::uint64_t sum_over(const Handles& entities, ValueOf value_of) {
  std::uint64_t sum = 0;
  for (const Entity entity : entities) sum += value_of(entity);
  return sum;
}

}  // namespace strata::bench
