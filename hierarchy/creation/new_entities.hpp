// NewEntities: creates many entities at once and, if a step fails, removes all of them again.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "../../core/compiler.hpp"
#include "../../core/plain_list.hpp"
#include "../../core/reserve.hpp"
#include "../../core/rollback.hpp"
#include "../../core/value_buffer.hpp"
#include "../../storage/store.hpp"
#include "../links/links.hpp"
#include "../links/policies.hpp"

namespace strata::detail {

class FamilyRows;

/// Creates many entities together, and can remove them again: NewEntities records the handles, links, rows and values
/// of the new entities until `keep` or `undo` is called. The order of calls:
/// 1. `issue`; or `reserve_handles`, if all rows will be appended by `append_next`
/// 2. `open_family`, which makes entities the children of another new entity; `reserve`, which reserves rows in a table
/// 3. `append` (the caller chooses the entities) or `append_next` (the next ones in order), which make rows;
///    `build` and `insert`, which make values
/// 4. `keep` at the end, or `undo` if a step fails
/// If all entities have one archetype, and become roots or children of one existing entity, `begin` does steps 1 and 2.
/// Children of an existing entity are linked to it by `attach_all`, when nothing can fail any more.
/// Contract of `undo`: no new entity is linked yet, as child or parent, to an entity that existed before.
class NewEntities {
 public:
  NewEntities(Store& store, Links& links, FamilyRows& rows);
  NewEntities(const NewEntities&) = delete;
  NewEntities& operator=(const NewEntities&) = delete;
  ~NewEntities() { undo(); }

  /// Creates `count` handles. Reserves memory for the links of these entities, and for `families` lists of children. A
  /// list is needed for each parent that gets its first child.
  /// Errors: std::bad_alloc.
  /// Contract: there are free slot indices for all `count` entities (Slots::require_room).
  void issue(std::size_t count, std::size_t families);

  /// Does what `issue` does, for entities whose rows are appended by `append_next` in the order of their handles. A
  /// slot records where the row of an entity is. Only handles that reuse the slot of a destroyed entity are created
  /// now. Handles with new slots are only chosen now: `append_next` makes the slots together with the rows, so each
  /// slot is written only once.
  /// Contract: there are free slot indices for all `count` entities (Slots::require_room).
  void reserve_handles(std::size_t count, std::size_t families);

  /// Returns: the new handles.
  /// Contract: the handles were created by `issue`.
  std::span<const Entity> handles() const { return {handles_.data(), handles_.size()}; }

  /// Returns: the number of new entities, including those for which `reserve_handles` has only chosen handles.
  std::size_t size() const { return handles_.size() + new_count_; }

  /// Returns: the handle of new entity number `i`, in the order in which `issue` or `reserve_handles` chose
  /// them.
  Entity handle(std::size_t i) const {
    if (i < handles_.size()) return handles_[i];
    return {first_new_.index() + static_cast<std::uint32_t>(i - handles_.size()), first_new_.generation()};
  }

  /// Returns: the branch (a set of tables, see Branch) for the rows of `children` more children of `parent`, or of new
  /// roots if `parent` is a null handle. If the parent then has so many children that they need tables of their own,
  /// the rows of its present children may move to such tables; see FamilyRows::branch_for_children. Also calls
  /// `set_layout` with the layout of the parent's children, or of roots.
  /// Contract: `parent` is alive or null.
  /// Errors: std::bad_alloc.
  Branch& branch_below(Entity parent, std::size_t children);

  /// Sets in which layout (see Layout) `open_family` and `repeat_family` store children from now on. `branch_below`
  /// sets it, too: to the layout in which the children of its `parent` are stored.
  void set_layout(Layout layout) { layout_ = layout; }
  Layout layout() const { return layout_; }

  /// Makes `count` of the new entities the children of the new entity `parent`, whose depth is `depth`: those that
  /// `handle(i)` returns for i from `first` on.
  /// Contract: `parent` has no children yet, and `count` is not 0. After `reserve_handles`, calls come in
  /// ascending order of `first`.
  /// Returns: the branch (a set of tables, see Branch) for the rows of these children. It is created if there is none.
  /// Errors: std::bad_alloc.
  Branch& open_family(Entity parent, std::uint32_t depth, std::size_t first, std::uint32_t count);

