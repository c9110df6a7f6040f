// Components that are looked up, entity by entity, in an order that has nothing to do with where they are.
//
// get_random: abeimler/ecs_benchmark UnpackOneComponent, SanderMertens/ecs_benchmark get, which visit entities in the
// order of creation. has_random: SanderMertens/ecs_benchmark has and has_not_found; here a random half has it.
#include <bit>
#include <cstdlib>
#include <span>

#include "population.hpp"
#include "support/suite.hpp"

namespace strata::bench::look_ups {
namespace {

/// The order, which limit and answers share, the values by number, and what a whole pass sums up to.
template <class Value>
struct RandomAccess {
  explicit RandomAccess(std::size_t n) : order(shuffled(n)), values(n) {}

  Numbers order;
  std::vector<Value> values;
  std::uint64_t expected = 0;
};

/// A world of particles, one for each number, in which those for which `data.has_health(i)` have a health as well.
struct Crowd {
  template <class Data>
  explicit Crowd(const Data& data) {
    Handles entities;
    for (std::size_t i = 0; i < data.order.size(); ++i) {
      entities.push_back(data.has_health(i) ? world.create(position_of(i), velocity_of(i), health_of(i))
                                            : world.create(position_of(i), velocity_of(i)));
    }
    for (const std::uint32_t i : data.order) in_order.push_back(entities[i]);
  }

  World world;
  Handles in_order;  ///< The handles in the order of asking.
};

/// Reads all of the value, whole numbers so that no sum waits for the one before.
std::uint32_t digest(const Position& position) {
  return std::bit_cast<std::uint32_t>(position.x) + std::bit_cast<std::uint32_t>(position.y) +
         std::bit_cast<std::uint32_t>(position.z);
}
std::uint32_t digest(std::uint8_t has) {
  return has;
}

/// The sum of `value_of(entity)` over all entities, in the order of asking.
std::uint64_t sum_over(const Handles& entities, auto value_of) {
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

/// All entities have a position, a velocity and a health; their positions are looked up.
struct Positions : RandomAccess<Position> {
  explicit Positions(std::size_t n) : RandomAccess(n) {
    for (std::size_t i = 0; i < n; ++i) values[i] = position_of(i);
    for (const Position& position : values) expected += digest(position);
  }

  bool has_health(std::size_t) const { return true; }
  static auto in_world(World& world) {
    return [&world](Entity entity) { return digest(world.get<Position>(entity)); };
  }
  static auto by_accessor(World& world) {
    return [positions = world.accessor<Position>()](Entity entity) mutable {
      return digest(positions.get(entity));
    };
  }
};

/// A random half of the entities has a health; whether there is one is tested for all.
struct Healthy : RandomAccess<std::uint8_t> {
  explicit Healthy(std::size_t n) : RandomAccess(n) {
    // The order itself is random: which numbers come early in it is so too.
    for (std::size_t i = 0; i < n; i += 2) values[order[order[i]]] = 1;
    for (const std::uint8_t has : values) expected += has;
  }

  bool has_health(std::size_t i) const { return values[i] != 0; }
  static auto in_world(World& world) {
    return [&world](Entity entity) { return world.has<Health>(entity); };
  }
  static auto by_accessor(World& world) {
    return [healths = world.accessor<Health>()](Entity entity) mutable { return healths.contains(entity); };
  }
};

/// The limit: an array of values indexed by the random order.
template <class Data>
Work look_up_by_hand(Data& data) {
  return summing(data.expected, [&data] {
    const auto* const values = data.values.data();
    std::uint64_t sum = 0;
    for (const std::uint32_t i : data.order) sum += digest(values[i]);
    return sum;
  });
}

/// The same by handle.
template <class Data>
Work look_up_by_handle(Data& data) {
  struct Named {
    CheckedArrays arrays;
    Handles in_order;
  };
  const auto named = std::make_shared<Named>(Named{CheckedArrays(data.values.size()), {}});
  for (const std::uint32_t i : data.order) named->in_order.push_back({i, 1});
  return summing(data.expected, [named, values = std::span(data.values)] {
    return sum_over(named->in_order,
                    [&](Entity entity) { return digest(values[named->arrays.position_of(entity)]); });
  });
}

/// In a world, by what `make(world)` returns.
template <class Data, class LookUp>
auto look_up_by(LookUp (*make)(World&)) {
  return [make](Data& data) {
    return summing(data.expected, [make, crowd = std::make_shared<Crowd>(data)] {
      return sum_over(crowd->in_order, make(crowd->world));
    });
  };
}

/// The bars are those of the world and of its accessor.
template <class Data>
void ask_look_up(Suite& suite, const char* path, std::size_t n, double bar, double accessor_bar) {
  auto& question = ask_of_size<Data>(suite, path, n);
  question.limit(look_up_by_hand<Data>);
  question.answer("strata", look_up_by<Data>(Data::in_world)).at_most(bar);
  question.answer("prepared", look_up_by<Data>(Data::by_accessor)).at_most(accessor_bar);
  question.answer("arrays_by_handle", look_up_by_handle<Data>);
}

void ask_look_ups(Suite& suite, std::size_t n) {
  ask_look_up<Positions>(suite, "core/get_random", n, bar_of(n, 4, 5), bar_of(n, 2.2, 3.5));
  ask_look_up<Healthy>(suite, "core/has_random", n, bar_of(n, 3, 8), bar_of(n, 2, 6));
}

const Family kFamily([](Suite& suite) { ask_for_sizes(suite, {ask_look_ups}); });

}  // namespace
}  // namespace strata::bench::look_ups
