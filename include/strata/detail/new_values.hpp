// Values of C++ types on their way into rows and pools; where moving one may run user code, that is guarded.
#pragma once

#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include "../../../storage/store.hpp"

namespace strata::detail {

/// Whether no code of T runs when a value is moved or destroyed.
template <class T>
inline constexpr bool is_plain = std::is_trivially_copyable_v<T>&& std::is_trivially_destructible_v<T>;

/// How the value of a new entity is passed on. References would keep the values of every creation in memory; passing any
/// other by value would move it, and so run its code, where nothing expects that.
template <class T>
using Passed = std::conditional_t<is_plain<T>, T, T&>;

/// Puts a new value of an entity in the place of an old one, which is destroyed when that is done; needs no assignment
/// operator.
template <class T>
T& replace(Store& store, const char* name, Entity entity, T& place, T& value) noexcept {
  if constexpr (is_plain<T>) {
    return *::new (static_cast<void*>(&place)) T(std::move(value));
  } else {
    const ChangeGuard::Operation operation(store.guard(), name);
    std::optional<Store::Hidden> hidden(std::in_place, store, entity, store.registry().id_of<T>());
    std::optional<ChangeGuard::Moving> moving(std::in_place, store.guard());
    [[maybe_unused]] const T old(std::move(place));
    place.~T();
    T& replacement = *::new (static_cast<void*>(&place)) T(std::move(value));
    moving.reset();
    hidden.reset();
    return replacement;  // The old value is destroyed now.
  }
}

/// Builds a value of an entity that is new or has just got the component.
template <class T>
T& build_value(Store& store, Entity entity, void* place, T& value) noexcept {
  if constexpr (is_plain<T>) {
    return *::new (place) T(std::move(value));
  } else {
    const Store::Hidden hidden(store, entity, store.registry().id_of<T>());
    const ChangeGuard::Moving moving(store.guard());
    return *::new (place) T(std::move(value));
  }
}

/// Around the building of a new row's values: where that may run any code, the entity is not found meanwhile.
template <class... Ts>
class Making {
 public:
  Making(Store& store, const NewRow& row) : store_(store), row_(row), moving_(store.guard()) {
    store.slots().hide(row.entity.index());
  }
  Making(const Making&) = delete;
  Making& operator=(const Making&) = delete;
  ~Making() { store_.slots().place(row_.entity.index(), row_.place); }

 private:
  Store& store_;
  NewRow row_;
  ChangeGuard::Moving moving_;
};
template <class... Ts>
requires(is_plain<Ts>&&...) class Making<Ts...> {
 public:
  Making(const Store&, const NewRow&) {}
};

}  // namespace strata::detail
