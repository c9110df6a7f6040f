#include "observed_changes.hpp"

#include <vector>

#include "../core/value_buffer.hpp"
#include "hidden_entity.hpp"
#include "required_values.hpp"
#include "toggles.hpp"

namespace strata::detail {
namespace {

std::span<const ComponentId> list_of(const ComponentId& id) {
  return {&id, 1};
}

/// Moves a given value to the uninitialised memory `to`. If the component's values are moved by copying bytes, no user
/// code runs. Otherwise, the move may run user code: meanwhile, look-ups do not find the entity, and structural changes
/// and queries are refused.
STRATA_ALWAYS_INLINE inline void build_hidden(Store& store, Entity entity, void* to,
                                              const GivenValue& given) noexcept {
  const ComponentInfo& component = store.registry()[given.id];
  if (component.relocate == nullptr) return given.build(component, to, given.value);
  const HiddenEntity hidden(store, entity, given.id);
  const ChangeGuard::Moving moving(store.guard());
  given.build(component, to, given.value);
}

}  // namespace

void replace_and_notify(Store& store, const char* operation, Entity entity, void* place,
                        const GivenValue& given) {
  const ComponentInfo& component = store.registry()[given.id];
  const ValueBuffer old(component, store.memory());
  if (component.relocate == nullptr) {  // The move copies bytes, so no user code runs.
    copy_bytes(old.get(), place, component.size);
    given.build(component, place, given.value);
  } else {
    const HiddenEntity hidden(store, entity, given.id);
    const ChangeGuard::Moving moving(store.guard());
    component.relocate(old.get(), place, 1);
    given.build(component, place, given.value);
  }
  if (store.listened()) store.listener()->replaced(entity, given.id, place, old.get());
  if (component.destroy == nullptr) return;
  const ChangeGuard::Operation destroying(store.guard(), operation);
  component.destroy(old.get(), 1);
}

void* add_and_notify(Store& store, Entity entity, const GivenValue& given, CallSite at) {
  const Place place = store.require_alive("add", entity, at);
  return finish_observed_addition(store, entity, given, store.add_at(place, entity, given.id));
}

void* finish_observed_addition(Store& store, Entity entity, const GivenValue& given, Store::Added added) {
  ChangeListener& listener = *store.listener();
  void* const value = added.value;
  if (!added.existed) {
    if (value != nullptr) build_hidden(store, entity, value, given);
    notify_added(store, entity, given.id, value);
    return value;
  }
  if (value != nullptr) {
    if (value != given.value) {
      replace_and_notify(store, "add", entity, value, given);
    } else {
      listener.written(entity, given.id, value);
    }
  }
  store.change_ended();
  listener.finish();
  return value;
}

void* add_with_required(Store& store, Entity entity, const GivenValue& given) {
  if (!store.listened()) {
    const Place row = add_required_in_row(store, store.slots().find(entity), entity, given.id);
    if (row.block != nullptr) [[likely]] {
      void* const value = row.block->format->find(*row.block, row.row, given.id);
      if (value != nullptr) build_hidden(store, entity, value, given);
      return value;
    }
  }
  RequiredValues required(store, entity, given.id);
  required.build();
  void* const value = required.add();
  if (value != nullptr) build_hidden(store, entity, value, given);
  if (!store.listened()) return value;
  store.listener()->after({entity, required.added(), {}});
  store.change_ended();
  store.listener()->finish();
  return value;
}

bool remove_and_notify(Store& store, Entity entity, ComponentId id) {
  const Place place = store.slots().find(entity);
  if (place.block == nullptr) return false;
  const bool in_row = place.block->format->contains(id);
  SparsePool* const pool = in_row ? nullptr : store.side().find(id);
  const std::uint32_t position = pool != nullptr ? pool->position_of(entity) : SparsePool::kAbsent;
  const bool held = in_row || position != SparsePool::kAbsent;
  if (store.observer() != nullptr) store.observer()->removed(id, place, held);
  if (!held) return false;
  if (in_row) store.make_room_to_remove(place, id);
  ChangeListener& listener = *store.listener();
  const bool notified_after = listener.removing(
      entity, id, in_row ? place.block->format->find(*place.block, place.row, id) : pool->value_at(position));
  in_row ? store.remove_held(place, entity, id) : pool->erase(entity);
  if (notified_after) listener.removed(entity, id);
  end_toggles(store, entity);
  store.change_ended();
  listener.finish();
  return true;
}

std::size_t clear_pool(Store& store, SparsePool& pool) {
  const std::size_t members = pool.size();
  if (store.listened()) {
    // The listener is notified before and after each single removal. Whether an entity matches the terms of an observer
    // may depend on components of other entities, so the removals cannot be reported together.
    const std::vector<Entity> leaving(pool.entities().begin(), pool.entities().end());
    for (const Entity entity : leaving) {
      store.listener()->before({entity, {}, list_of(pool.id())});
      pool.erase(entity);
      store.listener()->after({entity, {}, list_of(pool.id())});
    }
  } else {
    pool.clear();
  }
  end_toggles(store, pool.id());
  store.change_ended();
  store.notification_ended();
  return members;
}

void notify_written(Store& store, Entity entity, ComponentId id, void* value) {
  if (!store.listened()) return;
  store.listener()->written(entity, id, value);
  store.listener()->finish();
}

}  // namespace strata::detail
