#include "required_values.hpp"

#include <algorithm>

#include "../core/rollback.hpp"
#include "hidden_entity.hpp"

namespace strata::detail {

RequiredValues::RequiredValues(Store& store, Entity entity, ComponentId id)
    : store_(store), entity_(entity), id_(id), memory_(bytes_, sizeof bytes_, store.memory()) {}

RequiredValues::~RequiredValues() {
  for (const Value& value : values_) {
    if (value.beside != nullptr) value.component->destroy_values(value.beside, 1);
  }
}

void RequiredValues::build() {
  const ChangeGuard::Operation operation(store_.guard(), "add");
  const std::span<const RequiredComponent> required = store_.registry().required_by(id_);
  Value* const values = take<Value>(required.size());
  ComponentId* added = take<ComponentId>(required.size() + 1);
  added_ = {added, 0};
  const Place place = store_.slots().find(entity_);
  for (const RequiredComponent& next : required) {
    if (store_.holds(place, entity_, next.id)) continue;
    Value& value = *::new (values + values_.size()) Value{&next, &store_.registry()[next.id], nullptr};
    if (!next.nothrow) {
      void* const beside = memory_.allocate(value.component->size, value.component->alignment);
      make_required(next, *value.component, beside);
      value.beside = beside;
    }
    values_ = {values, values_.size() + 1};
    *added++ = next.id;
  }
  *added++ = id_;
  added_ = {added_.data(), added};
  std::sort(added_.begin(), added_.end());
}

void* RequiredValues::add() {
  Place place = store_.slots().find(entity_);
  Archetype& archetype = archetype_above(table_of(*place.block).archetype());
  store_.make_room_to_move(place, archetype);
  std::size_t joined = 0;
  Rollback undo([&] { leave(joined); });
  for (; joined < values_.size(); ++joined) {
    if (!values_[joined].in_table()) join(values_[joined]);
  }
  void* const beside = is_in_table(id_) ? nullptr : store_.side().get(id_).insert(entity_).value;
  undo.dismiss();
  if (store_.observer() != nullptr) {
    for (const ComponentId id : added_) store_.observer()->added(id, place, false);
  }

  // The caller builds the value of the component `id_` later. Until then, the value is uninitialised. If the value is
  // in a pool (sparse set), this pool hides the entity while the calls below move the values in its row: these moves
  // may run user code, which must not find the uninitialised value.
  SparsePool* const pool = is_in_table(id_) ? nullptr : store_.side().find(id_);
  const std::uint32_t position = pool != nullptr ? pool->hide(entity_) : SparsePool::kAbsent;
  place = store_.change_archetype(place, archetype);
  fill_row(place);
  if (pool != nullptr) pool->show(position, entity_);
  return pool != nullptr ? beside : place.block->format->find(*place.block, place.row, id_);
}

/// Returns: the archetype that the entity's row has after `add`. `from` is its archetype before.
Archetype& RequiredValues::archetype_above(Archetype& from) const {
  Archetype* archetype = &from;
  // The components are added in the same order as in `add_required_in_row`, so that both functions create and use the
  // same archetypes in between.
  for (const Value& value : values_) {
    if (value.in_table()) archetype = &store_.archetypes().with(*archetype, value.required->id);
  }
  return is_in_table(id_) ? store_.archetypes().with(*archetype, id_) : *archetype;
}

/// Undoes additions to pools: removes the entity from the pools of the first `joined` elements of `values_`.
void RequiredValues::leave(std::size_t joined) noexcept {
  for (std::size_t i = 0; i < joined; ++i) {
    if (!values_[i].in_table()) store_.side().get(values_[i].required->id).erase(entity_);
  }
}

/// Moves a value to its final address `to`, in the entity's row or in a pool. If the value was not built in advance,
/// builds it at this address.
/// Contract: a HiddenEntity hides the entity and a ChangeGuard::Moving exists, because user code may run.
STRATA_ALWAYS_INLINE inline void RequiredValues::put(Value& value, void* to) noexcept {
  void* const beside = std::exchange(value.beside, nullptr);
  if (beside == nullptr) return make_required(*value.required, *value.component, to);
  value.component->relocate_values(to, beside, 1);
}

/// Adds the entity to the pool (sparse set) of a required component, and puts the component's initial value into the
/// pool.
/// Errors: std::bad_alloc; nothing has changed then.
void RequiredValues::join(Value& value) {
  void* const to = store_.side().get(value.required->id).insert(entity_).value;
  const HiddenEntity hidden(store_, entity_, value.required->id);
  const ChangeGuard::Moving moving(store_.guard());
  put(value, to);
}

/// Puts the initial values of the required components that are stored in tables into the entity's row at `place`.
void RequiredValues::fill_row(Place place) noexcept {
  const HiddenEntity hidden(store_, entity_, id_);
  const ChangeGuard::Moving moving(store_.guard());
  for (Value& value : values_) {
    if (value.in_table()) put(value, place.block->format->find(*place.block, place.row, value.required->id));
  }
}

Place add_required_in_row(Store& store, Place place, Entity entity, ComponentId id) {
  const Registry& registry = store.registry();
  if (store.observer() != nullptr || registry[id].storage != Storage::table) return {};
  const std::span<const RequiredComponent> required = registry.required_by(id);
  const BlockFormat& before = *place.block->format;
  Archetype* archetype = &table_of(*place.block).archetype();
  for (const RequiredComponent& next : required) {
    if (before.contains(next.id)) continue;
    if (!next.nothrow || registry[next.id].storage != Storage::table) return {};
    archetype = &store.archetypes().with(*archetype, next.id);
  }
  const Place now = store.change_archetype(place, store.archetypes().with(*archetype, id));
  const BlockFormat& after = *now.block->format;
  const HiddenEntity hidden(store, entity, id);
  const ChangeGuard::Moving moving(store.guard());
  for (const RequiredComponent& next : required) {
    if (before.contains(next.id)) continue;
    const ComponentInfo& component = registry[next.id];
    if (component.is_tag()) continue;
    make_required(next, component, now.block->value(after.prefix_of(next.id), now.row, component.size));
  }
  return now;
}

}  // namespace strata::detail
