// Toggle: a component added to every entity and removed again, by the same loop whatever keeps it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <type_traits>
#include <utility>

#include "creation.hpp"
#include "packed_set.hpp"
#include "population.hpp"

namespace strata::bench {

enum class Passes : std::uint8_t {
  one,  ///< Added and removed, entity by entity.
  two,  ///< Added to all, then removed from all.
};

/// What the i-th entity is given.
template <class T>
T toggled_value(std::size_t i) {
  if constexpr (std::is_empty_v<T>) {
    return {};
  } else {
    return {static_cast<float>(static_cast<std::uint32_t>(i) & 255u)};
  }
}

/// Returns: how many were removed, which is all of them. A `Keeper` has `add` and `remove`.
template <class T, Passes passes, class Keeper, class Entities>
std::size_t toggle_all(Keeper& keeper, const Entities& entities) {
  const std::size_t n = entities.size();
  std::size_t removed = 0;
  for (std::size_t i = 0; i < n; ++i) {
    keeper.add(entities[i], toggled_value<T>(i));
    if constexpr (passes == Passes::one) removed += keeper.remove(entities[i]);
  }
  if constexpr (passes == Passes::two) {
    for (const auto entity : entities) removed += keeper.remove(entity);
  }
  return removed;
}

/// A step is `toggle()`, which answers with how many it removed.
template <class Toggle>
Work toggling(std::size_t n, Toggle toggle) {
  const auto removed = std::make_shared<std::size_t>(0);
  return {.step = [removed, toggle] { *removed = toggle(); },
          .check = [removed, n] { return *removed == n ? "" : "not all were there to be removed"; }};
}

/// A limit keeps the component by hand.
template <class T, Passes passes, class Keeper>
Work toggle_by_hand(std::size_t n) {
  const auto keeper = std::make_shared<Keeper>(n);
  const auto numbers = std::make_shared<Numbers>(n);
  std::iota(numbers->begin(), numbers->end(), 0u);
  return toggling(n, [keeper, numbers] { return toggle_all<T, passes>(*keeper, *numbers); });
}

/// The limit of the side store: a sparse set, the entity's value packed.
template <class T, Passes passes>
Work toggle_in_set(CountOrSpan& data) {
  if constexpr (std::is_empty_v<T>) {
    struct Marks : PackedSet<> {
      using PackedSet<>::PackedSet;
      void add(std::uint32_t number, T) { PackedSet<>::add(number); }
    };
    return toggle_by_hand<T, passes, Marks>(data.n);
  } else {
    return toggle_by_hand<T, passes, PackedSet<T>>(data.n);
  }
}

/// The component T of a world's entities.
template <class T>
struct InWorld {
  void add(Entity entity, const T& value) { world.template add<T>(entity, value); }
  bool remove(Entity entity) { return world.template remove<T>(entity); }

  World& world;
};

/// The entities have a position, a velocity and `Others`; `keeper_of(world)` adds and removes.
template <class T, Passes passes, class... Others, class KeeperOf>
Work toggle_in(std::size_t n, KeeperOf keeper_of) {
  struct State {
    World world;
    Handles entities;
  };
  const auto state = std::make_shared<State>();
  populate(state->world, n, state->entities);
  for ([[maybe_unused]] const Entity entity : state->entities)
    (state->world.template add<Others>(entity), ...);
  Work work = toggling(n, [state, keeper_of] {
    auto keeper = keeper_of(state->world);
    return toggle_all<T, passes>(keeper, state->entities);
  });
  work.check = [state, counted = work.check] {
    const Complaint complaint = counted();
    if (!complaint.empty()) return complaint;
    for (const Entity entity : state->entities) {
      if (state->world.template has<T>(entity)) return to_string(entity) + " still has what was removed";
    }
    return wrong_particles(state->world, state->entities);
  };
  return work;
}

template <class T, Passes passes, class... Others>
Work toggle_in_world(CountOrSpan& data) {
  return toggle_in<T, passes, Others...>(data.n, [](World& world) { return InWorld<T>{world}; });
}

}  // namespace strata::bench
