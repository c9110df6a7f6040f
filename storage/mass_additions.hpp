// MassAdditions: adds a component that requires other components to many entities at once.
#pragma once

#include <cstdint>
#include <span>

#include "../core/plain_list.hpp"
#include "entity_selection.hpp"
#include "store.hpp"

namespace strata::detail {

/// Adds a component to many entities in one pass, together with the components that this component requires. Each row
/// moves to another table at most once. Everything that can fail is done before the first row moves to another table.
///
/// Contract: the store outlives the object. `add` is called once.
class MassAdditions {
 public:
  explicit MassAdditions(Store& store)
      : store_(store),
        targets_(store.memory()),
        opened_(store.memory()),
        built_(store.memory()),
        joined_(store.memory()) {}

  /// Gives each entity a copy of `value`, which replaces the old value if there is one. Entities that did not have the
  /// component also get the components that this component requires.
  /// Returns: the number of entities in `entities`, including those that had the component before.
  /// Errors: std::bad_alloc, and what copying or building a value throws. No entity has changed then, but rows may have
  /// moved within their tables.
  /// Contract: the component can be copied. `value` is not in the memory of the store, and is null only for a tag.
  /// `entities` was constructed with `lists` = true.
  STRATA_API std::size_t add(ComponentId id, const void* value, EntitySelection& entities);

 private:
  using Part = RowSelection::Part;

  /// Values of one component that were built in new rows.
  struct Built {
    const ComponentInfo* component;
    std::byte* values;
    std::uint32_t count;
  };
  /// A pool (sparse set) that has got new members, and the number of members that it had before.
  struct Joined {
    SparsePool* pool;
    std::uint32_t size;
  };

  bool is_in_table(ComponentId id) const { return store_.registry()[id].storage == Storage::table; }
  void report(ComponentId id, std::span<const Entity> entities) const;
  void reserve(RowSelection& rows, ComponentId id);
  void open_rows(RowSelection& rows, ComponentId id, const void* value);
  template <class Build>
  void build(const RowRun& run, ComponentId id, Build build);
  template <class Make>
  void join(ComponentId id, std::span<const Entity> entities, Make make);
  void undo() noexcept;

  Store& store_;
  PlainList<Table*> targets_;  // For each part of the rows: the table to which they move; null if they stay.
  PlainList<RowRun> opened_;   // New rows, in the order in which old rows move to them.
  PlainList<Built> built_;
  PlainList<Joined> joined_;
};

}  // namespace strata::detail
