#include "mass_changes.hpp"

#include <algorithm>

#include "../core/reserve.hpp"
#include "../core/rollback.hpp"
#include "hidden_entity.hpp"
#include "toggles.hpp"

namespace strata::detail {
namespace {

bool moves_as_bytes(const ComponentInfo& component) {
  return component.relocate == nullptr && component.destroy == nullptr;
}

std::byte* value_at(const ComponentInfo& component, ComponentId id, const Place& place) {
  return place.block->value(place.block->format->prefix_of(id), place.row, component.size);
}

/// If the store has an observer (see AccessObserver), calls `report(AccessObserver&, Place, Entity)` for each selected
/// row, with the place of the row and its entity.
template <class Report>
void report_each(Store& store, RowSelection& rows, Report report) {
  AccessObserver* const observer = store.observer();
  if (observer == nullptr) return;
  for (const RowSelection::Part& part : rows.parts()) {
    rows.for_each_run(part, [&](Place place, std::uint32_t count) {
      for (; count != 0; --count, ++place.row) {
        report(*observer, place, place.block->format->entities(*place.block)[place.row]);
      }
    });
  }
}

}  // namespace

std::size_t MassChanges::add(ComponentId id, const void* value, EntitySelection& entities) {
  const ChangeGuard::Operation operation(store_.guard(), "add");
  const std::size_t added = add_and_keep(id, value, entities);
  replacements_.reset();
  return added;
}

std::size_t MassChanges::add_and_keep(ComponentId id, const void* value, EntitySelection& entities) {
  RowSelection& rows = entities.rows();
  rows.arrange();
  report_each(store_, rows, [&](AccessObserver& observer, Place place, Entity entity) {
    observer.added(id, place, store_.holds(place, entity, id));
  });
  const ChangeGuard::Operation operation(store_.guard(), "add");
  if (store_.registry()[id].storage == Storage::sparse) return add_to_pool(id, value, entities.listed());
  return add_to_tables(id, value, rows);
}

std::size_t MassChanges::remove(ComponentId id, EntitySelection& entities) {
  RowSelection& rows = entities.rows();
  rows.arrange();
  report_each(store_, rows, [&](AccessObserver& observer, Place place, Entity entity) {
    observer.removed(id, place, store_.holds(place, entity, id));
  });
  const ChangeGuard::Operation operation(store_.guard(), "remove");
  const bool sparse = store_.registry()[id].storage == Storage::sparse;
  const std::size_t removed = sparse ? remove_from_pool(id, entities.listed()) : remove_from_tables(id, rows);
  end_toggles(store_, id);
  return removed;
}

/// For each part of `rows` (a part has the rows of one table), finds or creates the table to which these rows move, and
/// reserves room for them there. `find(Archetype&)` takes the archetype of the old table and returns that of the new
/// one. If both are the same, the rows stay.
template <class Find>
void MassChanges::reserve(RowSelection& rows, Find find) {
  targets_.reserve(rows.parts().size());
  for (const Part& part : rows.parts()) {
    Archetype& from = part.table->archetype();
    Archetype& to = find(from);
    if (&to == &from) {
      targets_.append(nullptr);
      staying_ += part.count;
      continue;
    }
    Table& target = store_.tables().get(to, part.table->branch());
    store_.rows().reserve(target, part.count);
    targets_.append(&target);
  }
  rows.refresh();
}

void MassChanges::reserve(RowSelection& rows, ComponentId id, bool adds) {
  Archetypes& archetypes = store_.archetypes();
  reserve(rows, [&](Archetype& from) -> Archetype& {
    if (from.format().contains(id) == adds) return from;
    return adds ? archetypes.with(from, id) : archetypes.without(from, id);
  });
}

void MassChanges::change_tags(RowSelection& rows, FindTarget find, void* context) {
  rows.arrange();
  {
    Rollback release([&] { store_.release_reservations(); });
    reserve(rows, [&](Archetype& from) -> Archetype& { return find(context, from); });
    open_rows(rows, nullptr, ComponentId{}, nullptr);
    release.dismiss();
  }
  move_to_opened(store_.rows(), rows, targets_, opened_.data());
}

/// Appends new rows to the tables in `targets_`, one for each selected row that will move. The new rows have null
/// entities until the selected rows move to them. If `value` is not null, builds a copy of `*value` in each new row;
/// `component` and `id` are only used for this.
/// Errors: std::bad_alloc, and what a copy throws; no row has been appended then.
void MassChanges::open_rows(RowSelection& rows, const ComponentInfo* component, ComponentId id,
                            const void* value) {
  std::size_t built = 0;
  Rollback close([&] { close_opened(component, id, built); });
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    for (std::uint32_t left = targets_[i] != nullptr ? rows.parts()[i].count : 0; left != 0;) {
      reserve_one(opened_);
      const RowRun run = store_.rows().append_run(
          *targets_[i], left, [](const RowRun& made) { std::ranges::fill(entities_of(made), Entity()); });
      opened_.append(run);
      if (value != nullptr) {
        copy_to_each(*component, value_at(*component, id, {run.block, run.row}), value, run.count);
        ++built;
      }
      left -= run.count;
    }
  }
  close.dismiss();
}