  /// Does what `open_family` does, but stores the children in `branch`, a set of tables that exists already.
  /// Contract: the same as that of `open_family`; `branch` is the one that `open_family` would return.
  void repeat_family(Entity parent, std::size_t first, std::uint32_t count, const Branch& branch) noexcept;

  /// Makes the new entities `children` the children of the new entity `parent`. `branch` is the set of tables
  /// of their rows, which exists already.
  /// Contract: the handles were created by `issue`; `parent` has no children yet, and `children` is not
  /// empty.
  void repeat_family(Entity parent, std::span<const Entity> children, const Branch& branch) noexcept;

  /// Begins the creation of `count` children of `above`, or of roots if `above` is a null handle: reserves their
  /// handles, and their rows in a table of `archetype`. `keep` or `undo` ends the creation.
  /// Returns: the table in which the rows are reserved.
  /// Errors: std::bad_alloc.
  /// Contract: `above` is alive or null; there are free slot indices for all `count` entities (Slots::require_room).
  STRATA_API Table& begin(Archetype& archetype, Entity above, std::size_t count);

  /// Reserves `count` more rows in a table, for `append` or `append_next`.
  /// Errors: std::bad_alloc.
  void reserve(Table& table, std::size_t count);

  /// Appends at most `most` of the rows that `reserve` has reserved in the table, and gives each the entity
  /// that `next()` returns. The caller then builds the values, with `build` or as plain bytes.
  /// Returns: the rows, which are adjacent; fewer than `most` if the rest of the reserved rows is in another block
  /// (piece of memory).
  /// Errors: std::bad_alloc; nothing has changed then.
  template <class NextEntity>
  RowRun append(Table& table, std::size_t most, NextEntity next) {
    return append_run(table, most, [&](const RowRun& run) {
      Place place{run.block, run.row};
      for (Entity& entity : entities_of(run)) {
        entity = next();
        store_.slots().place(entity.index(), place);
        ++place.row;
      }
    });
  }

  /// Appends at most `most` of the rows that `reserve` has reserved in the table, for the next new entities
  /// in the order of their numbers.
  /// Returns: the rows, which are adjacent. They are fewer than `most` if the other reserved rows are in another block,
  /// or if the next entities reuse slots (see `reserve_handles`) and fewer than `most` such entities are left.
  /// Errors: std::bad_alloc; nothing has changed then.
  STRATA_API RowRun append_next(Table& table, std::size_t most);

  /// Appends as many rows as a full-size block has, for the next new entities in the order of their numbers; see
  /// Rows::append_block.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Contract: `reserve` has reserved these rows, and Rows::can_append_block returns true for the table.
  RowRun append_block(Table& table);

  /// Hides the entities in the rows of `run` (without an argument: all new entities that have rows), so that
  /// look-ups by handle do not find them until `show_entities`. The caller does this if it runs user code before these
  /// entities have all of their values, in tables and in pools (sparse sets): this code could read what is not built.
  STRATA_API void hide_entities(const RowRun& run) noexcept;
  void hide_entities() noexcept {
    for (const RowRun& run : runs_) hide_entities(run);
  }
  STRATA_API void show_entities(const RowRun& run) noexcept;
  void show_entities() noexcept {
    for (const RowRun& run : runs_) show_entities(run);
  }

  /// Calls `visit()`. During this call, iterations over the members of a pool (the sparse set of a component) leave out
  /// the entities that `insert` has added to it, but look-ups in the pool still find them. Used when `visit` runs user
  /// code before all new entities are complete.
  template <class Visit>
  void without_members(Visit visit) {
    const auto exchange = [&] {
      for (Joined& joined : pools_) joined.size = joined.pool->visit_only(joined.size);
    };
    exchange();
    const Rollback show(exchange);
    hold_pools(pools_.size(), visit);
  }

  /// Makes a later `undo` leave the handles of the new entities stale. Call `show_handles` when user code may have seen
  /// these handles, so that they never refer to other entities. Without this call, `undo` takes the handles back as if
  /// they had not been created, and later entities get the same handles.
  void show_handles() noexcept { shown_ = true; }

  /// Appends the entities of all appended rows to the list of children of `above`, in the order of the rows.
  /// Contract: `begin` was called with this parent, which is not null.
  STRATA_API void attach_all(Entity above) noexcept;

