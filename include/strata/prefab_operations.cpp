#include "prefab_operations.hpp"

namespace strata {

bool PrefabOperations::is_prefab(Entity entity) const {
  return parts_->store.alive(entity) &&
         detail::flags_of(parts_->store, entity.index()).all().contains(detail::State::prefab);
}

}  // namespace strata
