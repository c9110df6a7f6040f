// Store: the entities of a world, their components, and all structural changes to them.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>

#include "../core/contract.hpp"
#include "../core/registry.hpp"
#include "changes/change_guard.hpp"
#include "observing/access_observer.hpp"
#include "observing/query_costs.hpp"
#include "rows/rows.hpp"
#include "side_store/side_store.hpp"
#include "tables/archetypes.hpp"
#include "tables/tables.hpp"

namespace strata::detail {

/// A new row. Its values are uninitialised and have to be built at once. Goes stale as the place of its row.
struct NewRow {
  Entity entity;
  Place place;
};

/// Combines slots, tables and side store. It uses branches without knowing what they represent.
///
/// Invariants (beyond those of its parts):
///   W1. A live slot and its row refer to each other, and every row has a live slot.
///   W2. Every side-store member is alive.
///   W3. A component has values only in the storage that its description gives.
///   W4. The guard's flag for moved components agrees with the registry.
///
/// Threads: any number of readers, or one writer.
class Store {
 public:
  explicit Store(std::pmr::memory_resource* memory, std::uint32_t max_entities = Slots::kDefaultLimit,
                 std::uint32_t world_number = 0);
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;
  ~Store();

  /// Ends all entities, then destroys their values.
  void end() noexcept;

  // Entities.

  /// Creates the row of the entity `reserved` or, if that is null, of a new entity. Always inlined: returning
  /// the row through memory would take a third of the creation time in tight loops.
  /// Errors: std::bad_alloc; nothing has changed then.
  [[gnu::always_inline]] NewRow create_row(Table& table, Entity reserved = Entity()) {
    make_room_for_row(table, reserved);
    return append_row(table, reserved);
  }
  /// The same in the archetype's table of a branch.
  NewRow create_row(Archetype& archetype, Branch& branch, Entity reserved = Entity());

  /// The first of the two steps of `create_row`, which does everything that can fail.
  /// Errors: std::bad_alloc; nothing has changed then.
  [[gnu::always_inline]] void make_room_for_row(Table& table, Entity reserved) {
    rows_.ensure_room(table, 1);
    if (!reserved) slots_.make_room_for_one();  // After moves of rows, which may run code that takes slots.
  }
  /// Contract: `make_room_for_row` was called with the same arguments.
  [[gnu::always_inline]] NewRow append_row(Table& table, Entity reserved) noexcept {
    const Place place = rows_.append(table);
    if (reserved) slots_.place(reserved.index(), place);
    const Entity entity = reserved ? reserved : slots_.issue(place);
    place.block->format->entities(*place.block)[place.row] = entity;
    return {entity, place};
  }

  /// Destroys the entity and its components.
  /// Returns: false when the entity is stale.
  bool destroy(Entity entity);

  /// The same for a live entity whose row is known.
  void destroy(Entity entity, Place place) noexcept;
  // Of many entities: see MassDestruction.

  /// Moves the entity's row to another branch.
  /// Contract: the entity is alive.
  Place move_to_branch(Entity entity, Branch& branch);

  bool alive(Entity entity) const noexcept { return slots_.alive(entity); }

  // Components. Each `value` has the component's type; a tag has no value, so pointers to it are null.

  struct Added {
    void* value;  ///< Uninitialised unless it existed; the caller builds it at once.
    bool existed;
  };

  /// Adds a component in its storage.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Contract: the entity is alive, and no query iterates.
  Added add(Entity entity, ComponentId id, CallSite at = {});

  struct AddedToRow {
    Place place;  ///< Of the entity's row, which contains the value.
    bool existed;
  };
  /// The same for a table component and a live entity whose row is known.
  AddedToRow add_to_row(Place place, ComponentId id);

  /// Removes a table component from a live entity whose row is known.
  /// Returns: false when the entity does not have it.
  bool remove_from_row(Place place, ComponentId id);

  /// Adds a component and moves `*value` into it. If `value` is the entity's own value of the component, that
  /// stays as it is.
  /// Returns: the value.
  /// Contract: as above, and as `require_given`.
  void* add(Entity entity, ComponentId id, void* value);

  /// Returns: whether an address lies in memory of stored values.
  /// Complexity: O(pools) for an address on the stack; otherwise O(pages of values + slabs of blocks).
  bool holds_value_at(const void* address) const noexcept;

  /// Contract: `value` is not null unless the component is a tag, and is not stored in this store: it would
  /// be moved from and destroyed twice. The message names the operation, the entity and the component.
  /// Complexity: as `holds_value_at`.
  void require_given(const char* operation, Entity entity, ComponentId id, const void* value) const;

  /// Contract: the values of a column to copy are not stored in this store, where rows move while others are
  /// created.
  void require_outside(const char* operation, ComponentId id, const void* values) const;

  /// Returns: false when the entity is stale or does not have the component.
  bool remove(Entity entity, ComponentId id, CallSite at = {}) {
    const Change change(*this, "remove", entity, at);
    const Place place = slots_.find(entity);
    if (place.block == nullptr) return false;
    if (observer_ != nullptr) [[unlikely]]
      observer_->removed(id, place, holds(place, entity, id));
    return remove_from_row(place, id) || remove_from_side_store(entity, id);
  }

