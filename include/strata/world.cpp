#include "world.hpp"

#include "../../storage/set_storage.hpp"

namespace strata {

World::World(WorldOptions options)
    : WorldResources(memory_of(options)),
      WorldSorting(options),
      commands_(store_, hierarchy_, layers_),
      shrinker_(store_, hierarchy_, commands_.buffer()) {
  store_.on_iteration_end([](void* commands) { static_cast<Commands*>(commands)->buffer().apply(); },
                          &commands_);
}

World::~World() {
  store_.end();
  commands_.buffer().drop_all();
}

void World::set_storage(ComponentId id, Storage storage) {
  STRATA_EXPECTS(!layers_.uses(id), "set_storage of \"" + store_.registry()[id].name +
                                        "\", by which the world tells layers apart: it stays in tables");
  require_movable(store_, id, storage);
  const Store::Change change(store_, "set_storage", Entity());
  strata::set_storage(store_, id, storage);
  typed_.forget_archetypes();
}

bool World::create_at(Entity handle) {
  const Store::Change change(store_, "create_at", handle);
  if (!store_.slots().reserve_at(handle)) return false;
  detail::Rollback cancel([&] { store_.slots().cancel(handle.index()); });
  store_.create_reserved(handle, store_.archetypes().empty(), store_.tables().root());
  cancel.dismiss();
  return true;
}

Outcome World::validate() const {
  for (auto& complaint :
       {store_.check_invariants(), hierarchy_.check_invariants(), layers_.check_invariants(),
        resources_.check_invariants(), commands_.buffer().check_invariants()}) {
    if (!complaint.empty()) return Outcome::refused(complaint);
  }
  return Outcome::done();
}

bool World::shrink() {
  auto go_on = [] { return true; };
  return shrinker_.run(KeepGoing(go_on));
}

}  // namespace strata
