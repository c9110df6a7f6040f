// Store: the entities of a world, their components, and all structural changes to them.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>

#include "../core/compiler.hpp"
#include "../core/contract.hpp"
#include "../core/registry.hpp"
#include "changes/change_guard.hpp"
#include "observing/access_observer.hpp"
#include "observing/change_listener.hpp"
#include "observing/query_costs.hpp"
#include "rows/rows.hpp"
#include "side_store/side_store.hpp"
#include "tables/archetypes.hpp"
#include "tables/tables.hpp"

namespace strata::detail {

/// A row that was just created. Its values are uninitialised memory, and the caller constructs them at once.
/// `place` becomes invalid when the row moves.
struct NewRow {
  Entity entity;
  Place place;
};

/// The component storage of one world: entity handles (Slots), rows of table components (Tables, Rows), and the sparse
/// sets of the other components (SideStore). Every structural change goes through the Store. Tables are grouped into
/// branches: for example, the tables of the children of one parent are a branch (see Branch). The Store compares
/// branches by address only, and does not know that they represent a hierarchy.
///
/// Invariants (beyond those of its parts):
///   W1. The slot (record) of a live entity and its row refer to each other, and every row belongs to a live entity.
///   W2. Every member of a sparse set in the side store is alive.
///   W3. A component has values only in the storage that its description gives (ComponentInfo::storage).
///   W4. ChangeGuard::knows_moved_components is true exactly if Registry::moved_components (the number of components
///       that are in another storage than the one in which they were registered) is not 0.
///   W5. An entity for which a component is switched off (see toggles.hpp) has that component. If there is such an
///       entity, ChangeGuard::toggled is true.
///
/// Threads: any number of readers, or one writer.
class Store {
 public:
  explicit Store(std::pmr::memory_resource* memory, std::uint32_t max_entities = Slots::kDefaultLimit,
                 std::uint32_t world_number = 0);
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;
  STRATA_API ~Store();

  /// Destroys all values that have a destructor, and clears all tables. If any component has a destructor, first makes
  /// all entities stale, so that destructors find none of them, and then also clears all pools (sparse sets). The
  /// destructor of the store calls this function.
  void end() noexcept;

  /// Appends a row to a table: for the reserved handle `reserved` or, if that is null, for a new entity. Always
  /// inlined, because a call would return the row through memory, which is slow in tight loops.
  /// Errors: std::bad_alloc; nothing has changed then.
  STRATA_ALWAYS_INLINE NewRow create_row(Table& table, Entity reserved = Entity()) {
    make_room_for_row(table, reserved);
    return append_row(table, reserved);
  }
  /// Creates a row as `create_row(Table&, Entity)` does, in the table that `branch` (a group of tables) has for
  /// `archetype`. The table is created if it is new.
  /// Errors: std::bad_alloc; no row has been created then.
  NewRow create_row(Archetype& archetype, Branch& branch, Entity reserved = Entity());

  /// The first of the two steps of `create_row`: makes room for one row and, if `reserved` is null, for one
  /// slot. Only this step can fail.
  /// Errors: std::bad_alloc; nothing has changed then.
  STRATA_ALWAYS_INLINE void make_room_for_row(Table& table, Entity reserved) {
    rows_.ensure_room(table, 1);
    // Called after `ensure_room`, which may move rows and so run user code. Such code may use up the room for a slot.
    if (!reserved) slots_.make_room_for_one();
  }
  /// The second step of `create_row`: appends a row for `reserved` or, if that is null, for a newly issued handle.
  /// Writes the handle to the row, and the place of the row to the handle's slot.
  /// Contract: `make_room_for_row` was called with the same `table` and `reserved`.
  STRATA_ALWAYS_INLINE NewRow append_row(Table& table, Entity reserved) noexcept {
    const Place place = rows_.append(table);
    if (reserved) slots_.place(reserved.index(), place);
    const Entity entity = reserved ? reserved : slots_.issue(place);
    place.block->format->entities(*place.block)[place.row] = entity;
    return {entity, place};
  }

