#include "store.hpp"

#include <cstdlib>
#include <exception>

#include "../core/try_allocating.hpp"
#include "given_values.hpp"
#include "hidden_entity.hpp"
#include "observed_changes.hpp"
#include "required_values.hpp"
#include "store_change.hpp"
#include "toggles.hpp"

namespace strata::detail {

Store::Store(std::pmr::memory_resource* memory, std::uint32_t max_entities, std::uint32_t world_number)
    : memory_(memory),
      registry_(memory),
      slots_(memory, max_entities, world_number),
      pool_(memory),
      archetypes_(registry_, memory),
      tables_(memory),
      side_(registry_, memory, &guard_),
      rows_(slots_, pool_, memory, &guard_),
      replaced_(memory) {
  registry_.check_uses(guard_.uses());
}

Store::~Store() {
  end();
}

void Store::end() noexcept {
  const ChangeGuard::Operation operation(guard_, "the end of the world");
  bool destroys = false;
  for (const Archetype* archetype : archetypes_.all()) destroys = destroys || archetype->format().destroys();
  side_.for_each([&](const SparsePool& pool) { destroys = destroys || pool.component().destroy != nullptr; });
  for (std::uint32_t index = 0; destroys && index < slots_.size(); ++index) {
    if (slots_.is_live(index)) slots_.release(index);
  }
  rows_.drop_kept_blocks();
  tables_.for_each([&](Table& table) { rows_.clear(table); });
  if (destroys) side_.clear();
  destroy_dead();
}

NewRow Store::create_row(Archetype& archetype, Branch& branch, Entity reserved) {
  return create_row(tables_.get(archetype, branch), reserved);
}

bool Store::destroy(Entity entity) {
  const Change change(*this, "destroy", entity);
  const Place place = slots_.find(entity);
  if (place.block == nullptr) return false;
  destroy(entity, place);
  return true;
}

void Store::destroy(Entity entity, Place place) noexcept {
  side_.erase(entity);
  slots_.release(entity.index());
  rows_.erase(place);
}

namespace {

/// Moves a row to the table that `branch` (a group of tables) has for `archetype`. The table is created if it is new.
/// Returns: the new place of the row.
/// Errors: std::bad_alloc; the row has not moved then.
Place move_row(Tables& tables, Rows& rows, Place from, Archetype& archetype, Branch& branch) {
  Table& target = tables.get(archetype, branch);
  rows.ensure_room(target, 1);
  return rows.move(from, target);
}

}  // namespace

Place Store::move_to_branch(Entity entity, Branch& branch) {
  const Place place = require_alive("move", entity);
  const Table& source = table_of(*place.block);
  if (&source.branch() == &branch) return place;
  return move_row(tables_, rows_, place, source.archetype(), branch);
}

Place Store::change_archetype(Place place, Archetype& to) {
  const Table& source = table_of(*place.block);
  if (&source.archetype() == &to) return place;
  return move_row(tables_, rows_, place, to, source.branch());
}

void Store::release_reservations() noexcept {
  rows_.drop_kept_blocks();
  tables_.for_each([&](Table& table) { rows_.release_reservations(table); });
  archetypes_.release_reservations();
}

Store::Added Store::add(Entity entity, ComponentId id, CallSite at) {
  require_unlocked("add", entity, at);
  return add_at(require_alive("add", entity, at), entity, id);
}

/// Adds a component as `add_at` does, but without the other components that this component requires.
STRATA_ALWAYS_INLINE inline Store::Added Store::add_one_at(Place place, Entity entity, ComponentId id) {
  if (registry_[id].storage == Storage::sparse) {
    const SparsePool::Inserted inserted = side_.get(id).insert(entity);
    return {inserted.value, inserted.existed};
  }
  const AddedToRow added = add_to_row(place, id);
  return {added.place.block->format->find(*added.place.block, added.place.row, id), added.existed};
}

Store::Added Store::add_at(Place place, Entity entity, ComponentId id) {
  if (!registry_.adds_plainly()) [[unlikely]]
    return add_watched_at(place, entity, id);
  return add_one_at(place, entity, id);
}

/// The part of `add_at` for two cases: the store has an observer, to which additions are reported (see AccessObserver),
/// or some component requires other components.
Store::Added Store::add_watched_at(Place place, Entity entity, ComponentId id) {
  const bool existed = holds(place, entity, id);
  if (!existed && !registry_.required_by(id).empty()) {
    RequiredValues required(*this, entity, id);
    required.build();
    return {required.add(), false};
  }
  if (observer_ != nullptr) observer_->added(id, place, existed);
  return add_one_at(place, entity, id);
}

Store::AddedToRow Store::add_to_row(Place place, ComponentId id) {
  const Table& source = table_of(*place.block);
  Archetype& archetype = source.archetype();
  if (archetype.format().contains(id)) {
    mark_write(place, id);
    return {place, true};
  }
  return {move_row(tables_, rows_, place, archetypes_.with(archetype, id), source.branch()), false};
}

bool Store::remove_from_row(Place place, ComponentId id) {
  const Table& source = table_of(*place.block);
  Archetype& archetype = source.archetype();
  if (!archetype.format().contains(id)) return false;
  move_row(tables_, rows_, place, archetypes_.without(archetype, id), source.branch());
  return true;
}

void* Store::add(Entity entity, ComponentId id, void* value) {
  const Change change(*this, "add", entity);
  if (change.notified()) return add_observed(entity, id, value);
  const Place place = require_alive("add", entity);
  if (value != nullptr && value == value_of(place, entity, id)) {
    mark_write(place, id);
    return value;
  }
  require_given(*this, "add", entity, id, value);
  const ComponentInfo& component = registry_[id];
  if (component.destroy != nullptr) replaced_.reserve(component.size, component.alignment);
  const Added added = add(entity, id);
  if (component.is_tag()) return nullptr;
  const bool replaces = added.existed && component.destroy != nullptr;
  if (component.relocate == nullptr) {
    if (replaces) copy_bytes(replaced_.value(), added.value, component.size);
    copy_bytes(added.value, value, component.size);
  } else {
    const HiddenEntity hidden(*this, entity, id);
    const ChangeGuard::Moving moving(guard_);
    if (replaces) component.relocate(replaced_.value(), added.value, 1);
    component.relocate(added.value, value, 1);
  }
  if (replaces) {
    const ChangeGuard::Operation operation(guard_, "add");
    component.destroy(replaced_.value(), 1);
  }
  return added.value;
}

void* Store::add_observed(Entity entity, ComponentId id, void* value) {
  const Place place = require_alive("add", entity);
  if (value == nullptr || value != value_of(place, entity, id))
    require_given(*this, "add", entity, id, value);
  const GivenValue given{id, value, [](const ComponentInfo& component, void* to, void* from) noexcept {
                           component.relocate_values(to, from, 1);
                         }};
  const bool adds_others = !registry_.required_by(id).empty() && !holds(place, entity, id);
  return adds_others ? add_with_required(*this, entity, given) : add_and_notify(*this, entity, given);
}

bool Store::remove_observed(Entity entity, ComponentId id) {
  if (listened()) return remove_and_notify(*this, entity, id);
  const bool removed = remove_unobserved(entity, id);
  if (removed) end_toggles(*this, entity);
  return removed;
}

void Store::finish_creation(Entity entity) {
  if (!listened()) return finish_change();
  listener_->created_one(entity);
  change_ended();
  listener_->finish();
}

void Store::make_room_to_move(Place place, Archetype& to) {
  const Table& source = table_of(*place.block);
  if (&source.archetype() != &to) rows_.ensure_room(tables_.get(to, source.branch()), 1);
}

void Store::make_room_to_remove(Place place, ComponentId id) {
  Archetype& archetype = table_of(*place.block).archetype();
  if (archetype.format().contains(id)) make_room_to_move(place, archetypes_.without(archetype, id));
}

bool Store::remove_from_side_store(Entity entity, ComponentId id) noexcept {
  SparsePool* pool = side_.find(id);
  return pool != nullptr && pool->erase(entity);
}

bool Store::holds(Place place, Entity entity, ComponentId id) const noexcept {
  if (place.block->format->contains(id)) return true;
  const SparsePool* pool = side_.find(id);
  return pool != nullptr && pool->contains(entity);
}

bool Store::has(Entity entity, ComponentId id) const noexcept {
  const Place place = slots_.find(entity);
  if (observer_ != nullptr) [[unlikely]]
    observer_->looked_up(id, place.block != nullptr && holds(place, entity, id));
  return place.block != nullptr && holds(place, entity, id);
}

void* Store::find(Entity entity, ComponentId id) const noexcept {
  const Place place = slots_.find(entity);
  if (observer_ != nullptr) [[unlikely]]
    observer_->looked_up(id, place.block != nullptr && holds(place, entity, id));
  return place.block != nullptr ? value_of(place, entity, id) : nullptr;
}

void* Store::value_of(Place place, Entity entity, ComponentId id) const noexcept {
  if (place.block->format->contains(id)) return place.block->format->find(*place.block, place.row, id);
  const SparsePool* pool = side_.find(id);
  return pool != nullptr ? pool->find(entity) : nullptr;
}

void Store::destroy_dead() noexcept {
  const ChangeGuard::Operation operation(guard_, guard_.operation());
  while (guard_.take_dead()) {
    side_.destroy_dead();
    rows_.destroy_dead();
  }
}

void Store::finish_iteration() {
  if (guard_.locked()) return;  // The iteration or operation under way does this at its end.
  const UseScope use = changing("flush");
  destroy_dead();
  if (guard_.take_recorded() && on_iteration_end_ != nullptr) on_iteration_end_(iteration_listener_);
}

void Store::finish_change() {
  if (std::uncaught_exceptions() != 0) {
    if (!guard_.locked()) destroy_dead();
    return;
  }
  // The change itself is complete, so lack of memory for applying the recorded commands is not reported as an error.
  // Commands that are not applied stay recorded.
  try_allocating([&] { finish_iteration(); });
}

void Store::refuse_stale(const char* operation, Entity entity, CallSite at) const {
  STRATA_EXPECTS_AT(at, alive(entity),
                    std::string(operation) + ": entity " + to_string(entity) +
                        (entity ? " is stale or was never issued: test it with alive() first"
                                : " names nothing: pass a handle that create() has returned"));
  std::abort();
}

void Store::mark_storage(ComponentId id, Storage storage) noexcept {
  registry_.set_storage(id, storage);
  archetypes_.mark_storage_moved();
  guard_.mark_storages(registry_.moved_components() != 0);
}

std::string Store::check_invariants() const {
  for (const auto& complaint :
       {registry_.check_invariants(), slots_.check_invariants(), pool_.check_invariants(),
        archetypes_.check_invariants(), tables_.check_invariants(archetypes_, !guard_.locked()),
        side_.check_invariants()}) {
    if (!complaint.empty()) return complaint;
  }
  std::string complaint;
  std::size_t rows = 0;
  std::size_t chained = 0;
  tables_.for_each([&](const Table& table) {
    chained += DeadRows::is_chained(table);
    for (const Block* block = table.first_block(); block != nullptr; block = block->next) {
      for (std::uint32_t row = 0; row < block->count; ++row, ++rows) {
        const Entity entity = block->format->entities(*block)[row];
        const Place place = slots_.find(entity);
        if (place.block != block || place.row != row) {
          complaint = "W1: entity " + to_string(entity) + " and its row do not point at each other";
        }
      }
    }
  });
  std::size_t live = 0;
  for (std::uint32_t i = 0; i < slots_.size(); ++i) live += slots_.alive(slots_.handle_of(i)) ? 1 : 0;
  if (complaint.empty() && live != rows) complaint = "W1: a live slot has no row";
  side_.for_each([&](const SparsePool& pool) {
    for (const Entity entity : pool.entities()) {
      if (!alive(entity)) complaint = "W2: \"" + pool.component().name + "\" holds a stale entity";
    }
  });
  if (complaint.empty()) complaint = rows_.check_invariants(chained);
  if (complaint.empty()) complaint = check_toggles(*this);
  return complaint.empty() ? check_storages() : complaint;
}

std::string Store::check_storages() const {
  if (guard_.knows_moved_components() != (registry_.moved_components() != 0))
    return "W4: the guard's flag for moved components is wrong";
  std::string complaint;
  side_.for_each([&](const SparsePool& pool) {
    if (pool.component().storage == Storage::table && pool.size() != 0) {
      complaint = "W3: \"" + pool.component().name + "\" is stored in tables and has members";
    }
  });
  tables_.for_each([&](const Table& table) {
    for (const ComponentId id : table.archetype().signature().ids()) {
      if (table.empty() || registry_[id].storage == Storage::table) continue;
      complaint =
          "W3: \"" + registry_[id].name + "\" is stored in the side store and a table with rows has it";
    }
  });
  return complaint;
}

}  // namespace strata::detail
