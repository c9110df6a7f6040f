#include "mass_additions.hpp"

#include <algorithm>

#include "../core/reserve.hpp"
#include "../core/rollback.hpp"
#include "../core/value_buffer.hpp"
#include "hidden_entity.hpp"
#include "mass_changes.hpp"

namespace strata::detail {

std::size_t MassAdditions::add(ComponentId id, const void* value, EntitySelection& entities) {
  EntitySelection lacking(store_, true);
  PlainList<Entity> holding(store_.memory());
  for (const Entity entity : entities.listed()) {
    if (store_.holds(store_.slots().find(entity), entity, id)) {
      holding.push_back(entity);
    } else {
      lacking.add({&entity, 1});
    }
  }
  report(id, lacking.listed());
  const ChangeGuard::Operation operation(store_.guard(), "add");
  RowSelection& rows = lacking.rows();
  rows.arrange();
  Rollback take_back([&] { undo(); });
  reserve(rows, id);
  {
    const ChangeGuard::Moving making(store_.guard());
    open_rows(rows, id, value);
    for (const RequiredComponent& required : store_.registry().required_by(id)) {
      if (is_in_table(required.id)) continue;
      join(required.id, lacking.listed(),
           [&](const ComponentInfo& component, void* to) { make_required(required, component, to); });
    }
    if (!is_in_table(id)) {
      join(id, lacking.listed(), [&](const ComponentInfo& component, void* to) {
        if (!component.is_tag()) component.copy_values(to, value, 1);
      });
    }
  }
  EntitySelection replaced(store_, true);  // Made now, because reserving rows may have replaced blocks.
  replaced.add({holding.data(), holding.size()});
  MassChanges changes(store_);  // Destroys the replaced values at the end, when the new rows are complete.
  changes.add_and_keep(id, value, replaced);
  take_back.dismiss();
  move_to_opened(store_.rows(), rows, targets_, opened_.data());
  return entities.listed().size();
}

/// Reports to the observer of the store (see AccessObserver), if there is one, that `entities` get the component `id`.
/// Also reports, for each of these entities, the components required by `id` that the entity does not have yet.
void MassAdditions::report(ComponentId id, std::span<const Entity> entities) const {
  AccessObserver* const observer = store_.observer();
  if (observer == nullptr) return;
  for (const Entity entity : entities) {
    const Place place = store_.slots().find(entity);
    observer->added(id, place, false);
    for (const RequiredComponent& required : store_.registry().required_by(id)) {
      if (!store_.holds(place, entity, required.id)) observer->added(required.id, place, false);
    }
  }
}

/// For each part of `rows` (a part has the rows of one table), appends to `targets_` the table to which these rows move
/// when they get the component `id` and those that it requires. Creates this table if it is new, and reserves room for
/// the rows there. Appends null if the rows stay, because none of the components that they get is stored in tables.
void MassAdditions::reserve(RowSelection& rows, ComponentId id) {
  targets_.reserve(rows.parts().size());
  for (const Part& part : rows.parts()) {
    Archetype* to = &part.table->archetype();
    const auto extend = [&](ComponentId added) {
      if (is_in_table(added) && !to->format().contains(added)) to = &store_.archetypes().with(*to, added);
    };
    extend(id);
    for (const RequiredComponent& required : store_.registry().required_by(id)) extend(required.id);
    if (to == &part.table->archetype()) {
      targets_.append(nullptr);
      continue;
    }
    Table& target = store_.tables().get(*to, part.table->branch());
    store_.rows().reserve(target, part.count);
    targets_.append(&target);
  }
  rows.refresh();
}

/// Appends new rows to the tables in `targets_`, one for each selected row that will move. The new rows have null
/// entities until the selected rows move to them. Builds those values of the new rows that the selected rows do not
/// have: a copy of `value` for the component `id`, and new values for the components that `id` requires.
void MassAdditions::open_rows(RowSelection& rows, ComponentId id, const void* value) {
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    const BlockFormat& before = rows.parts()[i].table->archetype().format();
    for (std::uint32_t left = targets_[i] != nullptr ? rows.parts()[i].count : 0; left != 0;) {
      reserve_one(opened_);
      const RowRun run = store_.rows().append_run(
          *targets_[i], left, [](const RowRun& made) { std::ranges::fill(entities_of(made), Entity()); });
      opened_.append(run);
      left -= run.count;
      if (is_in_table(id)) {
        build(run, id,
              [&](const ComponentInfo& component, void* to) { component.copy_values(to, value, 1); });
      }
      for (const RequiredComponent& required : store_.registry().required_by(id)) {
        if (!is_in_table(required.id) || before.contains(required.id)) continue;
        build(run, required.id,
              [&](const ComponentInfo& component, void* to) { make_required(required, component, to); });
      }
    }
  }
}

/// Calls `build(component, address)` for each row of a run, to build the row's value at the address. Does nothing for a
/// tag.
/// Errors: std::bad_alloc, and what `build` throws. The values built before an error are recorded in `built_`, so that
/// `undo` destroys them.
template <class Build>
void MassAdditions::build(const RowRun& run, ComponentId id, Build build) {
  const ComponentInfo& component = store_.registry()[id];
  if (component.is_tag()) return;
  reserve_one(built_);
  std::byte* const values = run.block->value(run.block->format->prefix_of(id), run.row, component.size);
  built_.append({&component, values, 0});
  for (std::uint32_t& count = built_[built_.size() - 1].count; count < run.count; ++count) {
    build(component, values + count * component.size);
  }
}

/// Adds entities to the pool (sparse set) of a component, except those that are members already. `make(component,
/// address)` builds the value of a new member at the address.
/// Errors: std::bad_alloc, and what `make` throws. The pool's old size is recorded in `joined_`, so that `undo` removes
/// the new members.
template <class Make>
void MassAdditions::join(ComponentId id, std::span<const Entity> entities, Make make) {
  SparsePool& pool = store_.side().get(id);
  const ComponentInfo& component = pool.component();
  reserve_one(joined_);
  joined_.append({&pool, pool.size()});
  const ValueBuffer buffer(component, store_.memory());
  for (const Entity entity : entities) {
    if (pool.contains(entity)) continue;
    make(component, buffer.get());
    Rollback destroy([&] { component.destroy_values(buffer.get(), 1); });
    void* const place = pool.insert(entity).value;
    destroy.dismiss();
    if (place == nullptr) continue;
    const HiddenEntity hidden(store_, entity, id);
    component.relocate_values(place, buffer.get(), 1);
  }
}

/// Called if `add` fails: removes the new rows and pool members, and destroys the values that were built in them.
void MassAdditions::undo() noexcept {
  const ChangeGuard::Moving moving(store_.guard());
  for (std::size_t i = joined_.size(); i-- > 0;) {
    SparsePool& pool = *joined_[i].pool;
    while (pool.size() != joined_[i].size) pool.erase(pool.entities().back());
  }
  for (std::size_t i = built_.size(); i-- > 0;) {
    built_[i].component->destroy_values(built_[i].values, built_[i].count);
  }
  for (std::size_t i = opened_.size(); i-- > 0;) {
    store_.rows().retract(table_of(*opened_[i].block), opened_[i].count);
  }
  store_.release_reservations();
}

}  // namespace strata::detail
