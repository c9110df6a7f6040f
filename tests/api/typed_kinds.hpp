// Every kind of component as the typed calls handle it: one row of functions per C++ type.
#pragma once

#include <strata/strata.hpp>

#include <array>
#include <span>

#include "../support/hooked.hpp"
#include "../support/values.hpp"

namespace strata::test {

struct TypedKind {
  const char* name;
  bool tag;
  void (*add)(World&, Entity, int number);
  bool (*remove)(World&, Entity);
  bool (*has)(const World&, Entity);
  int (*read)(const World&, Entity);  // -1 where there is no value
  void (*add_later)(Commands&, Entity, int number);
  void (*remove_later)(Commands&, Entity);
  void (*set_storage)(World&, Storage);
  Storage (*storage)(const World&);
  ComponentId (*id)(World&);
  int (*number_at)(const void* value);
  std::size_t (*add_many)(World&, std::span<const Entity>, int number);  // Null if values cannot be copied.
  std::size_t (*remove_many)(World&, std::span<const Entity>);
  std::size_t (*add_to_healths)(World&, int number);  // To all that have Health; null as above.
  std::size_t (*remove_from_healths)(World&);
};

template <class T>
T make_any(int number) {
  if constexpr (is_tag<T>) {
    return T{};
  } else {
    return make_value<T>(number);
  }
}

template <class T>
constexpr auto adder_of_many() -> std::size_t (*)(World&, std::span<const Entity>, int) {
  if constexpr (is_tag<T> || is_copyable<T>) {
    return [](World& world, std::span<const Entity> entities, int number) {
      return world.add<T>(entities, make_any<T>(number));
    };
  } else {
    return nullptr;
  }
}
template <class T>
constexpr auto adder_to_healths() -> std::size_t (*)(World&, int) {
  if constexpr (is_tag<T> || is_copyable<T>) {
    return [](World& world, int number) {
      return world.add<T>(world.query<const Health>(), make_any<T>(number));
    };
  } else {
    return nullptr;
  }
}

template <class T>
constexpr TypedKind typed_kind(const char* name) {
  return {
      name,
      is_tag<T>,
      [](World& world, Entity entity, int number) { world.add<T>(entity, make_any<T>(number)); },
      [](World& world, Entity entity) { return world.remove<T>(entity); },
      [](const World& world, Entity entity) { return world.has<T>(entity); },
      [](const World& world, Entity entity) {
        if constexpr (is_tag<T>) {
          return -1;
        } else {
          const T* value = world.find<T>(entity);
          return value != nullptr ? number_in(*value) : -1;
        }
      },
      [](Commands& commands, Entity entity, int number) { commands.add<T>(entity, make_any<T>(number)); },
      [](Commands& commands, Entity entity) { commands.remove<T>(entity); },
      [](World& world, Storage storage) { world.set_storage<T>(storage); },
      [](const World& world) { return world.storage<T>(); },
      [](World& world) { return world.component<T>(); },
      [](const void* value) {
        if constexpr (is_tag<T>) {
          return -1;
        } else {
          return number_in(*static_cast<const T*>(value));
        }
      },
      adder_of_many<T>(),
      [](World& world, std::span<const Entity> entities) { return world.remove<T>(entities); },
      adder_to_healths<T>(),
      [](World& world) { return world.remove<T>(world.query<const Health>()); },
  };
}

inline constexpr std::array kTypedKinds{
    typed_kind<Health>("Health"),
    typed_kind<SparseHealth>("SparseHealth"),
    typed_kind<Counted>("Counted"),
    typed_kind<SparseCounted>("SparseCounted"),
    typed_kind<Frozen>("Frozen"),
    typed_kind<SparseFrozen>("SparseFrozen"),
    typed_kind<Wide>("Wide"),
    typed_kind<SparseWide>("SparseWide"),
    typed_kind<Owner>("Owner"),
    typed_kind<SparseOwner>("SparseOwner"),
    typed_kind<Huge>("Huge"),
    typed_kind<Hooked>("Hooked"),
    typed_kind<SparseHooked>("SparseHooked"),
    typed_kind<StableHooked>("StableHooked"),
};
/// Has a world store components of this kind in the other storage.
inline void switch_storage(World& world, const TypedKind& kind) {
  kind.set_storage(world, kind.storage(world) == Storage::table ? Storage::sparse : Storage::table);
}

inline constexpr std::size_t kHealth = 0;
inline constexpr std::size_t kSparseHealth = 1;
inline constexpr std::size_t kCounted = 2;
inline constexpr std::size_t kSparseCounted = 3;
inline constexpr std::size_t kFrozen = 4;
inline constexpr std::size_t kWide = 6;
inline constexpr std::size_t kHooked = 11;
inline constexpr std::size_t kSparseHooked = 12;
inline constexpr std::size_t kStableHooked = 13;

}  // namespace strata::test
