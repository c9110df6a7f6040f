#include "hierarchy_commands.hpp"

#include "names/entity_names.hpp"
#include "relations/relation_set.hpp"

namespace strata::detail {

Outcome HierarchyCommands::create(Entity reserved, Archetype& archetype, Placement placement, Place* place) {
  if (!placement) {
    *place = store_.create_row(store_.tables().get(archetype, store_.tables().root()), reserved).place;
    return Outcome::done();
  }
  const Entity parent = Entity::from_bits(*placement);
  if (!store_.alive(parent)) {
    return Outcome::refused("entity " + to_string(reserved) + " was not created below entity " +
                            to_string(parent) + ", which is stale or was never issued");
  }
  Archetype& below = store_.tree_listened() ? archetype_below(store_, archetype, parent.index()) : archetype;
  *place = hierarchy_.append_below(parent.index(), below, reserved).place;
  return Outcome::done();
}

Outcome HierarchyCommands::move(Entity entity, Placement placement) {
  if (placement) return hierarchy_.set_parent(entity, Entity::from_bits(*placement));
  hierarchy_.clear_parent(entity);
  return Outcome::done();
}

Outcome HierarchyCommands::rename(Entity entity, std::string_view name) {
  return store_.alive(entity) ? hierarchy_.names().set(entity, name) : Outcome::done();
}

void HierarchyCommands::regroup(Entity entity, Group group) {
  if (store_.alive(entity)) layers_.set(entity, static_cast<std::int32_t>(group));
}

Outcome HierarchyCommands::destroy(Entity entity) {
  if (store_.tree_listened()) {
    if (Outcome may = hierarchy_.relations().may_destroy({&entity, 1}); !may) return may;
  }
  hierarchy_.destroy(entity, ChildPolicy::destroy);
  return Outcome::done();
}

Outcome HierarchyCommands::add_pair(Entity source, Entity target, ComponentId id, void* value) {
  RelationSet& relations = hierarchy_.relations();
  if (Outcome may = relations.may_add(id, source, target); !may) return may;
  const auto move = [](const ComponentInfo& component, void* to, void* from) noexcept {
    component.relocate_values(to, from, 1);
  };
  relations.add(*relations.find(id), source, target, {id, value, move}, {});
  return Outcome::done();
}

void HierarchyCommands::remove_pair(Entity source, Entity target, ComponentId id) {
  RelationSet& relations = hierarchy_.relations();
  Pairs* const pairs = relations.find(id);
  if (pairs == nullptr && store_.registry().find_or_unknown<strata::ChildOf>() == id) {
    if (target && hierarchy_.parent(source) == target) hierarchy_.clear_parent(source);
    return;
  }
  relations.remove(pairs, source, target, {});
}

}  // namespace strata::detail
