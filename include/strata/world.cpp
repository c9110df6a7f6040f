#include "world.hpp"

namespace strata {

World::World(WorldOptions options)
    : store_(options.memory != nullptr ? options.memory : std::pmr::new_delete_resource(),
             options.max_entities),
      hierarchy_(store_, {options.layout, options.large_family}),
      layers_(store_),
      commands_(store_, hierarchy_),
      typed_(store_, hierarchy_) {
  STRATA_EXPECTS(options.max_entities <= Links::kMaxNodes,
                 "WorldOptions::max_entities is above 536,870,912, the most that a hierarchy can count");
  store_.on_iteration_end(
      [](void* commands) {
        CommandBuffer& buffer = static_cast<Commands*>(commands)->buffer();
        if (!buffer.empty()) buffer.apply();
      },
      &commands_);
}

World::~World() = default;

bool World::create_at(Entity handle) {
  store_.expect_unlocked("create_at", handle);
  if (!store_.slots().reserve_at(handle)) return false;
  detail::Rollback cancel([&] { store_.slots().cancel(handle.index()); });
  store_.create_reserved(handle, store_.archetypes().empty(), store_.tables().root());
  cancel.dismiss();
  return true;
}

std::optional<std::int32_t> World::layer(Entity entity) const {
  const Place place = store_.slots().find(entity);
  if (place.block == nullptr) return std::nullopt;
  return layers_.key_of(layers_.find(table_of(*place.block).archetype()));
}

Entity World::instantiate(Entity root) {
  Entity copy;
  hierarchy_.instantiate(root, Entity(), {&copy, 1});
  return copy;
}

std::vector<Entity> World::instantiate(Entity root, std::size_t count) {
  std::vector<Entity> copies(count);
  hierarchy_.instantiate(root, Entity(), copies);
  return copies;
}

Entity World::instantiate(ChildOf above, Entity root) {
  store_.expect_alive("instantiate below", above.parent);
  Entity copy;
  hierarchy_.instantiate(root, above.parent, {&copy, 1});
  return copy;
}

std::vector<Entity> World::instantiate(ChildOf above, Entity root, std::size_t count) {
  store_.expect_alive("instantiate below", above.parent);
  std::vector<Entity> copies(count);
  hierarchy_.instantiate(root, above.parent, copies);
  return copies;
}

Outcome World::validate() const {
  for (auto& complaint :
       {store_.check_invariants(), hierarchy_.check_invariants(), layers_.check_invariants()}) {
    if (!complaint.empty()) return Outcome::refused(complaint);
  }
  return Outcome::done();
}

WorldStats World::stats() const {
  WorldStats stats{size(), store_.archetypes().all().size(), store_.tables().size(), 0};
  store_.tables().for_each([&](const Table& table) { stats.blocks += table.block_count(); });
  return stats;
}

}  // namespace strata
