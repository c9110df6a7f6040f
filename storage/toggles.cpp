#include "toggles.hpp"

#include <algorithm>

#include "store_change.hpp"

namespace strata::detail {
namespace {

bool has(const Store& store, Entity entity, ComponentId id) noexcept {
  const Place place = store.slots().find(entity);
  return place.block != nullptr && store.holds(place, entity, id);
}

bool is_off_for_any(const Store& store) noexcept {
  return std::ranges::any_of(store.registry().toggled(), [&](const Registry::Toggled& toggled) {
    return store.side().find(toggled.off)->size() != 0;
  });
}

/// Returns: the pool (sparse set) of the entities for which a component is switched off; see `find_off_pool`. Creates
/// the pool if the component was never switched off before.
/// Errors: std::bad_alloc; no component has been switched off then.
SparsePool& get_off_pool(Store& store, ComponentId id) {
  if (SparsePool* const pool = find_off_pool(store, id)) return *pool;
  SparsePool& pool = store.side().get(store.registry().add_off_tag(id));
  store.registry().set_off_tag(id, pool.id());
  return pool;
}

bool switch_off(Store& store, Entity entity, ComponentId id) {
  SparsePool& pool = get_off_pool(store, id);
  if (pool.insert(entity).existed) return false;
  if (pool.size() == 1) update_toggles(store);
  const ComponentId tag = pool.id();
  if (store.listened()) store.listener()->after({entity, {&tag, 1}, {}});
  return true;
}

bool switch_on(Store& store, Entity entity, ComponentId id) noexcept {
  SparsePool* const pool = find_off_pool(store, id);
  if (pool == nullptr || !pool->contains(entity)) return false;
  const ComponentId tag = pool->id();
  if (store.listened()) store.listener()->before({entity, {}, {&tag, 1}});
  pool->erase(entity);
  if (pool->size() == 0) update_toggles(store);
  if (store.listened()) store.listener()->after({entity, {}, {&tag, 1}});
  return true;
}

}  // namespace

// Functions that destroy entities do not call `update_toggles`. So when they destroy the last entity for which a
// component is switched off, ChangeGuard::toggled stays true. The only effect is that queries and changes then make
// tests that are not necessary.
void update_toggles(Store& store) noexcept {
  store.archetypes().mark_storage_moved();
  store.guard().mark_toggled(is_off_for_any(store));
}

bool toggle_component(Store& store, Entity entity, ComponentId id, bool on, CallSite at) {
  const char* const operation = on ? "enable" : "disable";
  STRATA_EXPECTS_AT(at, store.registry()[id].can_toggle,
                    std::string(operation) + " of \"" + store.registry()[id].name + "\" for entity " +
                        to_string(entity) +
                        ": the component cannot be switched off; set can_toggle where it is described");
  bool changed = false;
  bool notified = false;
  {
    const Store::Change change(store, operation, entity, at);
    notified = change.notified();
    if (has(store, entity, id)) changed = on ? switch_on(store, entity, id) : switch_off(store, entity, id);
  }
  if (notified) store.notification_ended();
  return changed;
}

void end_toggles(Store& store, Entity entity) noexcept {
  if (!store.guard().toggled()) return;
  for (const auto& [id, tag] : store.registry().toggled()) {
    SparsePool& off = *store.side().find(tag);
    if (off.contains(entity) && !has(store, entity, id) && off.erase(entity) && off.size() == 0)
      update_toggles(store);
  }
}

void end_toggles(Store& store, ComponentId id) noexcept {
  if (!store.guard().toggled()) return;
  SparsePool* const off = find_off_pool(store, id);
  if (off == nullptr) return;
  for (std::uint32_t i = off->size(); i-- > 0;) {
    const Entity entity = off->entities()[i];
    if (!has(store, entity, id) && off->erase(entity) && off->size() == 0) update_toggles(store);
  }
}

std::string check_toggles(const Store& store) {
  for (const auto& [id, tag] : store.registry().toggled()) {
    const SparsePool* const off = store.side().find(tag);
    if (off->size() != 0 && !store.guard().toggled())
      return "W5: the guard does not know that a component is off";
    for (const Entity entity : off->entities()) {
      if (!has(store, entity, id))
        return "W5: entity " + to_string(entity) + " does not have \"" + store.registry()[id].name +
               "\", which is off for it";
    }
  }
  return "";
}

}  // namespace strata::detail