  /// Destroys an entity: makes its handle stale, removes its row, and erases it from all pools (sparse sets).
  /// Returns: false when the entity is already stale; nothing has changed then.
  /// Contract: no query is iterating, and no operation that runs user code is under way; see ChangeGuard.
  bool destroy(Entity entity);

  /// Destroys a live entity whose row is at `place`, without the checks of `destroy(Entity)`. Values with a destructor
  /// are destroyed when the caller's structural change ends; see Change.
  STRATA_API void destroy(Entity entity, Place place) noexcept;
  // To destroy many entities at once, use MassDestruction.

  /// Moves the entity's row to the table that `branch` (a group of tables) has for the row's archetype. Creates the
  /// table if the branch has none for this archetype yet.
  /// Returns: the new place of the row; the old place if the row is in a table of `branch` already.
  /// Errors: std::bad_alloc; the row has not moved then.
  /// Contract: the entity is alive.
  Place move_to_branch(Entity entity, Branch& branch);

  STRATA_ALWAYS_INLINE bool alive(Entity entity) const noexcept { return slots_.alive(entity); }

  // In the following functions, each `void*` is the address of a value of the component; null for a tag,
  // which has no value.

  /// The result of `add(Entity, ComponentId)`.
  struct Added {
    void* value;   ///< Null for a tag. If `existed` is false, the caller builds the value here.
    bool existed;  ///< Whether the entity had the component before; `value` is then its value.
  };

  /// Adds a component to an entity, in the storage that the component's description gives. Also adds the components
  /// that this component requires. Constructs the values of the required components, but not of the component itself.
  /// If the entity already has the component, adds nothing, but records a write of the value if the component is stored
  /// in tables and tracked (see Tracking).
  /// Returns: the address of the value, and whether the entity had the component before.
  /// Errors: std::bad_alloc, and what building a required value throws; nothing has changed then.
  /// Contract: the entity is alive. No query is iterating, and no operation that runs user code is under way; see
  /// ChangeGuard.
  STRATA_API Added add(Entity entity, ComponentId id, CallSite at = {});
  /// Adds a component as `add(Entity, ComponentId)` does, for the live entity whose row is at `place`. The contract of
  /// `add` holds, but is not checked.
  Added add_at(Place place, Entity entity, ComponentId id);

  /// The result of `add_to_row`.
  struct AddedToRow {
    Place place;   ///< The place of the entity's row, which contains the value.
    bool existed;  ///< Whether the entity had the component before; if not, its value is uninitialised.
  };
  /// Adds a table component to the live entity whose row is at `place`, without the checks of `add`. If the
  /// entity does not have the component yet, moves the row; otherwise records a write of the value, if the
  /// component is tracked.
  /// Returns: the place of the row, and whether the entity had the component before.
  /// Errors: std::bad_alloc; nothing has changed then.
  STRATA_API AddedToRow add_to_row(Place place, ComponentId id);

  /// Removes a table component from the live entity whose row is at `place`: moves the row to another table. The
  /// contract of `remove` holds, but is not checked.
  /// Returns: false when the entity does not have the component; nothing has changed then.
  /// Errors: std::bad_alloc; nothing has changed then.
  STRATA_API bool remove_from_row(Place place, ComponentId id);

  /// Adds a component, and the components that it requires. Moves `*value` into the component and ends the lifetime of
  /// `*value`. If the entity has the component already, its old value is destroyed. If `value` is the address of this
  /// old value, nothing is moved or destroyed.
  /// Returns: the address of the stored value; null for a tag.
  /// Errors: std::bad_alloc, and what building a required value throws (nothing has changed); exceptions of the
  /// listener's user code (the change is complete).
  /// Contract: the entity is alive. No query is iterating, and no operation that runs user code is under way (see
  /// ChangeGuard). `value` is null only for a tag. `value` does not point into the memory of the store, unless it is
  /// the address of the old value; see require_given.
  void* add(Entity entity, ComponentId id, void* value);

