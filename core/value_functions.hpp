// The functions that move, destroy and copy values of a C++ type and replace entity handles in them, for the
// ComponentInfo of the type.
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

#include "component_info.hpp"
#include "component_traits.hpp"
#include "rollback.hpp"
#include "values/value_bytes.hpp"
#include "values/value_type_of.hpp"

namespace strata::detail {

template <class T>
void relocate_values(void* to, void* from, std::size_t count) noexcept {
  T* source = static_cast<T*>(from);
  T* target = static_cast<T*>(to);
  for (std::size_t i = 0; i < count; ++i) {
    ::new (static_cast<void*>(target + i)) T(std::move(source[i]));
    source[i].~T();
  }
}

template <class T>
void destroy_values(void* values, std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i) static_cast<T*>(values)[i].~T();
}

/// Builds `count` values in uninitialised memory: `build(place, i)` builds the i-th at `place`. This function and
/// copy_values replace functions of <memory>, because that header includes stream headers, which take long to compile.
/// Errors: what `build` throws; in that case, the values already built are destroyed.
template <class T, class Build>
void build_values(T* to, std::size_t count, Build build) {
  std::size_t built = 0;
  Rollback destroy([&] { destroy_values<T>(to, built); });
  for (; built < count; ++built) build(static_cast<void*>(to + built), built);
  destroy.dismiss();
}

template <class T>
void copy_values(void* to, const void* from, std::size_t count) {
  if constexpr (std::is_trivially_copyable_v<T>) {
    copy_bytes(to, from, count * sizeof(T));
  } else {
    const T* const source = static_cast<const T*>(from);
    build_values(static_cast<T*>(to), count, [&](void* place, std::size_t i) { ::new (place) T(source[i]); });
  }
}

/// T has a function that replaces the entity handles in a value. RemapsInMember: a member `void
/// remap_entities(const EntityMap&)`. RemapsInFunction: a function `void remap_entities(T&, const
/// EntityMap&)` in the namespace of T.
template <class T>
concept RemapsInMember = requires(T& value, const EntityMap& map) {
  value.remap_entities(map);
};
template <class T>
concept RemapsInFunction = requires(T& value, const EntityMap& map) {
  remap_entities(value, map);
};

template <class T>
void remap_values(void* values, std::size_t count, const EntityMap& map) {
  for (std::size_t i = 0; i < count; ++i) {
    if constexpr (RemapsInMember<T>) {
      static_cast<T*>(values)[i].remap_entities(map);
    } else {
      remap_entities(static_cast<T*>(values)[i], map);
    }
  }
}

/// Replaces the entity handles in values of a type that has no function `remap_entities`. Finds the handles by the
/// program's description of the type (see members_of in values/members.hpp).
template <class T>
void remap_described(void* values, std::size_t count, const EntityMap& map) {
  remap_references(value_type_of<T>(), values, count, map);
}

// Return the functions for the members `relocate`, `destroy`, `copy` and `remap` of the ComponentInfo of T. They return
// null if no function is needed: values are moved and copied as bytes, destroying a value does nothing, or no handles
// in values are replaced. For `copy`, they also return null if T is not copyable.
template <class T>
consteval ComponentInfo::Relocate find_relocate() {
  if constexpr (is_tag<T> || std::is_trivially_copyable_v<T>)
    return nullptr;
  else
    return relocate_values<T>;
}
template <class T>
consteval ComponentInfo::Destroy find_destroy() {
  if constexpr (is_tag<T> || std::is_trivially_destructible_v<T>)
    return nullptr;
  else
    return destroy_values<T>;
}
template <class T>
consteval ComponentInfo::Copy find_copy() {
  if constexpr (is_tag<T> || !is_copyable<T> || std::is_trivially_copyable_v<T>)
    return nullptr;
  else
    return copy_values<T>;
}
template <class T>
ComponentInfo::Remap find_remap() {
  if constexpr (!is_tag<T> && (RemapsInMember<T> || RemapsInFunction<T>)) {
    return remap_values<T>;
  } else if constexpr (!is_tag<T> && is_described<T>()) {
    if (has_entities(value_type_of<T>())) return remap_described<T>;
  }
  return nullptr;
}
template <class T>
const ValueType* find_value_type() {
  if constexpr (!is_tag<T> && is_described<T>())
    return &value_type_of<T>();
  else
    return nullptr;
}

}  // namespace strata::detail
