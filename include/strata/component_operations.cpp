#include "component_operations.hpp"

#include "../../core/rollback.hpp"
#include "../../core/value_buffer.hpp"
#include "../../hierarchy/relations/pair.hpp"
#include "../../storage/observed_changes.hpp"
#include "../../storage/set_storage.hpp"

namespace strata {
namespace {

/// Calls `visit(id, value)` for each component of an entity: first for those stored in tables, then for those in the
/// side store (sparse sets), both in the order of ids. Components that the library adds for its own use
/// (Registry::is_kept) are left out. `value` is null for a tag. Does nothing if the entity is stale.
template <class Visit>
void visit_components(const detail::Store& store, Entity entity, Visit visit) {
  const detail::Place place = store.slots().find(entity);
  if (place.block == nullptr) return;
  for (const ComponentId id : detail::table_of(*place.block).archetype().signature().ids()) {
    if (!store.registry().is_kept(id)) visit(id, place.block->format->find(*place.block, place.row, id));
  }
  store.side().for_each([&](const detail::SparsePool& pool) {
    if (!store.registry().is_kept(pool.id()) && pool.contains(entity)) visit(pool.id(), pool.find(entity));
  });
}

}  // namespace

ComponentId ComponentOperations::component(const ComponentInfo& description) {
  return parts_->store.registry().add(description);
}

std::optional<ComponentId> ComponentOperations::find_component(std::string_view name) const {
  return parts_.read()->store.registry().find(name);
}

const ComponentInfo& ComponentOperations::component_info(ComponentId id) const {
  static const ComponentInfo child_of = describe<ChildOf>();
  return id != kChildOf ? parts_.read()->store.registry()[id] : child_of;
}

void* ComponentOperations::add(Entity entity, ComponentId id, void* value) {
  detail::Store& store = parts_->store;
  const detail::UseScope use = store.changing("add");
  store.registry().require_free("add", id);
  // Store::add checks whether `value` points to a value of an entity (see require_given). It does not know the values
  // of pairs, so this function checks whether `value` points to one of them.
  STRATA_EXPECTS(!parts_->hierarchy.relations().holds_value_at(value),
                 "add of \"" + store.registry()[id].name + "\" to entity " + to_string(entity) +
                     ": the value is stored in this world: copy it, or move it out, first");
  return store.add(entity, id, value);
}

void* ComponentOperations::set(Entity entity, ComponentId id, const void* value) {
  detail::Store& store = parts_->store;
  const detail::UseScope use = store.changing("set");
  const ComponentInfo& component = store.registry()[id];
  store.registry().require_free("set", id);
  void* const place = store.find(entity, id);
  if (place == nullptr) parts_->typed.refuse_absent("set", entity, "value of " + component.name, {});
  STRATA_EXPECTS(component.can_copy(), "set of \"" + component.name +
                                           "\": its values cannot be copied: call add, which moves them");
  STRATA_EXPECTS(value != nullptr,
                 "set of \"" + component.name + "\": null was passed: pass the address of a value");
  store.guard().begin_replacement();  // Commands that the copy function records belong to this call.
  const detail::ValueBuffer copy(component, store.memory());
  {
    const detail::ChangeGuard::Operation operation(store.guard(), "set");
    component.copy_values(copy.get(), value, 1);
  }
  detail::Rollback destroy([&] { component.destroy_values(copy.get(), 1); });
  store.mark_write(store.slots().find(entity), id);
  const auto move = [](const ComponentInfo& of, void* to, void* from) noexcept {
    of.relocate_values(to, from, 1);
  };
  detail::replace_and_notify(store, "set", entity, place, {id, copy.get(), move});
  destroy.dismiss();
  store.change_ended();
  store.notification_ended();
  return place;
}

void ComponentOperations::set_storage(ComponentId id, Storage storage) {
  detail::WorldParts& parts = *parts_;  // User code that moves values may move the World.
  detail::Store& store = parts.store;
  const detail::UseScope use = store.changing("set_storage");
  STRATA_EXPECTS(!parts.layers.uses(id), "set_storage of \"" + store.registry()[id].name +
                                             "\", which identifies layers: it has to stay in tables");
  static_cast<void>(store.registry()[id]);  // Contract: this world issued the id.
  STRATA_EXPECTS(!store.registry().is_kept(id),
                 "set_storage of \"" + store.registry()[id].name +
                     "\", which only the library adds and removes: it stays where it is");
  STRATA_EXPECTS(!store.registry().is_state_tag(id), "set_storage of \"" + store.registry()[id].name +
                                                         "\", which says whether entities are disabled or "
                                                         "prefabs: it has to stay in tables");
  store.registry().require_free("set_storage", id);
  detail::require_movable(store, id, storage);
  const detail::Store::Change change(store, "set_storage", Entity());
  detail::set_storage(store, id, storage);
  parts.typed.forget_archetypes();
}

std::vector<ComponentValue> ComponentOperations::components(Entity entity) {
  detail::Store& store = parts_->store;
  const detail::UseScope use = store.reading("components");
  std::vector<ComponentValue> all;
  visit_components(store, entity, [&](ComponentId id, void* value) {
    all.push_back({id, &store.registry()[id], value});
  });
  for (const ComponentValue& one : all) store.mark_write(store.slots().find(entity), one.id);
  return all;
}

std::vector<ConstComponentValue> ComponentOperations::components(Entity entity) const {
  const detail::Store& store = parts_->store;
  const detail::UseScope use = store.reading("components");
  std::vector<ConstComponentValue> all;
  visit_components(store, entity, [&](ComponentId id, void* value) {
    all.push_back({id, &store.registry()[id], value});
  });
  return all;
}

}  // namespace strata
