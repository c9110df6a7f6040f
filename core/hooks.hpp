// Hooks: functions of a component that the world calls when its values are added, changed and removed.
#pragma once

#include <type_traits>

#include "entity.hpp"

namespace strata {

class World;

/// The functions that a world calls when values of the component T are added, changed and removed; null functions are
/// not called. `value` refers to the value in the world. `old` refers to the previous value, which is destroyed after
/// the call. A component has one set of hooks, and any number of observers. See Observers for when hooks and observers
/// are called and what they may do.
template <class T>
struct Hooks {
  void (*on_add)(World& world, Entity entity, T& value) = nullptr;  ///< The entity has got T.
  /// The value was added, replaced, patched or reported as modified. Called after on_add and on_replace.
  void (*on_set)(World& world, Entity entity, T& value) = nullptr;
  void (*on_replace)(World& world, Entity entity, const T& old, T& value) = nullptr;
  void (*on_remove)(World& world, Entity entity, T& value) = nullptr;  ///< The entity is about to lose T.
};

/// The hooks of a tag, which has no value.
template <class T>
requires std::is_empty_v<T>
struct Hooks<T> {
  void (*on_add)(World& world, Entity entity) = nullptr;
  void (*on_remove)(World& world, Entity entity) = nullptr;
};

/// Chooses the hooks of a component, in one line after its definition:
/// `template <> inline constexpr strata::Hooks<Body> strata::hooks_of<Body> = {.on_add = make, .on_remove = end};`
template <class T>
inline constexpr Hooks<T> hooks_of = {};

/// The hooks of a component described at run time. The functions receive two values: `now` is the value in the world,
/// or null for a tag. `old` is the replaced value in a call of on_replace, and null in calls of the other hooks.
struct ComponentHooks {
  using Hook = void (*)(World& world, Entity entity, void* now, const void* old);

  Hook on_add = nullptr;
  Hook on_set = nullptr;
  Hook on_replace = nullptr;
  Hook on_remove = nullptr;

  bool any() const {
    return on_add != nullptr || on_set != nullptr || on_replace != nullptr || on_remove != nullptr;
  }
};

namespace detail {

/// Returns: the hooks of T as type-erased functions, which take pointers to void instead of references to T.
template <class T>
constexpr ComponentHooks erase_hooks() {
  ComponentHooks erased;
  if constexpr (std::is_empty_v<T>) {
    if constexpr (hooks_of<T>.on_add != nullptr) {
      erased.on_add = [](World& world, Entity entity, void*, const void*) {
        hooks_of<T>.on_add(world, entity);
      };
    }
    if constexpr (hooks_of<T>.on_remove != nullptr) {
      erased.on_remove = [](World& world, Entity entity, void*, const void*) {
        hooks_of<T>.on_remove(world, entity);
      };
    }
  } else {
    if constexpr (hooks_of<T>.on_add != nullptr) {
      erased.on_add = [](World& world, Entity entity, void* now, const void*) {
        hooks_of<T>.on_add(world, entity, *static_cast<T*>(now));
      };
    }
    if constexpr (hooks_of<T>.on_set != nullptr) {
      erased.on_set = [](World& world, Entity entity, void* now, const void*) {
        hooks_of<T>.on_set(world, entity, *static_cast<T*>(now));
      };
    }
    if constexpr (hooks_of<T>.on_replace != nullptr) {
      erased.on_replace = [](World& world, Entity entity, void* now, const void* old) {
        hooks_of<T>.on_replace(world, entity, *static_cast<const T*>(old), *static_cast<T*>(now));
      };
    }
    if constexpr (hooks_of<T>.on_remove != nullptr) {
      erased.on_remove = [](World& world, Entity entity, void* now, const void*) {
        hooks_of<T>.on_remove(world, entity, *static_cast<T*>(now));
      };
    }
  }
  return erased;
}

}  // namespace detail
}  // namespace strata
