#include "component_value.hpp"

namespace strata::detail {
namespace {

/// Calls `visit(id, value)` for each component of an entity.
template <class Visit>
void visit_components(const Store& store, Entity entity, Visit visit) {
  const Place place = store.slots().find(entity);
  if (place.block == nullptr) return;
  for (const ComponentId id : table_of(*place.block).archetype().signature().ids()) {
    visit(id, place.block->layout->find(*place.block, place.row, id));
  }
  store.side().for_each([&](const SparsePool& pool) {
    if (pool.contains(entity)) visit(pool.id(), pool.find(entity));
  });
}

}  // namespace

std::vector<ComponentValue> list_components(Store& store, Entity entity) {
  std::vector<ComponentValue> all;
  visit_components(store, entity, [&](ComponentId id, void* value) {
    all.push_back({id, &store.registry()[id], value});
  });
  for (const ComponentValue& one : all) store.note_write(store.slots().find(entity), one.id);
  return all;
}

std::vector<ConstComponentValue> list_components(const Store& store, Entity entity) {
  std::vector<ConstComponentValue> all;
  visit_components(store, entity, [&](ComponentId id, void* value) {
    all.push_back({id, &store.registry()[id], value});
  });
  return all;
}

}  // namespace strata::detail
