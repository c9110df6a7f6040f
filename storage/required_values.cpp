#include "required_values.hpp"

#include <algorithm>

#include "../core/rollback.hpp"
#include "hidden_entity.hpp"

namespace strata::detail {

RequiredValues::RequiredValues(Store& store, Entity entity, ComponentId id)
    : store_(store),
      entity_(entity),
      id_(id),
      memory_(bytes_, sizeof bytes_, store.memory()),
      values_(store.memory()),
      added_(store.memory()) {}

RequiredValues::~RequiredValues() {
  for (const Value& value : values_) {
    if (value.place != nullptr) value.component->destroy_values(value.place, 1);
  }
}

void RequiredValues::build() {
  const ChangeGuard::Operation operation(store_.guard(), "add");
  const std::span<const RequiredComponent> required = store_.registry().required_by(id_);
  values_.reserve(required.size());
  added_.reserve(required.size() + 1);
  for (const RequiredComponent& next : required) {
    if (store_.holds(store_.slots().find(entity_), entity_, next.id)) continue;
    const ComponentInfo& component = store_.registry()[next.id];
    void* const place = component.is_tag() ? nullptr : memory_.allocate(component.size, component.alignment);
    make_required(next, component, place);
    values_.push_back({&component, next.id, place});
    added_.push_back(next.id);
  }
  added_.push_back(id_);
  std::sort(added_.begin(), added_.end());
}

void* RequiredValues::add() {
  Place place = store_.slots().find(entity_);
  Archetype& archetype = archetype_above(table_of(*place.block).archetype());
  store_.make_room_to_move(place, archetype);
  std::size_t joined = 0;
  Rollback undo([&] { leave(joined); });
  for (; joined < values_.size(); ++joined) {
    if (is_in_table(values_[joined].id)) continue;
    if (void* const to = join(values_[joined].id)) move_to(values_[joined], to);
  }
  void* const beside = is_in_table(id_) ? nullptr : join(id_);
  undo.dismiss();
  if (store_.observer() != nullptr) {
    for (const ComponentId id : added_) store_.observer()->added(id, place, false);
  }

  // The value of `id_` is uninitialised until the caller has built it.
  SparsePool* const pool = is_in_table(id_) ? nullptr : store_.side().find(id_);
  const std::uint32_t position = pool != nullptr ? pool->hide(entity_) : SparsePool::kAbsent;
  place = store_.change_archetype(place, archetype);
  move_to_row(place);
  if (pool != nullptr) pool->show(position, entity_);
  return pool != nullptr ? beside : place.block->format->find(*place.block, place.row, id_);
}

/// Returns: the archetype of the entity's row after the addition.
Archetype& RequiredValues::archetype_above(Archetype& from) const {
  Archetype* archetype = &from;
  for (const ComponentId id : added_) {
    if (is_in_table(id)) archetype = &store_.archetypes().with(*archetype, id);
  }
  return *archetype;
}

void* RequiredValues::join(ComponentId id) {
  return store_.side().get(id).insert(entity_).value;
}

/// Removes the entity from the pools of the first `joined` values.
void RequiredValues::leave(std::size_t joined) noexcept {
  for (std::size_t i = 0; i < joined; ++i) {
    if (!is_in_table(values_[i].id)) store_.side().get(values_[i].id).erase(entity_);
  }
}

/// Moves a value to its place in the entity's row or in a pool.
void RequiredValues::move_to(Value& value, void* to) noexcept {
  void* const from = std::exchange(value.place, nullptr);
  if (value.component->relocate == nullptr) return copy_bytes(to, from, value.component->size);
  const HiddenEntity hidden(store_, entity_, value.id);
  const ChangeGuard::Moving moving(store_.guard());
  value.component->relocate(to, from, 1);
}

void RequiredValues::move_to_row(Place place) noexcept {
  // All values are hidden while one is moved: the others are uninitialised.
  const HiddenEntity hidden(store_, entity_, id_);
  for (Value& value : values_) {
    if (value.place == nullptr) continue;  // A tag, or in a pool.
    move_to(value, place.block->format->find(*place.block, place.row, value.id));
  }
}

}  // namespace strata::detail