  /// Removes a component from an entity. The component's value is destroyed at the end of this change; see Change.
  /// Returns: false when the entity is stale or does not have the component; nothing has changed then.
  /// Errors: std::bad_alloc (nothing has changed); exceptions of the listener's user code (the change is complete).
  /// Contract: no query is iterating, and no operation that runs user code is under way; see ChangeGuard.
  inline bool remove(Entity entity, ComponentId id, CallSite at = {});  // Defined in store_change.hpp.
  /// Removes a component from the live entity whose row is at `place`, without the checks of `remove`.
  /// Returns: false when the entity does not have the component; nothing has changed then.
  /// Errors: std::bad_alloc, unless `make_room_to_remove` was called; nothing has changed then.
  bool remove_held(Place place, Entity entity, ComponentId id) {
    return remove_from_row(place, id) || remove_from_side_store(entity, id);
  }
  /// Makes room in the table to which `remove_held` would move the row at `place` when it removes the component `id`.
  /// So a following call of `remove_held` cannot fail.
  /// Errors: std::bad_alloc; nothing has changed then.
  void make_room_to_remove(Place place, ComponentId id);
  /// Makes room in the table to which the row at `place` moves when it gets the archetype `to`, so that this move
  /// cannot fail.
  /// Errors: std::bad_alloc; nothing has changed then.
  void make_room_to_move(Place place, Archetype& to);

  /// Returns: whether the entity is alive and has the component.
  STRATA_API bool has(Entity entity, ComponentId id) const noexcept;
  /// Returns: whether the live entity whose row is at `place` has the component. Does not report this look-up
  /// to the observer (see `observe`).
  STRATA_API bool holds(Place place, Entity entity, ComponentId id) const noexcept;
  /// Returns: the value of the component for the live entity whose row is at `place`; null when the entity does not
  /// have the component, or for a tag. Does not report this look-up to the observer (see `observe`).
  STRATA_API void* value_of(Place place, Entity entity, ComponentId id) const noexcept;
  /// Returns: the value of the component; null when the entity is stale or does not have the component, or for a tag.
  STRATA_API void* find(Entity entity, ComponentId id) const noexcept;

  /// Finds a value as `find` does, and records a write to it if the component is tracked (see Tracking).
  /// Returns: the value; null when the entity is stale or does not have the component, or for a tag.
  void* find_to_write(Entity entity, ComponentId id) noexcept {
    mark_write(slots_.find(entity), id);
    return find(entity, id);
  }

  /// Records that the value of a component in the row at `place` is written, if the component is tracked (see
  /// Tracking). Does nothing if the block of `place` is null.
  void mark_write(Place place, ComponentId id) noexcept {
    if (place.block != nullptr && place.block->format->tracks()) {
      stamp_value(place, id, rows_.changes().clock().now());
    }
  }

  /// Moves the entity's row to the archetype `to`: adds and removes any number of components in one move.
  /// Values that only the old archetype has are destroyed, and values that only `to` has are uninitialised.
  /// Returns: the new place of the row.
  /// Errors: std::bad_alloc; the row has not moved then.
  /// Contract: the entity is alive.
  Place change_archetype(Entity entity, Archetype& to) {
    change_archetype(require_alive("change", entity), to);
    change_ended();
    return slots_.find(entity);
  }
  /// Does what `change_archetype(Entity, Archetype&)` does for the live entity whose row is at `place`, but does not
  /// end the structural change: the caller then calls `change_ended`.
  /// Returns: the new place of the row; `place` if the archetype of the row is already `to`.
  /// Errors: std::bad_alloc; the row has not moved then.
  Place change_archetype(Place place, Archetype& to);

  /// Releases the room for rows that was reserved (see Rows::reserve), in every table, and frees the blocks of tables
  /// without rows. Also releases the positions that were reserved for tables in lists of tables (see RankLists). Called
  /// when a change of many rows has failed after it reserved room.
  /// Complexity: O(tables).
  void release_reservations() noexcept;

