#include "state_operations.hpp"

namespace strata {

bool StateOperations::disabled(Entity entity) const {
  return static_cast<bool>(disabled_by(entity));
}

DisabledBy StateOperations::disabled_by(Entity entity) const {
  const auto parts = parts_.read();
  if (!parts->store.alive(entity)) return {};
  const detail::StateFlags flags = detail::flags_of(parts->store, entity.index());
  return {flags.itself.contains(kDisabled), flags.subtree.contains(kDisabled),
          flags.above.contains(kDisabled)};
}

bool StateOperations::enabled(Entity entity, ComponentId id) const {
  return parts_.read()->store.has(entity, id) && !detail::is_off(parts_->store, entity, id);
}

}  // namespace strata
