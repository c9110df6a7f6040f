// Components that are looked up, entity by entity, in an order that has nothing to do with where they are.
//
// get_random: abeimler/ecs_benchmark UnpackOneComponent, SanderMertens/ecs_benchmark get, which visit entities in the
// order of creation. has_random: SanderMertens/ecs_benchmark has and has_not_found; here a random half has it.
#include <bit>
#include <cstdlib>
#include <span>

#include "population.hpp"
#include "questions.hpp"
#include "support/suite.hpp"

namespace strata::bench {
namespace {

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
std::uint32_t digest(const Position& position) {
  return std::bit_cast<std::uint32_t>(position.x) + std::bit_cast<std::uint32_t>(position.y) +
         std::bit_cast<std::uint32_t>(position.z);
}

/// The sum of `value_of(entity)` over all entities, in the order of asking.
template <class ValueOf>
std::uint64_t sum_over(const Handles& entities, ValueOf value_of) {
  std::uint64_t sum = 0;
  for (const Entity entity : entities) sum += value_of(entity);
  return sum;
}

/// Where the value of each index is and of which generation the index is, by hand. Between the limit, which needs
/// no handles, and a store whose values are found by type, it tells what the checks cost alone.
class CheckedArrays {
 public:
  explicit CheckedArrays(std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) places_.push_back({1, static_cast<std::uint32_t>(i)});
  }

  /// Returns: the entity's position in arrays of values; ends the program for one that is stale.
  std::uint32_t position_of(Entity entity) const {
    if (entity.index() >= places_.size()) [[unlikely]]
      std::abort();
    const Place place = places_[entity.index()];
    if (place.generation != entity.generation()) [[unlikely]]
      std::abort();
    return place.position;
  }

 private:
  struct Place {
    std::uint32_t generation;
    std::uint32_t position;
  };
  std::vector<Place> places_;
};

/// As the limit over arrays of values, by handle.
template <class Value, class ValueOf>
Work sum_by_handle(const RandomAccess& data, std::span<const Value> values, ValueOf value_of) {
  struct Named {
    CheckedArrays arrays;
    Handles in_order;
  };
  const auto named = std::make_shared<Named>(Named{CheckedArrays(data.size()), {}});
  for (const std::uint32_t i : data.order) named->in_order.push_back({i, 1});
  return summing(data.expected, [named, values, value_of] {
    return sum_over(named->in_order,
                    [&](Entity entity) { return value_of(values[named->arrays.position_of(entity)]); });
  });
}

/// All entities have a position, a velocity and a health, and are asked for their position.
struct Positions : RandomAccess {
  explicit Positions(std::size_t n) : RandomAccess(n) {
    for (std::size_t i = 0; i < n; ++i) positions.push_back(position_of(i));
    for (const Position& position : positions) expected += digest(position);
  }

  std::shared_ptr<Crowd> world() const {
    return crowd(*this, [](std::size_t) { return true; });
  }

  std::vector<Position> positions;
};

/// The limit: an array of values indexed by the random order.
Work get_by_hand(Positions& data) {
  return summing(data.expected, [&data] {
    const Position* const positions = data.positions.data();
    std::uint64_t sum = 0;
    for (const std::uint32_t i : data.order) sum += digest(positions[i]);
    return sum;
  });
}

Work get_by_handle(Positions& data) {
  return sum_by_handle(data, std::span<const Position>(data.positions), digest);
}

Work get_from_world(Positions& data) {
  return summing(data.expected, [crowd = data.world()] {
    World& world = crowd->world;
    return sum_over(crowd->in_order, [&](Entity entity) { return digest(world.get<Position>(entity)); });
  });
}

Work get_by_accessor(Positions& data) {
  return summing(data.expected, [crowd = data.world()] {
    auto positions = crowd->world.accessor<Position>();
    return sum_over(crowd->in_order, [&](Entity entity) { return digest(positions.get(entity)); });
  });
}

void ask_get_random(Suite& suite, std::size_t n) {
  auto& question = ask_of_size<Positions>(suite, "core/get_random", n);
  question.limit(get_by_hand);
  question.answer("strata", get_from_world).at_most(bar_of(n, 4, 5));
  question.answer("prepared", get_by_accessor).at_most(bar_of(n, 2.2, 3.5));
  question.answer("arrays_by_handle", get_by_handle);
}

/// A random half of the entities has a health.
struct Healthy : RandomAccess {
  explicit Healthy(std::size_t n) : RandomAccess(n), has(n) {
    // The order itself is random: which numbers come early in it is so too.
    for (std::size_t i = 0; i < n; i += 2) has[order[order[i]]] = 1;
    for (const std::uint8_t one : has) expected += one;
  }

  std::shared_ptr<Crowd> world() const {
    return crowd(*this, [this](std::size_t i) { return has[i] != 0; });
  }

  std::vector<std::uint8_t> has;  ///< By number.
};

/// The limit: an array of bytes indexed by the random order.
Work has_by_hand(Healthy& data) {
  return summing(data.expected, [&data] {
    const std::uint8_t* const has = data.has.data();
    std::uint64_t sum = 0;
    for (const std::uint32_t i : data.order) sum += has[i];
    return sum;
  });
}

Work has_by_handle(Healthy& data) {
  return sum_by_handle(data, std::span<const std::uint8_t>(data.has), [](std::uint8_t has) { return has; });
}

Work has_in_world(Healthy& data) {
  return summing(data.expected, [crowd = data.world()] {
    const World& world = crowd->world;
    return sum_over(crowd->in_order, [&](Entity entity) { return world.has<Health>(entity); });
  });
}

Work has_by_accessor(Healthy& data) {
  return summing(data.expected, [crowd = data.world()] {
    auto healths = crowd->world.accessor<Health>();
    return sum_over(crowd->in_order, [&](Entity entity) { return healths.contains(entity); });
  });
}

void ask_has_random(Suite& suite, std::size_t n) {
  auto& question = ask_of_size<Healthy>(suite, "core/has_random", n);
  question.limit(has_by_hand);
  question.answer("strata", has_in_world).at_most(bar_of(n, 3, 8));
  question.answer("prepared", has_by_accessor).at_most(bar_of(n, 2, 6));
  question.answer("arrays_by_handle", has_by_handle);
}

}  // namespace

void ask_look_ups(Suite& suite) {
  ask_for_sizes(suite, {ask_get_random, ask_has_random});
}

}  // namespace strata::bench