/// Removes the runs of rows that `open_rows` has appended (see `opened_`). Only the first `built` runs have values of
/// the component, which are destroyed.
void MassChanges::close_opened(const ComponentInfo* component, ComponentId id, std::size_t built) noexcept {
  for (std::size_t i = opened_.size(); i-- > 0;) {
    const RowRun& run = opened_[i];
    if (i < built) component->destroy_values(value_at(*component, id, {run.block, run.row}), run.count);
    store_.rows().retract(table_of(*run.block), run.count);
  }
}

std::size_t MassChanges::add_to_tables(ComponentId id, const void* value, RowSelection& rows) {
  const ComponentInfo& component = store_.registry()[id];
  const bool plain = moves_as_bytes(component);
  ValueArray& replacements = replacements_.emplace(component, store_.memory());
  {
    Rollback release([&] { store_.release_reservations(); });
    reserve(rows, id, true);
    if (!plain) replacements.reserve(staying_ + 1);  // One more, as temporary memory for exchanges.
    const ChangeGuard::MovingIf making(store_.guard(), !plain);
    if (!plain) replacements.append_copies(value, staying_);
    open_rows(rows, &component, id, component.is_tag() ? nullptr : value);
    release.dismiss();
  }
  move_to_opened(store_.rows(), rows, targets_, opened_.data());
  if (!component.is_tag()) replace_in_tables(rows, id, value, replacements);
  return rows.size();
}

/// Replaces the values in those of `rows` that already had the component. If the component is plain bytes, copies
/// `*value` to each row, and does not use `replacements`. Otherwise exchanges each old value with one of the copies of
/// `*value` in `replacements`, which contains the old values afterwards.
void MassChanges::replace_in_tables(RowSelection& rows, ComponentId id, const void* value,
                                    ValueArray& replacements) noexcept {
  const ComponentInfo& component = store_.registry()[id];
  std::size_t next = 0;
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    if (targets_[i] != nullptr) continue;
    rows.for_each_run(rows.parts()[i], [&](Place place, std::uint32_t count) {
      if (moves_as_bytes(component)) copy_to_each(component, value_at(component, id, place), value, count);
      for (; count != 0; --count, ++place.row) {
        if (!moves_as_bytes(component)) {
          replace(place.block->format->entities(*place.block)[place.row], id, value_at(component, id, place),
                  replacements.at(next++), replacements.at(replacements.size()));
        }
        store_.mark_write(place, id);
      }
    });
  }
}

