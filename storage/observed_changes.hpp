// Functions that change one component of an entity and report the change to the store's ChangeListener.
#pragma once

#include <cstddef>

#include "../core/compiler.hpp"
#include "store.hpp"

namespace strata::detail {

/// The value that a caller passes for a component, and the function that moves this value to uninitialised memory.
struct GivenValue {
  using Build = void (*)(const ComponentInfo& component, void* to, void* from) noexcept;

  ComponentId id;
  void* value;  ///< The address of the value; null for a tag.
  Build build;  ///< Moves the value; not called for a tag.
};

/// Adds a component to an entity or replaces its value, as Store::add does, and notifies the listener, which calls user
/// code (see ChangeListener).
/// Returns: the address of the stored value; null for a tag. The address is invalid if this user code has recorded
/// commands that move or destroy the value.
/// Errors: std::bad_alloc (nothing has changed); exceptions of the listener's user code (the change is complete).
/// Contract: the entity is alive; Store::listened is true; the caller has called Store::require_unlocked for this
/// change. This function calls Store::change_ended.
void* add_and_notify(Store& store, Entity entity, const GivenValue& given, CallSite at = {});

/// The last step of an addition: notifies the listener that the entity has got the component, and ends the change.
/// `value` is the address of the new value; null for a tag.
/// Errors: exceptions of the listener's user code, thrown after the change has ended.
inline void notify_added(Store& store, Entity entity, ComponentId id, void* value) {
  store.listener()->added(entity, id, value);
  store.change_ended();
  store.listener()->finish();
}

/// The second half of `add_and_notify`. The caller has called Store::add_at and passes its result, `added`. Builds the
/// value or, if the entity had the component before, replaces the old value. If the given value is that old value
/// itself, leaves it where it is. Then notifies the listener and ends the change.
/// Returns: what `add_and_notify` returns.
/// Errors: those of `add_and_notify`.
/// Contract: that of `add_and_notify`.
STRATA_API void* finish_observed_addition(Store& store, Entity entity, const GivenValue& given,
                                          Store::Added added);

/// Adds a component that the entity lacks, and the components that this component requires. If Store::listened is true,
/// also notifies the listener and ends the change. If it is false, the caller has to end the change.
/// Returns: the address of the stored value; null for a tag. The address is invalid if the listener's user code has
/// recorded commands that move or destroy the value.
/// Errors: std::bad_alloc, and what building a required value throws (nothing has changed); exceptions of the
/// listener's user code (the change is complete).
/// Contract: the entity is alive and lacks the component; the caller has begun a change.
STRATA_API void* add_with_required(Store& store, Entity entity, const GivenValue& given);

/// Replaces the value of an entity's component at the address `place`, and notifies the listener, if there is one. The
/// row does not move. `operation` is the name of the change in messages.
/// Errors: std::bad_alloc (nothing has changed); exceptions of the listener's user code (the change is complete).
/// Contract: `place` is the address of the entity's value; the component is no tag.
STRATA_API void replace_and_notify(Store& store, const char* operation, Entity entity, void* place,
                                   const GivenValue& given);

/// Removes a component from an entity, as Store::remove does, and notifies the listener.
/// Returns: whether the entity had the component.
/// Errors: those of Store::remove.
/// Contract: the caller has begun a change of which the listener has to be notified (see Store::require_unlocked). If
/// the entity had the component, this function ends the change; otherwise nothing has changed, and nothing is to be
/// ended.
STRATA_API bool remove_and_notify(Store& store, Entity entity, ComponentId id);

/// Does what `remove_and_notify` does, for a component of type T whose pool (sparse set) the caller passes.
/// Contract: that of `remove_and_notify`. T is not a component that can be switched off (see toggles.hpp).
template <class T>
bool remove_from_pool_and_notify(Store& store, SparsePool& pool, Entity entity) {
  bool notified_after = false;
  const bool erased = pool.erase_as<T>(entity, [&](std::uint32_t position) {
    void* value = nullptr;
    if constexpr (!is_tag<T>) value = pool.value_at_as<T>(position);
    notified_after = store.listener()->removing(entity, pool.id(), value);
  });
  if (!erased) return false;
  if (notified_after) store.listener()->removed(entity, pool.id());
  store.change_ended();
  store.listener()->finish();
  return true;
}

/// Removes a component from all entities that have it, and notifies the listener, if there is one. `pool` is the sparse
/// set in which the component is stored.
/// Returns: the number of entities that had the component.
/// Errors: std::bad_alloc, only if there is a listener (nothing has changed); exceptions of the listener's user code
/// (the change is complete).
/// Contract: no query is iterating, and no operation that runs user code is under way; see ChangeGuard.
/// Complexity: O(members of the pool).
STRATA_API std::size_t clear_pool(Store& store, SparsePool& pool);

/// Notifies the listener, if there is one, that the value of a component was changed in place.
/// Errors: exceptions of the listener's user code.
STRATA_API void notify_written(Store& store, Entity entity, ComponentId id, void* value);

}  // namespace strata::detail
