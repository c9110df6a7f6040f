// MassChanges: adds a component to many entities at once, or removes a component from many entities at once.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "entity_selection.hpp"
#include "store.hpp"
#include "value_array.hpp"

namespace strata::detail {

/// Adds a component to many entities, or removes it from them, in one pass. The rows of each table move to another
/// table in runs of adjacent rows, and keep their order. Everything that can fail is done before the first row moves to
/// another table.
///
/// One object makes one change of many entities.
/// Contract: the store outlives the object.
class MassChanges {
 public:
  explicit MassChanges(Store& store) : store_(store), targets_(store.memory()), opened_(store.memory()) {}

  /// Gives each selected entity the component with a copy of `value`, which replaces the old value if there is one.
  /// Returns: the number of selected entities, including those that had the component before.
  /// Errors: std::bad_alloc, and what copying a value throws. No entity has changed then, but rows may have moved
  /// within their tables.
  /// Contract: the component can be copied. `value` is not in the memory of the store, and is null only for a tag. If
  /// the component is stored in the side store (sparse sets), `entities` was constructed with `lists` = true.
  STRATA_API std::size_t add(ComponentId id, const void* value, EntitySelection& entities);
  /// Does what `add` does, but keeps the replaced values until this object is destroyed, for a caller that has more to
  /// do before their destructors may run.
  std::size_t add_and_keep(ComponentId id, const void* value, EntitySelection& entities);

  /// Removes the component from the entities that have it.
  /// Returns: the number of entities that had the component.
  /// Errors: std::bad_alloc; no entity has changed then, but rows may have moved within their tables.
  /// Contract: if the component is stored in the side store, `entities` was constructed with `lists` = true.
  STRATA_API std::size_t remove(ComponentId id, EntitySelection& entities);

  /// A function that returns the archetype to which the rows of the archetype `from` move. The two archetypes differ in
  /// nothing but their tags.
  using FindTarget = Archetype& (*)(void* context, Archetype& from);
  /// Moves the rows in `rows` to tables of other archetypes. The parents of their entities do not change. Calls
  /// `find(context, from)` once for each table that has some of these rows; `from` is the archetype of the table. If
  /// `find` returns `from` itself, the rows of this table stay in it.
  /// Errors: std::bad_alloc; no entity has changed then, but rows may have moved within their tables.
  void change_tags(RowSelection& rows, FindTarget find, void* context);

 private:
  using Part = RowSelection::Part;

  template <class Find>
  void reserve(RowSelection& rows, Find find);
  void reserve(RowSelection& rows, ComponentId id, bool adds);
  void open_rows(RowSelection& rows, const ComponentInfo* component, ComponentId id, const void* value);
  void close_opened(const ComponentInfo* component, ComponentId id, std::size_t built) noexcept;
  void replace_in_tables(RowSelection& rows, ComponentId id, const void* value,
                         ValueArray& replacements) noexcept;
  void replace(Entity entity, ComponentId id, void* place, std::byte* replacement, std::byte* spare) noexcept;

  std::size_t add_to_tables(ComponentId id, const void* value, RowSelection& rows);
  std::size_t remove_from_tables(ComponentId id, RowSelection& rows);
  std::size_t add_to_pool(ComponentId id, const void* value, std::span<const Entity> entities);
  void insert_all(SparsePool& pool, const void* value, std::span<const Entity> entities, ValueArray& made);
  std::size_t remove_from_pool(ComponentId id, std::span<const Entity> entities);

  Store& store_;
  PlainList<Table*> targets_;  // For each part of the rows: the table to which they move; null if they stay.
  PlainList<RowRun> opened_;   // New rows, in the order in which old rows move to them.
  std::size_t staying_ = 0;    // The number of rows that stay in their table.
  // Copies of the new value, one for each entity that has the component already. `add` exchanges each copy with the old
  // value of an entity, so afterwards this has the old values. Empty if values of the component are moved as bytes.
  std::optional<ValueArray> replacements_;
};

}  // namespace strata::detail