/// Exchanges the value of an entity's component, at the address `place`, with `*replacement`. `spare` is temporary
/// memory for one value. Look-ups do not find the entity during the exchange.
void MassChanges::replace(Entity entity, ComponentId id, void* place, std::byte* replacement,
                          std::byte* spare) noexcept {
  const ComponentInfo& component = store_.registry()[id];
  const HiddenEntity hidden(store_, entity, id);
  const ChangeGuard::Moving moving(store_.guard());
  component.relocate_values(spare, place, 1);
  component.relocate_values(place, replacement, 1);
  component.relocate_values(replacement, spare, 1);
}

std::size_t MassChanges::remove_from_tables(ComponentId id, RowSelection& rows) {
  const ComponentInfo& component = store_.registry()[id];
  ValueArray removed(component, store_.memory());
  {
    Rollback release([&] { store_.release_reservations(); });
    reserve(rows, id, false);
    if (component.destroy != nullptr) removed.reserve(rows.size() - staying_);
    open_rows(rows, &component, id, nullptr);
    release.dismiss();
  }
  move_to_opened(store_.rows(), rows, targets_, opened_.data(), [&](Place from, std::uint32_t count) {
    if (component.destroy == nullptr) return;
    const ChangeGuard::Moving moving(store_.guard());
    removed.take(value_at(component, id, from), count);
  });
  return rows.size() - staying_;
}

std::size_t MassChanges::add_to_pool(ComponentId id, const void* value, std::span<const Entity> entities) {
  const ComponentInfo& component = store_.registry()[id];
  const bool plain = moves_as_bytes(component);
  SparsePool& pool = store_.side().get(id);
  const std::uint32_t before = pool.size();
  ValueArray& replacements = replacements_.emplace(component, store_.memory());
  ValueArray made(component, store_.memory());
  if (!plain) {
    const auto had = static_cast<std::size_t>(
        std::ranges::count_if(entities, [&](Entity entity) { return pool.contains(entity); }));
    const ChangeGuard::Moving making(store_.guard());
    replacements.reserve(had + 1);  // One more, as temporary memory for exchanges.
    replacements.append_copies(value, had);
    made.reserve(entities.size() - had);
    made.append_copies(value, entities.size() - had);
  }
  insert_all(pool, value, entities, made);
  for (std::size_t i = 0, next = 0; i < entities.size() && !component.is_tag(); ++i) {
    if (pool.position_of(entities[i]) >= before) continue;
    if (plain) {
      copy_bytes(pool.find(entities[i]), value, component.size);
    } else {
      replace(entities[i], id, pool.find(entities[i]), replacements.at(next++),
              replacements.at(replacements.size()));
    }
  }
  return entities.size();
}

/// Adds entities to the pool (sparse set), except those that are members already. The values of new members are moved
/// out of `made` or, if values are plain bytes, copied from `*value`.
/// Errors: std::bad_alloc; the members are unchanged then.
void MassChanges::insert_all(SparsePool& pool, const void* value, std::span<const Entity> entities,
                             ValueArray& made) {
  const std::uint32_t before = pool.size();
  Rollback erase([&] {
    while (pool.size() != before) pool.erase(pool.entities().back());
  });
  for (const Entity entity : entities) {
    const SparsePool::Inserted inserted = pool.insert(entity);
    if (inserted.existed || inserted.value == nullptr) continue;
    if (moves_as_bytes(pool.component())) {
      copy_bytes(inserted.value, value, pool.component().size);
    } else {
      const HiddenEntity hidden(store_, entity, pool.id());
      const ChangeGuard::Moving moving(store_.guard());
      made.give_last(inserted.value);
    }
  }
  erase.dismiss();
}

std::size_t MassChanges::remove_from_pool(ComponentId id, std::span<const Entity> entities) {
  SparsePool* const pool = store_.side().find(id);
  std::size_t removed = 0;
  for (const Entity entity : entities) removed += pool != nullptr && pool->erase(entity) ? 1 : 0;
  return removed;
}

}  // namespace strata::detail
