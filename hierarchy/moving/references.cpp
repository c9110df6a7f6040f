#include "references.hpp"

#include <vector>

#include "../../core/rollback.hpp"
#include "../../core/value_buffer.hpp"
#include "transferred_facts.hpp"

namespace strata::detail {
namespace {

/// Calls `visit(const ComponentInfo&, void* value, Entity)` for each component value of `entities` that may contain
/// entity handles, until `visit` returns false.
template <class Visit>
void for_each_value(const Store& store, std::span<const Entity> entities, Visit visit) {
  std::vector<const SparsePool*> pools;
  store.side().for_each([&](const SparsePool& pool) {
    if (pool.size() != 0 && pool.component().remap != nullptr) pools.push_back(&pool);
  });
  const BlockFormat* plain = nullptr;
  for (const Entity entity : entities) {
    const Place place = store.slots().place_of(entity.index());
    const BlockFormat& format = *place.block->format;
    bool is_plain = true;
    for (const Column& column : format.columns()) {
      if (&format == plain) break;
      if (column.component->remap == nullptr) continue;
      is_plain = false;
      if (!visit(*column.component, place.block->value(column.prefix, place.row, column.size), entity))
        return;
    }
    if (is_plain) plain = &format;
    for (const SparsePool* const pool : pools) {
      void* const value = pool->find(entity);
      if (value != nullptr && !visit(pool->component(), value, entity)) return;
    }
  }
}

/// The state of a search for references to entities that are not in a given list. `found` is the first live entity of
/// `store` to which a value refers and which is not in the list; null if none was found yet.
struct FoundOutside {
  const Store& store;
  Entity found;
};

std::string sentence(const std::string& name, Entity entity, Entity outside) {
  return "\"" + name + "\" of entity " + to_string(entity) + " refers to entity " + to_string(outside) +
         ", which is outside";
}

/// Calls `map` for each entity handle in a value of a component or pair. Works on a copy of the value, because the
/// `remap` function of a component may change the value even if `map` changes no handle: it may drop some handles (see
/// InstanceOf).
/// Contract: values of the component can be copied.
void remap_copy(const ComponentInfo& info, const void* value, const EntityMap& map) {
  ValueBuffer copy(info, std::pmr::new_delete_resource());
  info.copy_values(copy.get(), value, 1);
  const Rollback destroy([&] { info.destroy_values(copy.get(), 1); });
  info.remap(copy.get(), 1, map);
}

}  // namespace

void replace_references(const Store& store, std::span<const Entity> entities, const EntityMap& map,
                        std::size_t& done) {
  done = 0;
  for_each_value(store, entities, [&](const ComponentInfo& info, void* value, Entity) {
    ++done;
    info.remap(value, 1, map);
    return true;
  });
}

void restore_references(const Store& store, std::span<const Entity> entities, const EntityMap& map,
                        std::size_t count) noexcept {
  for_each_value(store, entities, [&](const ComponentInfo& info, void* value, Entity) {
    if (count == 0) return false;
    --count;
    info.remap(value, 1, map);
    return true;
  });
}

std::string find_reference_outside(const SavedParts& parts, std::span<const Entity> entities) {
  const std::vector<std::uint32_t> order = order_by_bits(entities);
  FoundOutside outside{parts.store, {}};
  const auto find = [](void* context, Entity entity) {
    auto& self = *static_cast<FoundOutside*>(context);
    if (!self.found && self.store.alive(entity)) self.found = entity;
    return entity;
  };
  const EntityMap map = EntityMap::make_sorted(entities, entities, order, find, &outside);
  std::string found;
  for_each_value(parts.store, entities, [&](const ComponentInfo& info, void* value, Entity entity) {
    if (info.can_copy()) {
      remap_copy(info, value, map);
    } else {
      info.remap(value, 1, map);  // Leaves the value as it is; see EntityMap.
    }
    if (outside.found) found = sentence(info.name, entity, outside.found);
    return !outside.found;
  });
  for (const Pairs* const pairs : parts.relations.all()) {
    const ComponentInfo& info = pairs->component();
    for (const Entity entity : entities) {
      const std::span<const Entity> targets = pairs->of(End::source, entity);
      for (std::uint32_t i = 0; i < targets.size() && found.empty(); ++i) {
        if (!map.contains(targets[i])) outside.found = targets[i];
        // Values that cannot be copied are not searched, because their pairs do not get into the part; see
        // ComponentMatch::add_relation.
        if (!outside.found && info.remap != nullptr && info.can_copy())
          remap_copy(info, pairs->value(entity, i), map);
        if (outside.found) found = sentence(info.name, entity, outside.found);
      }
    }
  }
  return found;
}

}  // namespace strata::detail
