#include "set_storage.hpp"

#include <memory_resource>
#include <vector>

#include "../core/rollback.hpp"

namespace strata::detail {

void require_movable(const Store& store, ComponentId id, Storage storage) {
  const ComponentInfo& component = store.registry()[id];
  const auto refuse = [&](const char* why) { return "set_storage of \"" + component.name + "\" " + why; };
  STRATA_EXPECTS(storage == Storage::table || storage == Storage::sparse, refuse("names an unknown storage"));
  STRATA_EXPECTS(!store.guard().locked(),
                 refuse("while ") + store.guard().under_way() + ": call it when that has ended");
  STRATA_EXPECTS(component.tracking == Tracking::none || storage == Storage::table,
                 refuse("cannot move it out of tables, which track its changes: remove its tracking_of"));
}

namespace {

/// A step of moving a component from tables to its pool (sparse set). All rows of the table `from`, which has the
/// component, move to the table `to`, which has only the other components.
struct TableMove {
  Table* from;
  Table* to;
};

/// Prepares the move of one component from the table `from` to its pool (sparse set): reserves room for the rows in the
/// table of the archetype without the component, and inserts the entities into the pool. Appends a TableMove for these
/// two tables to `moves`. The values of the new members are not constructed yet.
void prepare(Store& store, Table& from, SparsePool& pool, std::pmr::vector<TableMove>& moves) {
  Archetype& archetype = store.archetypes().without(from.archetype(), pool.id());
  Table& to = store.tables().get(archetype, from.branch());
  moves.push_back({&from, &to});
  store.rows().reserve(to, from.row_count());
  for (const Block* block = from.first_block(); block != nullptr; block = block->next) {
    const Entity* const entities = block->format->entities(*block);
    for (std::uint32_t row = 0; row < block->count; ++row) pool.insert(entities[row]);
  }
}

void move_to_side_store(Store& store, ComponentId id) {
  SparsePool& pool = store.side().get(id);
  std::pmr::vector<TableMove> moves(store.memory());
  Rollback undo([&] {
    pool.abandon();
    store.release_reservations();
  });
  // `prepare` reserves rows, which may move values and so run user code that makes another archetype. So the list of
  // archetypes may grow during the loop, and is accessed by position. The new archetype has no rows, so nothing has to
  // be moved out of it.
  for (std::size_t i = 0; i < store.archetypes().with_component(id).size(); ++i) {
    store.archetypes().with_component(id)[i]->ranks().for_each([&](std::span<Block* const> tables) {
      for (const Block* block : tables) prepare(store, table_of(*block), pool, moves);
    });
  }
  undo.dismiss();

  const ComponentInfo& component = pool.component();
  const ChangeGuard::Moving moving(store.guard());
  if (!component.is_tag()) pool.hide_all();  // Hidden until the values of the members are built.
  for (const TableMove& move : moves) {
    const std::uint32_t prefix = move.from->archetype().format().prefix_of(id);
    store.rows().move_all(*move.from, *move.to, [&](Place row, RowRun now) {
      if (component.is_tag()) return;
      const std::span<const Entity> entities = entities_of(now);
      for (std::uint32_t i = 0; i < now.count; ++i) {
        std::byte* const value = row.block->value(prefix, row.row + i, component.size);
        std::uint32_t position = SparsePool::kAbsent;
        pool.positions_of(entities.subspan(i, 1), &position);
        component.relocate_values(pool.value_at(position), value, 1);
        pool.show(position, entities[i]);
      }
    });
  }
}

/// Returns: the table to which the row of an entity moves when the entity gets the component `id`. The table is created
/// if it is new.
/// Errors: std::bad_alloc.
Table& table_with(Store& store, Entity entity, ComponentId id) {
  const Table& from = table_of(*store.slots().place_of(entity.index()).block);
  return store.tables().get(store.archetypes().with(from.archetype(), id), from.branch());
}

void move_to_tables(Store& store, ComponentId id) {
  SparsePool* const pool = store.side().find(id);
  if (pool == nullptr || pool->size() == 0) return;
  Rollback undo([&] { store.release_reservations(); });
  for (const Entity entity : pool->entities()) store.rows().reserve(table_with(store, entity, id));
  const std::pmr::vector<Entity> members(pool->entities().begin(), pool->entities().end(), store.memory());
  undo.dismiss();

  const ComponentInfo& component = pool->component();
  const ChangeGuard::Moving moving(store.guard());
  for (const Entity entity : members) {
    const Place from = store.slots().place_of(entity.index());
    const Place place = store.rows().move(from, table_with(store, entity, id));
    if (component.is_tag()) continue;
    void* const value = pool->value_at(pool->hide(entity));
    store.slots().hide(entity.index());  // Hidden until the value of the entity is complete.
    component.relocate_values(place.block->format->find(*place.block, place.row, id), value, 1);
    store.slots().place(entity.index(), place);
  }
  for (std::uint32_t position = 0; position < members.size(); ++position) {
    pool->show(position, members[position]);
  }
  pool->abandon();
}

}  // namespace

void set_storage(Store& store, ComponentId id, Storage storage) {
  require_movable(store, id, storage);
  if (store.registry()[id].storage == storage) return;
  storage == Storage::sparse ? move_to_side_store(store, id) : move_to_tables(store, id);
  store.mark_storage(id, storage);
}

}  // namespace strata::detail
