#include "world_hierarchy.hpp"

namespace strata {

WorldHierarchy::WorldHierarchy(const WorldOptions& options)
    : store_(memory_of(options), options.max_entities, options.world_number),
      hierarchy_(store_, {options.layout, options.large_family, options.settling}),
      layers_(store_),
      typed_(store_, hierarchy_) {
  STRATA_EXPECTS(options.max_entities <= Links::kMaxNodes,
                 "WorldOptions::max_entities is " + std::to_string(options.max_entities) + ", above " +
                     std::to_string(Links::kMaxNodes) + ", the most that a hierarchy can count");
}

std::optional<std::int32_t> WorldHierarchy::layer(Entity entity) const {
  const Place place = store_.slots().find(entity);
  if (place.block == nullptr) return std::nullopt;
  return layers_.key_of(layers_.find(table_of(*place.block).archetype()));
}

Entity WorldHierarchy::instantiate(Entity root) {
  Entity copy;
  hierarchy_.instantiate(root, Entity(), {&copy, 1});
  return copy;
}

std::vector<Entity> WorldHierarchy::instantiate(Entity root, std::size_t count) {
  store_.require_alive("instantiate", root);
  store_.slots().require_room(count);
  std::vector<Entity> copies(count);
  hierarchy_.instantiate(root, Entity(), copies);
  return copies;
}

Entity WorldHierarchy::instantiate(ChildOf above, Entity root) {
  store_.require_alive("instantiate below", above.parent, above.at);
  Entity copy;
  hierarchy_.instantiate(root, above.parent, {&copy, 1});
  return copy;
}

std::vector<Entity> WorldHierarchy::instantiate(ChildOf above, Entity root, std::size_t count) {
  store_.require_alive("instantiate below", above.parent, above.at);
  store_.require_alive("instantiate", root);
  store_.slots().require_room(count);
  std::vector<Entity> copies(count);
  hierarchy_.instantiate(root, above.parent, copies);
  return copies;
}

}  // namespace strata
