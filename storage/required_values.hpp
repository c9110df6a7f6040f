// RequiredValues: adds a component to an entity, together with the components that this component requires, as one
// structural change.
#pragma once

#include <cstddef>
#include <memory_resource>
#include <span>

#include "store.hpp"

namespace strata::detail {

/// A fast path. Adds a component to the entity whose row is at `place`, and the components that this component
/// requires, with their initial values. The row moves once. Does nothing unless the following is true: the added
/// component is stored in tables, as are all required components that are not in the row yet; the initial values can be
/// built without exceptions; and the store has no AccessObserver.
/// Returns: the new place of the row. There, the value of the component `id` is uninitialised. If nothing was done, the
/// result is a place with a null block.
/// Errors: std::bad_alloc; nothing has changed then.
/// Contract: the entity is alive and lacks the component; Store::listened is false, so no ChangeListener has to be
/// notified.
Place add_required_in_row(Store& store, Place place, Entity entity, ComponentId id);

/// An addition of a component to an entity, together with the components that it requires. Initial values whose
/// construction may throw are built outside of the tables first, so that nothing has changed if an exception is thrown.
/// The other values are built at their final place. The order of calls: `build`, then `add`.
class RequiredValues {
 public:
  /// Contract: the entity is alive and does not have the component `id`.
  RequiredValues(Store& store, Entity entity, ComponentId id);
  RequiredValues(const RequiredValues&) = delete;
  RequiredValues& operator=(const RequiredValues&) = delete;
  ~RequiredValues();

  /// Lists the components to add. Builds the initial values whose construction may throw, outside of the tables.
  /// Errors: std::bad_alloc, and what building a value throws.
  void build();

  /// Adds the component and those components that it requires and the entity lacks. The required components get their
  /// initial values. The value of the component itself is uninitialised: the caller builds it afterwards. The row of
  /// the entity moves at most once.
  /// Returns: the address of this uninitialised value; null for a tag.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Contract: `build` was called.
  void* add();

  /// Returns: the components that `build` has listed and `add` adds, in ascending order: the component itself, and
  /// those required ones that the entity lacks.
  std::span<const ComponentId> added() const { return added_; }

 private:
  struct Value {
    const RequiredComponent* required;
    const ComponentInfo* component;
    // The initial value, if `build` has built it outside of the tables and `add` has not moved it to its place yet;
    // otherwise null.
    void* beside;

    bool in_table() const { return component->storage == Storage::table; }
  };

  bool is_in_table(ComponentId id) const { return store_.registry()[id].storage == Storage::table; }
  template <class T>
  T* take(std::size_t count) {
    return static_cast<T*>(memory_.allocate(count * sizeof(T), alignof(T)));
  }
  Archetype& archetype_above(Archetype& from) const;
  void join(Value& value);
  void leave(std::size_t joined) noexcept;
  void put(Value& value, void* to) noexcept;
  void fill_row(Place place) noexcept;

  Store& store_;
  const Entity entity_;
  const ComponentId id_;
  // The memory that `memory_` uses first. It suffices for a few components; for more, `memory_` allocates memory.
  alignas(std::max_align_t) std::byte bytes_[512];
  std::pmr::monotonic_buffer_resource memory_;
  std::span<Value> values_;
  std::span<ComponentId> added_;
};

}  // namespace strata::detail
