// BulkOperations: the operations of a World on many entities, given as a span or by a query.
#pragma once

#include <concepts>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../core/try_allocating.hpp"
#include "../../query/matching/matcher.hpp"
#include "../../query/visiting/visits.hpp"
#include "../../storage/mass_additions.hpp"
#include "../../storage/mass_changes.hpp"
#include "prefab_operations.hpp"

namespace strata {
namespace detail {

template <class Set>
concept EntitySpan = std::convertible_to<Set&, std::span<const Entity>>;
template <class Set>
concept EntityQuery = requires(Set& set) {
  { set.matcher() } -> std::convertible_to<const Matcher&>;
};
/// The argument that gives the entities of a bulk operation: a span or contiguous container of entities, or a query.
template <class Set>
concept EntitySet = EntitySpan<Set> || EntityQuery<Set>;

/// Destroys entities with their subtrees, one by one, so that observers and hooks are notified of each destruction.
/// Returns: the number of entities destroyed, those of subtrees included.
STRATA_API std::size_t destroy_each(WorldParts& parts, std::span<const Entity> entities);

/// Adds the entities that a query matches to the selection (the set of entities that an operation will change).
/// Contract: the query and the selection belong to the same store.
STRATA_API void select(EntitySelection& selection, const Matcher& query);

template <EntitySet Set>
void select(EntitySelection& selection, Set& entities) {
  if constexpr (EntityQuery<Set>) {
    select(selection, entities.matcher());
  } else {
    selection.add(entities);
  }
}

/// The copy of a value that `add` of many entities makes outside the world. Its copy constructor and destructor may run
/// user code. Structural changes are refused meanwhile.
template <class T>
class ValueToAdd {
 public:
  ValueToAdd(const Store& store, const T& from) : store_(store) {
    const ChangeGuard::Operation copying(store.guard(), "add");
    ::new (static_cast<void*>(&value)) T(from);
  }
  ValueToAdd(const ValueToAdd&) = delete;
  ValueToAdd& operator=(const ValueToAdd&) = delete;
  ~ValueToAdd() {
    if constexpr (!std::is_trivially_destructible_v<T>) {
      const ChangeGuard::Operation destroying(store_.guard(), "add");
      value.~T();
    }
  }

  T& get() { return value; }

 private:
  const Store& store_;
  union {  // So that the constructor and the destructor choose when the value is made and destroyed.
    T value;
  };
};

}  // namespace detail

/// The base class of World with the operations on many entities at once. The comment on World has the rules for all
/// operations. The caller gives the entities as a span, a contiguous container or a query. A query stands for the
/// entities that it matches when the call begins. Stale handles are left out, and handles that are given twice count
/// once.
///
/// These operations do what a loop over the entities does, several times faster: rows of one table that are adjacent
/// are moved or removed together. In the new table, rows keep the order that they had in the old one.
///
/// While observers or hooks are registered (see Observers), the entities are changed one by one, and the observers and
/// hooks are called for each change. Commands that they record are applied at the end, and the first exception that
/// they throw is thrown at the end. If memory runs out, the entities changed so far stay changed.
///
/// Contract: a query that is given as an argument belongs to this world.
class BulkOperations : public PrefabOperations {
 public:
  /// Destroys entities and their subtrees, children first.
  /// Returns: the number of entities destroyed, those of subtrees included.
  /// Errors: std::bad_alloc; nothing has changed then, unless observers or hooks are registered.
  /// Complexity: O(entities given + entities destroyed).
  template <detail::EntitySet Entities>
  std::size_t destroy(Entities&& entities) {
    const detail::UseScope use = parts_->store.changing("destroy");
    if (parts_->store.listened()) [[unlikely]]
      return detail::destroy_each(*parts_, listed(parts_->store, "destroy", entities));
    const detail::Store::Change change(parts_->store, "destroy", Entity());
    detail::EntitySelection selection(parts_->store);
    detail::select(selection, entities);
    return parts_->hierarchy.destroy_selected(selection.rows());
  }