  // The following functions begin and end structural changes and iterations.

  /// Called before a structural change: checks that the store may be changed now, and remembers `operation` for
  /// messages. The caller calls `change_ended` after the change. If the change is refused, the message names
  /// `operation` and `entity`.
  /// Returns: what has to be notified of the change; see Notified.
  /// Contract: no query is iterating, and no operation that runs user code is under way; see ChangeGuard.
  STRATA_ALWAYS_INLINE Notified require_unlocked(const char* operation, Entity entity,
                                                 CallSite at = {}) const {
    return guard_.require_unlocked(operation, entity, at);
  }
  /// Returns: the place of the entity's row.
  /// Contract: the entity is alive. The message names `operation` and the entity.
  Place require_alive(const char* operation, Entity entity, CallSite at = {}) const {
    const Place place = slots_.find(entity);
    if (place.block == nullptr) [[unlikely]]
      refuse_stale(operation, entity, at);
    return place;
  }

  /// Called by every query after an iteration. Destroys removed values, and applies the commands that were recorded
  /// during the iteration. Does nothing if another query is iterating or an operation that runs user code is under way;
  /// the end of that query or operation does it then.
  /// Errors: exceptions thrown while commands are applied. Commands that are not applied yet stay recorded.
  void iteration_ended() {
    if (guard_.has_pending()) [[unlikely]]
      finish_iteration();
  }

  class Change;  // The scope of one structural change, defined in store_change.hpp.

  /// Returns: a UseScope, to be kept as long as the caller reads the store (`reading`) or changes it (`changing`). In
  /// checked builds, the scope checks the contract; in other builds, it does nothing. `operation` is the name of this
  /// use in messages.
  /// Contract: the use of the store conflicts with no use by another thread; see UseScope.
  UseScope reading(const char* operation) const { return {guard_.uses(), Use::read, {operation}}; }
  UseScope changing(const char* operation, CallSite at = {}) const {
    return {guard_.uses(), Use::change, {operation}, at};
  }

  /// Ends a structural change: destroys removed values, and applies the commands that were recorded during the change.
  /// Does nothing if an operation that runs user code is under way; the end of that operation does it then. Called by
  /// the destructor of Change, and by functions that call `require_unlocked` instead of making a Change.
  /// Errors: exceptions thrown while commands are applied, except std::bad_alloc; see Change.
  STRATA_ALWAYS_INLINE void change_ended() {
    if (guard_.has_pending()) [[unlikely]]
      finish_change();
  }

  /// Notifies the listener, if there is one, that an entity was created. Then ends the change as `change_ended` does.
  /// Errors: exceptions of user code that the listener calls; the entity has been created then.
  void creation_ended(Entity entity) {
    if (guard_.has_pending_or_listened()) [[unlikely]]
      finish_creation(entity);
  }

  /// Called at the end of a change of which the listener may have been notified. If the listener has called user code
  /// that threw an exception, throws this exception now; see ChangeListener::finish.
  void notification_ended() {
    if (listener_ != nullptr) listener_->finish();
  }

  /// Returns: whether `listener` has to be notified of changes.
  bool listened() const { return guard_.listened(); }
  /// Returns: whether, after a change of the hierarchy, the listener has to be notified or data outside the tables have
  /// to be updated, such as an index of names; see ChangeGuard::tree_listened.
  bool tree_listened() const { return guard_.tree_listened(); }
  /// Returns: the listener that is notified of changes; null before `set_listener`.
  ChangeListener* listener() const { return listener_; }
  /// Sets the listener that is notified of changes while ChangeGuard::listened is true.
  void set_listener(ChangeListener* listener) noexcept { listener_ = listener; }

  /// Sets the function that `iteration_ended` and `change_ended` call to apply recorded commands. Each call passes the
  /// pointer `listener`, which has nothing to do with `set_listener`. Replaces the function and the pointer that were
  /// set before.
  void on_iteration_end(void (*function)(void*), void* listener) {
    on_iteration_end_ = function;
    iteration_listener_ = listener;
  }

