#include "component_value.hpp"

#include <vector>

#include "../../hierarchy/relations/pair.hpp"
#include "world.hpp"

namespace strata {
namespace {

/// Calls `visit(id, value)` for each component of an entity: first for those stored in tables, then for those in the
/// side store (sparse sets), both in the order of ids. Components that the library keeps are left out. `value` is null
/// for a tag. Calls nothing if the entity is stale.
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

std::vector<ComponentValue> World::components(Entity entity) {
  detail::Store& store = parts_->store;
  const detail::UseScope use = store.reading("components");
  std::vector<ComponentValue> all;
  visit_components(store, entity, [&](ComponentId id, void* value) {
    all.push_back({id, &store.registry()[id], value});
  });
  for (const ComponentValue& one : all) store.mark_write(store.slots().find(entity), one.id);
  return all;
}

std::vector<ConstComponentValue> World::components(Entity entity) const {
  const detail::Store& store = parts_->store;
  const detail::UseScope use = store.reading("components");
  std::vector<ConstComponentValue> all;
  visit_components(store, entity, [&](ComponentId id, void* value) {
    all.push_back({id, &store.registry()[id], value});
  });
  return all;
}

}  // namespace strata