  bool has(Entity entity, ComponentId id) const noexcept;
  /// The same as `has` for a live entity whose row is known, without reporting to the observer.
  bool holds(Place place, Entity entity, ComponentId id) const noexcept;
  void* find(Entity entity, ComponentId id) const noexcept;

  /// The same as `find`, for a value that is going to be written.
  void* find_to_write(Entity entity, ComponentId id) noexcept {
    mark_write(slots_.find(entity), id);
    return find(entity, id);
  }

  /// Records a write to a row's value of a component, if the component is tracked.
  void mark_write(Place place, ComponentId id) noexcept {
    if (place.block != nullptr && place.block->format->tracks()) {
      stamp_value(place, id, rows_.changes().clock().now());
    }
  }

  /// Moves a row to the archetype `to` as one change. Values that only `to` has are uninitialised.
  Place change_archetype(Entity entity, Archetype& to) {
    change_archetype(require_alive("change", entity), to);
    change_ended();
    return slots_.find(entity);
  }
  /// The same for a live entity whose row is known.
  Place change_archetype(Place place, Archetype& to);

  /// Releases all reserved room, after preparing a change of many rows has failed.
  /// Complexity: O(tables).
  void release_reservations() noexcept;

  // Contracts shared by every structural change.

  /// Contract: nothing is under way; see ChangeGuard.
  void require_unlocked(const char* operation, Entity entity, CallSite at = {}) const {
    guard_.require_unlocked(operation, entity, at);
  }
  /// Contract: the entity is alive.
  Place require_alive(const char* operation, Entity entity, CallSite at = {}) const {
    const Place place = slots_.find(entity);
    if (place.block == nullptr) [[unlikely]]
      refuse_stale(operation, entity, at);
    return place;
  }

  /// A query calls this after each iteration. When the outermost iteration has ended, it destroys removed
  /// values and applies the commands recorded meanwhile.
  /// Errors: exceptions of commands; commands not applied stay recorded.
  void iteration_ended() {
    if (guard_.has_pending()) [[unlikely]]
      finish_iteration();
  }

  /// Marks a structural change from its initial check to its end. At the end, removed values are destroyed,
  /// and commands that user code has recorded meanwhile are applied. If that runs out of memory, or the
  /// change ends by an exception, the commands stay recorded.
  class Change {
   public:
    Change(Store& store, const char* operation, Entity entity, CallSite at = {}) : store_(store) {
      store.require_unlocked(operation, entity, at);
    }
    Change(const Change&) = delete;
    Change& operator=(const Change&) = delete;
    ~Change() noexcept(false) { store_.change_ended(); }

   private:
    Store& store_;
  };
  /// The same as the end of a Change.
  void change_ended() {
    if (guard_.has_pending()) [[unlikely]]
      finish_change();
  }

  /// Sets the function that applies recorded commands, and its argument.
  void on_iteration_end(void (*function)(void*), void* listener) {
    on_iteration_end_ = function;
    iteration_listener_ = listener;
  }

  const ChangeGuard& guard() const { return guard_; }
  bool iterating() const { return guard_.iterating(); }

  /// Returns: see ChangeGuard::undisturbed.
  bool undisturbed() const { return guard_.undisturbed(); }

  /// Records that the values of a component have been moved to a storage.
  void mark_storage(ComponentId id, Storage storage) noexcept;

  /// Reports uses of components to `observer` from now on; null stops that.
  void observe(AccessObserver* observer) noexcept {
    observer_ = observer;
    registry_.withhold_types(observer != nullptr);
  }
  AccessObserver* observer() const { return observer_; }

  // Parts.

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
  /// Returns: counters to which queries add.
  QueryCostCounters& query_costs() const { return query_costs_; }
  std::pmr::memory_resource* memory() const { return memory_; }

  /// Returns: the first invariant that does not hold, as a sentence; empty when all do.
  /// Complexity: O(everything).
  std::string check_invariants() const;

 private:
  void* value_of(Place place, Entity entity, ComponentId id) const noexcept;
  bool remove_from_side_store(Entity entity, ComponentId id) noexcept;

  std::string check_storages() const;

  [[gnu::noinline]] void finish_iteration();
  void destroy_dead() noexcept;
  [[gnu::noinline]] void finish_change();
  [[noreturn]] void refuse_stale(const char* operation, Entity entity, CallSite at) const;

  ChangeGuard guard_;
  std::pmr::memory_resource* memory_;
  Registry registry_;
  Slots slots_;
  BlockPool pool_;
  Archetypes archetypes_;
  Tables tables_;
  SideStore side_;
  Rows rows_;
  SwapSpace replaced_;  // Temporary memory for a replaced value.
  mutable QueryCostCounters query_costs_;
  void (*on_iteration_end_)(void*) = nullptr;
  void* iteration_listener_ = nullptr;
  AccessObserver* observer_ = nullptr;
};

}  // namespace strata::detail
