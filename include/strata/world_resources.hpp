// WorldResources: the facade of what a world has one of: settings, assets, a clock, a physics engine.
#pragma once

#include <memory_resource>
#include <string_view>
#include <utility>

#include "../../core/contract.hpp"
#include "../../core/resources.hpp"

namespace strata {

/// The part of World that is about resources; always a World. A resource may be of any object type whose
/// destruction does not throw: immovable or over-aligned, too. Types that are spelled alike are one resource, as
/// they are one component. No entity is involved, so all of this is fine while a query iterates.
///
/// Resources are destroyed after all entities, so that components may rely on them, the last created first.
class WorldResources {
 public:
  WorldResources(const WorldResources&) = delete;
  WorldResources& operator=(const WorldResources&) = delete;

  /// Gives the world a value of T, in place of the one that it has.
  /// Errors: std::bad_alloc, and what moving the value throws; the world is unchanged then.
  /// Invalidates: references to the old value.
  template <class T>
  T& set_resource(T value) {
    return resources_.emplace<T>(std::move(value));
  }

  /// As `set_resource`, with a value built in its place.
  template <class T, class... Arguments>
  T& emplace_resource(Arguments&&... arguments) {
    return resources_.emplace<T>(std::forward<Arguments>(arguments)...);
  }

  /// Contract: the world has a value of T.
  template <class T>
  [[nodiscard]] T& resource(CallSite at = {}) {
    return get<T>(at);
  }
  template <class T>
  [[nodiscard]] const T& resource(CallSite at = {}) const {
    return get<T>(at);
  }

  /// Returns: the value; null when the world has none.
  template <class T>
  [[nodiscard]] T* find_resource() {
    return resources_.find<T>();
  }
  template <class T>
  [[nodiscard]] const T* find_resource() const {
    return resources_.find<T>();
  }

  /// Returns: false when the world has none.
  template <class T>
  bool remove_resource() {
    return resources_.remove<T>();
  }

 protected:
  explicit WorldResources(std::pmr::memory_resource* memory) : resources_(memory) {}
  ~WorldResources() = default;

  Resources resources_;

 private:
  template <class T>
  T& get(CallSite at) const {
    T* const value = resources_.find<T>();
    if (value == nullptr) [[unlikely]]
      refuse_absent(name_of<T>, at);
    return *value;
  }

  [[noreturn]] static void refuse_absent(std::string_view name, CallSite at);
};

}  // namespace strata
