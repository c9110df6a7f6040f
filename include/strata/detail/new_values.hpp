// Functions that move values of components into table rows and pools (sparse sets). While a move constructor runs,
// look-ups do not find the entity, so that user code reads no value that is only partly moved.
#pragma once

#include <cstddef>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include "../../../storage/hidden_entity.hpp"

namespace strata::detail {

/// Whether moving and destroying a T runs no user code: it can be copied as bytes, and its destructor does nothing.
template <class T>
inline constexpr bool is_plain = std::is_trivially_copyable_v<T>&& std::is_trivially_destructible_v<T>;

/// Whether T() is a constant expression, and so runs no code of the program that could use a world.
template <class T>
concept ConstantInitialised = requires {
  typename std::bool_constant<(static_cast<void>(T()), true)>;
};

/// Whether T() may run code of the program.
template <class T>
inline constexpr bool initialisation_runs_code = !is_plain<T> || !ConstantInitialised<T>;

/// The type of the parameters through which the values of a new entity are passed from function to function. Values
/// that can be copied as bytes are passed by value: a value that is passed by reference has to be in memory, and not in
/// a register. Other values are passed by reference, because passing them by value would run their move constructors
/// before the new entity is hidden from look-ups (see HiddenRow).
template <class T>
using Passed = std::conditional_t<is_plain<T>, T, T&>;

/// Replaces the value at `place`, which belongs to `entity`, by `value`. Uses T's move constructor, because a component
/// need not have an assignment operator. The old value is destroyed at the end. While a move constructor runs, look-ups
/// do not find the entity. `name` is the name of the operation, for messages.
/// Returns: the new value.
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

/// Moves `value` into the uninitialised memory `place`, as a component of an entity that is new or has just
/// got the component. While a move constructor runs, look-ups do not find the entity.
/// Returns: the new value.
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

/// As long as a HiddenRow exists, look-ups do not find the entity of a new row. So constructors that run while the
/// values of the row are built cannot read values that are not built yet.
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

/// Used instead of HiddenRow (which hides a new entity from look-ups) if building the values runs no user code, so that
/// nothing has to be hidden.
struct VisibleRow {
  VisibleRow(const Store&, const NewRow&) {}
};

/// Code that builds the values of a new row with the components Ts makes an object of this type first, and destroys it
/// when the values are built. The type is HiddenRow, or VisibleRow if building these values runs no user code.
template <class... Ts>
using Making = std::conditional_t<(is_plain<Ts> && ...), VisibleRow, HiddenRow>;

/// A component value for a new entity, for functions that do not know its C++ type T: where the value is (null for a
/// tag), its size in bytes, whether T is plain (see is_plain), and a function that moves the value into a row or pool.
struct NewValue {
  using Build = void (*)(void* to, void* from) noexcept;

  ComponentId id;
  void* value;
  std::size_t size;
  bool plain;
  Build build;  ///< Moves the value to uninitialised memory; null for a tag.
};

/// Returns: a NewValue that refers to `value`.
/// Contract: `value` outlives the result.
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
