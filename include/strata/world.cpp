#include "world.hpp"

#include "../../hierarchy/names/entity_names.hpp"
#include "../../hierarchy/relations/pair.hpp"

namespace strata {
namespace {

Outcome refuse_restore(const detail::Slots& slots, Entity handle) {
  const std::uint32_t index = handle.index();
  const char* why = "it was never issued";
  if (handle && index < slots.size() && !slots.is_free(index)) {
    why = slots.alive(handle)      ? "it is alive"
          : slots.is_in_use(index) ? "its slot is in use"
                                   : "its slot has used all generations";
  }
  return Outcome::refused("entity " + to_string(handle) + " cannot be restored: " + why);
}

}  // namespace

detail::WorldParts& detail::parts_of(World& world) noexcept {
  return *world.parts_;
}
const detail::WorldParts& detail::parts_of(const World& world) noexcept {
  return *world.parts_;
}

World::World(WorldOptions options) : ComponentOperations(options) {
  parts_.set_world(this);
}

World::World(World&& other) noexcept : ComponentOperations(std::move(other)) {
  parts_.set_world(this);
}

World& World::operator=(World&& other) noexcept {
  ComponentOperations::operator=(std::move(other));
  parts_.set_world(this);
  return *this;
}

bool World::create_at(Entity handle) {
  detail::Store& store = parts_->store;
  const detail::UseScope use = store.changing("create_at");
  store.require_unlocked("create_at", handle);
  if (!store.slots().reserve_at(handle)) return false;
  detail::Rollback cancel([&] { store.slots().cancel(handle.index()); });
  store.create_row(store.archetypes().empty(), store.tables().root(), handle);
  cancel.dismiss();
  store.creation_ended(handle);
  return true;
}

Outcome World::restore(Entity handle) {
  detail::Store& store = parts_->store;
  const detail::UseScope use = store.changing("restore");
  store.require_unlocked("restore", handle);
  {
    const detail::ChangeGuard::Operation forgetting(store.guard(),
                                                    "restore");  // Destroys functions of the user.
    parts_->events.router().forget_slot(handle);
  }
  if (!store.slots().can_reserve_again(handle)) {
    Outcome refused = refuse_restore(store.slots(), handle);
    store.change_ended();
    return refused;
  }
  detail::Table& roots = store.tables().get(store.archetypes().empty(), store.tables().root());
  store.make_room_for_row(roots, handle);
  store.slots().reserve_again(handle);
  store.append_row(roots, handle);
  store.creation_ended(handle);
  return Outcome::done();
}

bool World::defragment(std::size_t budget) {
  return parts_->hierarchy.defragment(budget);
}

std::optional<std::int32_t> World::layer(Entity entity) const {
  const auto parts = parts_.read();
  const detail::Place place = parts->store.slots().find(entity);
  if (place.block == nullptr) return std::nullopt;
  return parts->layers.key_of(parts->layers.find(detail::table_of(*place.block).archetype()));
}

RuntimeQuery World::query(std::span<const Term> terms) {
  return {parts_.read()->store, terms, &parts_->hierarchy.parents()};
}

ConstRuntimeQuery World::query(std::span<const Term> terms) const {
  return {parts_.read()->store, terms, &parts_->hierarchy.parents()};
}

Outcome World::validate() const {
  const detail::WorldParts& all = *parts_;
  const detail::UseScope use = all.store.reading("validate");
  for (auto& complaint :
       {all.store.check_invariants(), all.hierarchy.check_invariants(), all.layers.check_invariants(),
        all.states.check_invariants(), all.resources.check_invariants(),
        all.commands.buffer().check_invariants(), all.events.router().check_invariants()}) {
    if (!complaint.empty()) return Outcome::refused(complaint);
  }
  return Outcome::done();
}

bool World::shrink() {
  return shrink([] { return true; });
}

}  // namespace strata
