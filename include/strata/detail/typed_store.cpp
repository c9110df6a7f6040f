#include "typed_store.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>

namespace strata::detail {

namespace {

void insert_into_pool(Store& store, Entity entity, const NewValue& value) {
  void* const place = store.side().get(value.id).insert(entity).value;
  if (value.build == nullptr) return;
  if (value.plain) return value.build(place, value.value);
  const HiddenEntity hidden(store, entity, value.id);
  const ChangeGuard::Moving moving(store.guard());
  value.build(place, value.value);
}

}  // namespace

Archetype& TypedStore::archetype_of(std::span<const ComponentId> ids) {
  Archetype* archetype = &store_.archetypes().empty();
  for (const ComponentId id : ids) {
    if (store_.registry()[id].storage == Storage::table)
      archetype = &store_.archetypes().with(*archetype, id);
  }
  return *archetype;
}

Entity TypedStore::build_values(NewRow row, std::span<const NewValue> values) {
  const BlockFormat& format = *row.place.block->format;
  {
    std::optional<HiddenRow> hidden;
    if (!std::ranges::all_of(values, &NewValue::plain)) hidden.emplace(store_, row);
    for (const NewValue& value : values) {
      if (value.build == nullptr || !format.contains(value.id)) continue;
      std::byte* const column = column_of<std::byte>(*row.place.block, format.prefix_of(value.id));
      value.build(column + row.place.row * value.size, value.value);
    }
  }
  Rollback destroy([&] { hierarchy_.destroy_unobserved(row.entity, ChildPolicy::destroy); });
  for (const NewValue& value : values) {
    if (!format.contains(value.id)) insert_into_pool(store_, row.entity, value);
  }
  destroy.dismiss();
  store_.creation_ended(row.entity);
  return row.entity;
}

void TypedStore::refuse_absent(const char* operation, Entity entity, const std::string_view& component,
                               CallSite at) const {
  store_.require_alive(operation, entity, at);
  STRATA_EXPECTS_AT(at, false,
                    std::string(operation) + ": entity " + to_string(entity) + " has no " +
                        std::string(component) + ": add it first, or call find, which returns null");
  std::abort();
}

}  // namespace strata::detail