  /// Adds a component with a copy of `value` to entities, together with the components that it requires (see
  /// requires_of). Replaces the value of entities that have the component.
  /// Returns: the number of live entities that were given.
  /// Errors: std::bad_alloc, and exceptions of a copy; nothing has changed then, unless observers or hooks are
  /// registered.
  /// Invalidates: pointers to components of these entities in tables, and of other entities in the tables that these
  /// leave or enter.
  /// Complexity: O(entities * components).
  template <Component T, detail::EntitySet Entities>
  std::size_t add(Entities&& entities, const T& value = T{}) {
    static_assert(is_tag<T> || is_copyable<T>,
                  "the value is copied to each entity: make its type copyable, or add to one at a time");
    detail::WorldParts& parts = *parts_;  // User code may move the World.
    const detail::UseScope use = parts.store.changing("add");
    const detail::Pin pin(parts, "add");
    parts.store.require_unlocked("add", Entity());
    bool recorded = false;
    std::size_t added = 0;
    {
      // The value may be in this world, where rows will move.
      detail::ValueToAdd<T> copy(parts.store, value);
      // The copy constructor may have recorded commands, and has marked that they are to be applied. The addition would
      // clear this mark, and the commands would wait for World::flush. So the mark is taken here, and the commands are
      // applied below.
      recorded = parts.store.guard().take_recorded();
      added = add_copies<T>(parts, entities, copy.get());
    }
    recorded =
        parts.store.guard().take_recorded() || recorded;  // The destructor of the copy may record, too.
    if (recorded) detail::try_allocating([&] { parts.commands.buffer().apply(); });
    return added;
  }

  /// Removes a component from entities.
  /// Returns: the number of entities that had it.
  /// Errors: std::bad_alloc; nothing has changed then. If observers or hooks are registered, entities are changed one
  /// by one, so some may have lost the component.
  /// Invalidates: pointers to components of these entities in tables, and of other entities in the tables that these
  /// leave or enter.
  /// Complexity: O(entities * components), for the given entities and all components of one entity.
  template <Component T, detail::EntitySet Entities>
  std::size_t remove(Entities&& entities) {
    detail::WorldParts& parts = *parts_;  // User code may move the World.
    const detail::UseScope use = parts.store.changing("remove");
    if (parts.store.listened()) [[unlikely]]
      return change_each(parts, "remove", entities,
                         [&](Entity entity) { return parts.template remove<T>(entity, CallSite()); });
    return change_component<T>(parts.store, "remove", entities, [&](ComponentId id, auto& selection) {
      return detail::MassChanges(parts.store).remove(id, selection);
    });
  }

 protected:
  using PrefabOperations::PrefabOperations;

 private:
  /// Does what `add` does, with a value that is outside the world.
  template <Component T, class Entities>
  static std::size_t add_copies(detail::WorldParts& parts, Entities& entities, const T& copy) {
    if (parts.store.listened()) [[unlikely]]
      return change_each(parts, "add", entities, [&](Entity entity) {
        detail::ValueToAdd<T> one(parts.store, copy);
        parts.typed.add(entity, one.get(), CallSite());
        return true;
      });
    if constexpr (detail::requires_others<T>) {
      const detail::Store::Change change(parts.store, "add", Entity());
      const ComponentId id = parts.store.registry().template id_of<T>();
      detail::EntitySelection selection(parts.store, true);
      detail::select(selection, entities);
      return detail::MassAdditions(parts.store).add(id, &copy, selection);
    }
    return change_component<T>(parts.store, "add", entities, [&](ComponentId id, auto& selection) {
      return detail::MassChanges(parts.store).add(id, &copy, selection);
    });
  }

  /// Lists the entities that the caller of an operation gives by a span or query, so that the operation can change them
  /// one by one. `operation` is the name of the operation, for messages.
  /// Returns: the given entities that are alive, each once.
  /// Contract: no query iterates, and no other change is under way.
  template <class Entities>
  static std::vector<Entity> listed(detail::Store& store, const char* operation, Entities& entities) {
    const detail::Store::Change change(store, operation, Entity());
    detail::EntitySelection selection(store, true);
    detail::select(selection, entities);
    return {selection.listed().begin(), selection.listed().end()};
  }

  /// Calls `change(Entity)` once for each of the given entities that is alive, except those that earlier calls of
  /// `change` have destroyed. Commands that user code records meanwhile are applied after the last call. `operation` is
  /// the name of the operation, for messages.
  /// Returns: the number of calls that returned true.
  template <class Entities, class Change>
  static std::size_t change_each(detail::WorldParts& parts, const char* operation, Entities& entities,
                                 Change change) {
    std::size_t changed = 0;
    const detail::Pin pin(parts, operation);
    const std::vector<Entity> each = listed(parts.store, operation, entities);
    detail::CommandBuffer::Deferral deferral(parts.commands.buffer());
    for (const Entity entity : each) changed += parts.store.alive(entity) && change(entity) ? 1 : 0;
    deferral.finish();
    return changed;
  }

  template <Component T, class Entities, class Run>
  static std::size_t change_component(detail::Store& store, const char* operation, Entities& entities,
                                      Run run) {
    const detail::Store::Change change(store, operation, Entity());
    const ComponentId id = store.registry().template id_of<T>();
    detail::EntitySelection selection(store, store.registry()[id].storage == Storage::sparse);
    detail::select(selection, entities);
    return run(id, selection);
  }
};

}  // namespace strata
