// Functions that move values of C++ types into rows and pools, guarded if a move may run user code.
#pragma once

#include <cstddef>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include "../../../storage/hidden_entity.hpp"

namespace strata::detail {

/// Whether moving and destroying a value runs no code of T.
template <class T>
inline constexpr bool is_plain = std::is_trivially_copyable_v<T>&& std::is_trivially_destructible_v<T>;

/// The type by which the value of a new entity is passed on. Plain values are passed by value: references
/// would keep them in memory. Other values are passed by reference, because passing them by value would run
/// their move constructor unguarded.
template <class T>
using Passed = std::conditional_t<is_plain<T>, T, T&>;

/// Replaces a value of an entity without using its assignment operator. The old value is destroyed at the
/// end.
template <class T>
T& replace(Store& store, const char* name, Entity entity, T& place, T& value) noexcept {
  if constexpr (is_plain<T>) {
    return *::new (static_cast<void*>(&place)) T(std::move(value));
  } else {
    const ChangeGuard::Operation operation(store.guard(), name);
    std::optional<HiddenEntity> hidden(std::in_place, store, entity, store.registry().id_of<T>());
    std::optional<ChangeGuard::Moving> moving(std::in_place, store.guard());
    [[maybe_unused]] const T old(std::move(place));
    place.~T();
    T& replacement = *::new (static_cast<void*>(&place)) T(std::move(value));
    moving.reset();
    hidden.reset();
    return replacement;  // The old value is destroyed here.
  }
}

/// Builds a component's value in the uninitialised memory `place` by moving `value` there. The entity is new
/// or has just got the component. While a move constructor runs, look-ups do not find the entity.
template <class T>
T& build_value(Store& store, Entity entity, void* place, T& value) noexcept {
  if constexpr (is_plain<T>) {
    return *::new (place) T(std::move(value));
  } else {
    const HiddenEntity hidden(store, entity, store.registry().id_of<T>());
    const ChangeGuard::Moving moving(store.guard());
    return *::new (place) T(std::move(value));
  }
}

/// Hides the entity of a new row from look-ups as long as this object exists. Constructors that run while the
/// values are built then cannot read values that are not built yet.
class HiddenRow {
 public:
  HiddenRow(Store& store, const NewRow& row) : store_(store), row_(row), moving_(store.guard()) {
    store.slots().hide(row.entity.index());
  }
  HiddenRow(const HiddenRow&) = delete;
  HiddenRow& operator=(const HiddenRow&) = delete;
  ~HiddenRow() { store_.slots().place(row_.entity.index(), row_.place); }

 private:
  Store& store_;
  NewRow row_;
  ChangeGuard::Moving moving_;
};

/// Replaces HiddenRow if building the values runs no user code. Does nothing.
struct VisibleRow {
  VisibleRow(const Store&, const NewRow&) {}
};

/// The guard to hold while the values of a new row are built.
template <class... Ts>
using Making = std::conditional_t<(is_plain<Ts> && ...), VisibleRow, HiddenRow>;

/// A component value of a new entity with its type erased: where the value is, and how to move it into a row
/// or pool.
struct NewValue {
  using Build = void (*)(void* to, void* from) noexcept;

  ComponentId id;
  void* value;
  std::size_t size;
  bool plain;
  Build build;  ///< Moves the value to uninitialised memory; null for a tag.
};

/// Returns: a NewValue that refers to `value`.
template <class T>
NewValue new_value(ComponentId id, T& value) {
  if constexpr (is_tag<T>) {
    return {id, nullptr, 0, true, nullptr};
  } else {
    return {id, &value, sizeof(T), is_plain<T>,
            [](void* to, void* from) noexcept { ::new (to) T(std::move(*static_cast<T*>(from))); }};
  }
}

}  // namespace strata::detail
