#include "tree_operations.hpp"

#include "../../storage/given_values.hpp"

namespace strata {

void detail::instantiate_into(WorldParts& parts, Entity root, Entity above, std::span<Entity> copies,
                              std::span<const Override> overrides) {
  const UseScope use = parts.store.changing("instantiate");
  parts.store.require_alive("instantiate", root);
  STRATA_EXPECTS(
      !detail::holds_value_at(parts.store, copies.data()),
      "instantiate: the span for the copies is stored in this world, where rows are going to move: "
      "pass one outside");
  parts.hierarchy.instantiate(root, above, copies, overrides);
}

std::vector<Entity> detail::instantiate_many(WorldParts& parts, Entity root, Entity above, std::size_t count,
                                             std::span<const Override> overrides) {
  const UseScope use = parts.store.changing("instantiate");
  parts.store.require_alive("instantiate", root);
  parts.store.slots().require_room(count);
  std::vector<Entity> copies(count);
  parts.hierarchy.instantiate(root, above, copies, overrides);
  return copies;
}

Outcome TreeOperations::move_child_before(Entity child, Entity sibling) {
  return parts_->hierarchy.move_child_before(child, sibling);
}

bool TreeOperations::is_ancestor(Entity ancestor, Entity of) const {
  return parts_.read()->hierarchy.is_ancestor(ancestor, of);
}

std::vector<Entity> TreeOperations::breadth_first(Entity entity) const {
  return parts_.read()->hierarchy.breadth_first(entity);
}

Entity TreeOperations::instantiate(Entity root) {
  Entity copy;
  parts_->hierarchy.instantiate(root, Entity(), {&copy, 1});
  return copy;
}

std::vector<Entity> TreeOperations::instantiate(Entity root, std::size_t count) {
  return detail::instantiate_many(*parts_, root, Entity(), count);
}

Entity TreeOperations::instantiate(detail::ParentArgument above, Entity root) {
  parts_->store.require_alive("instantiate below", above.parent, above.at);
  Entity copy;
  parts_->hierarchy.instantiate(root, above.parent, {&copy, 1});
  return copy;
}

std::vector<Entity> TreeOperations::instantiate(detail::ParentArgument above, Entity root,
                                                std::size_t count) {
  parts_->store.require_alive("instantiate below", above.parent, above.at);
  return detail::instantiate_many(*parts_, root, above.parent, count);
}

void TreeOperations::instantiate(Entity root, std::span<Entity> copies) {
  detail::instantiate_into(*parts_, root, Entity(), copies);
}

void TreeOperations::instantiate(detail::ParentArgument above, Entity root, std::span<Entity> copies) {
  parts_->store.require_alive("instantiate below", above.parent, above.at);
  detail::instantiate_into(*parts_, root, above.parent, copies);
}

}  // namespace strata