  /// Returns: the guard that refuses structural changes while a query iterates or user code runs.
  const ChangeGuard& guard() const { return guard_; }
  bool iterating() const { return guard_.iterating(); }

  /// Tests several conditions in one comparison, for fast paths.
  /// Returns: true if no query is iterating, no operation that runs user code is under way, no recorded commands wait
  /// for the end of one (ChangeGuard::has_recorded), every component is in the storage in which it was registered, and
  /// no listener has to be notified of changes (`listened`); otherwise false.
  bool undisturbed() const { return guard_.undisturbed(); }

  /// Records that a component is stored in `storage` from now on. The caller has moved the component's values to that
  /// storage.
  void mark_storage(ComponentId id, Storage storage) noexcept;

  /// Makes this store report look-ups, additions and removals of components to `observer`, and no longer to the
  /// previous observer. Null ends the reports. Fast paths report nothing. They find components by the function
  /// Registry::find_as_declared, which finds none while there is an observer; see Registry::withhold_types.
  void observe(AccessObserver* observer) noexcept {
    observer_ = observer;
    registry_.withhold_types(observer != nullptr);
  }
  AccessObserver* observer() const { return observer_; }

  Registry& registry() { return registry_; }
  const Registry& registry() const { return registry_; }
  Slots& slots() { return slots_; }
  const Slots& slots() const { return slots_; }
  Archetypes& archetypes() { return archetypes_; }
  const Archetypes& archetypes() const { return archetypes_; }
  Tables& tables() { return tables_; }
  const Tables& tables() const { return tables_; }
  SideStore& side() { return side_; }
  const SideStore& side() const { return side_; }
  Rows& rows() { return rows_; }
  const Rows& rows() const { return rows_; }
  BlockPool& pool() { return pool_; }
  const BlockPool& pool() const { return pool_; }
  /// Returns: the counters to which queries add how much work they did besides visiting rows; see QueryCosts.
  QueryCostCounters& query_costs() const { return query_costs_; }
  std::pmr::memory_resource* memory() const { return memory_; }

  /// Returns: the first invariant that does not hold, as a sentence; empty when all invariants hold.
  /// Complexity: O(all data of the store).
  std::string check_invariants() const;

 private:
  Added add_one_at(Place place, Entity entity, ComponentId id);
  STRATA_NOINLINE Added add_watched_at(Place place, Entity entity, ComponentId id);
  void* add_observed(Entity entity, ComponentId id, void* value);
  bool remove_unobserved(Entity entity, ComponentId id) {
    const Place place = slots_.find(entity);
    if (place.block == nullptr) return false;
    if (observer_ != nullptr) [[unlikely]]
      observer_->removed(id, place, holds(place, entity, id));
    return remove_held(place, entity, id);
  }
  STRATA_NOINLINE STRATA_API bool remove_observed(Entity entity, ComponentId id);
  STRATA_NOINLINE STRATA_API void finish_creation(Entity entity);
  STRATA_API bool remove_from_side_store(Entity entity, ComponentId id) noexcept;

  std::string check_storages() const;

  STRATA_NOINLINE STRATA_API void finish_iteration();
  void destroy_dead() noexcept;
  STRATA_NOINLINE STRATA_API void finish_change();
  [[noreturn]] STRATA_API void refuse_stale(const char* operation, Entity entity, CallSite at) const;

  ChangeGuard guard_;
  std::pmr::memory_resource* memory_;
  Registry registry_;
  Slots slots_;
  BlockPool pool_;
  Archetypes archetypes_;
  Tables tables_;
  SideStore side_;
  Rows rows_;
  SwapSpace replaced_;  // Temporary memory for a value that is being replaced.
  mutable QueryCostCounters query_costs_;
  void (*on_iteration_end_)(void*) = nullptr;
  void* iteration_listener_ = nullptr;
  AccessObserver* observer_ = nullptr;
  ChangeListener* listener_ = nullptr;
};

}  // namespace strata::detail