  /// Returns: all rows of the new entities, in the order in which they were appended.
  std::span<const RowRun> runs() const { return {runs_.data(), runs_.size()}; }

  /// Calls `build(values)`, which builds `count` values of a component at the address `values`. If the component has a
  /// destructor, records the values, so that `undo` destroys them.
  /// Errors: std::bad_alloc, and what `build` throws.
  /// Contract: if `build` throws, it has destroyed the values that it has built in this call.
  template <class Build>
  void build(const ComponentInfo& component, void* values, std::uint32_t count, Build build) {
    if (component.destroy == nullptr) return build(values);
    reserve_record();
    build(values);
    record({&component, values, count});
  }

  /// Records a pool (the sparse set of a component) and its present number of members. So `undo` can remove the members
  /// that join later, and `without_members` can hide them from queries. Call `reserve_members` before new entities
  /// become members. Has no effect for a pool that is recorded already.
  /// Errors: std::bad_alloc.
  STRATA_API void reserve_members(SparsePool& pool);

  /// Makes an entity a member of a pool (the sparse set of a component). `build(void* to)` builds the value in the
  /// memory of `buffer`; the value is then moved into the pool. So an exception of `build` leaves the pool unchanged.
  /// For a tag, which has no value, `build` is not called.
  /// Errors: std::bad_alloc, and what `build` throws; the entity is not a member then.
  template <class Build>
  void insert(SparsePool& pool, Entity entity, ValueBuffer& buffer, Build build) {
    reserve_members(pool);
    const ComponentInfo& component = pool.component();
    if (component.is_tag()) {
      pool.insert(entity);
      return;
    }
    void* const value = buffer.get();
    build(value);
    Rollback destroy([&] { component.destroy_values(value, 1); });
    void* const place = pool.insert(entity).value;
    destroy.dismiss();
    component.relocate_values(place, value, 1);
  }

  /// Makes the new entities permanent: forgets what was recorded, so that `undo` does nothing from now on,
  /// and another creation can begin.
  STRATA_API void keep() noexcept;

  /// Removes the new entities: first destroys their values in tables, then removes them from pools (sparse sets), then
  /// removes their rows, links and handles, always the last one first. Look-ups by handle do not find the entities
  /// while the values in tables are destroyed.
  STRATA_API void undo() noexcept;

 private:
  template <class Name>
  RowRun append_run(Table& table, std::size_t most, Name name) {
    reserve_one(runs_);
    runs_.push_back(store_.rows().append_run(table, static_cast<std::uint32_t>(most), name));
    return runs_.back();
  }

  void name_next(const RowRun& run) noexcept;

  struct Joined {
    SparsePool* pool;
    /// The number of members that the pool had before the new entities joined it. `without_members` exchanges this
    /// number with the number of members that the pool lets queries visit, and exchanges them back when it ends.
    std::uint32_t size;
  };
  struct Built {
    const ComponentInfo* component;
    void* values;
    std::uint32_t count;
  };

  /// Calls `visit()`. During this call, no code may add members to, or remove members from, the first `count` pools in
  /// `pools_` (see SparsePool::Hold).
  template <class Visit>
  void hold_pools(std::size_t count, Visit& visit) {
    if (count == 0) return visit();
    const SparsePool::Hold hold(*pools_[count - 1].pool);
    hold_pools(count - 1, visit);
  }
  STRATA_API void reserve_record();
  STRATA_API void record(const Built& built) noexcept;
  std::uint32_t highest_index() const;
  void destroy_values() noexcept;
  void take_handles_back() noexcept;

  Store& store_;
  Links& links_;
  FamilyRows& rows_;
  Layout layout_;  // The layout that `open_family` and `repeat_family` use.
  PlainList<Entity> handles_;
  Entity first_new_;  // First reserved handle with a new slot; other new slots follow it.
  std::size_t new_count_ = 0;
  bool shown_ = false;
  std::size_t next_ = 0;      // Number of the next handle to get a row.
  PlainList<Table*> tables_;  // Tables with reserved rows.
  PlainList<RowRun> runs_;
  PlainList<Built> built_;   // Values of components that have a destructor.
  PlainList<Joined> pools_;  // Pools that got new members.
};

}  // namespace strata::detail
