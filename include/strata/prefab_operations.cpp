#include "prefab_operations.hpp"

#include "../../hierarchy/prefabs/instances.hpp"

namespace strata {

bool PrefabOperations::is_prefab(Entity entity) const {
  return parts_.read()->store.alive(entity) &&
         detail::flags_of(parts_->store, entity.index()).all().contains(detail::State::prefab);
}

Entity PrefabOperations::prefab_of(Entity instance) const {
  return detail::prefab_of(parts_.read()->store, parts_->hierarchy.relations(), instance);
}

Entity PrefabOperations::counterpart(Entity instance, Entity node) const {
  return detail::counterpart(parts_.read()->store, parts_->hierarchy.relations(), instance, node);
}

}  // namespace strata
