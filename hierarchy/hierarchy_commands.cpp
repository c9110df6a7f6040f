#include "hierarchy_commands.hpp"

#include "names/entity_names.hpp"

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
  *place = hierarchy_.append_below(parent.index(), archetype, reserved).place;
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

}  // namespace strata::detail
