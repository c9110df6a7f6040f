// TypedStore: creates entities and accesses components by C++ types, on top of the store, which knows only ids.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include "../../../core/compiler.hpp"
#include "../../../core/rollback.hpp"
#include "../../../hierarchy/creation/forest.hpp"
#include "../../../hierarchy/hierarchy.hpp"
#include "../../../storage/observed_changes.hpp"
#include "new_values.hpp"
#include "node_values.hpp"
#include "required_types.hpp"
#include "type_lists.hpp"

namespace strata::detail {

/// Creates entities and accesses components by C++ types. Store and Hierarchy, which know components only by ids, do
/// the work. For each list of types with which the program creates entities, TypedStore caches the archetype, the table
/// and the columns (see TypeLists).
///
/// Threads: any number of readers, or one writer.
class TypedStore {
 public:
  TypedStore(Store& store, Hierarchy& hierarchy)
      : store_(store), hierarchy_(hierarchy), lists_(store.memory()), bulk_(hierarchy.bulk_creation()) {}

  Store& store() { return store_; }
  const Store& store() const { return store_; }
  Hierarchy& hierarchy() { return hierarchy_; }
  BulkCreation& bulk() { return bulk_; }

  /// Returns: what the cache has for this list of types (see TypeLists): the archetype, the table for entities without
  /// a parent, and the columns. Null before the list is used for the first time, or if one of the types is not stored
  /// where `storage_of` says.
  template <Component... Ts>
  STRATA_ALWAYS_INLINE TypeLists::Known* find_list() {
    static_assert(((occurrences<Ts, Ts...> == 1) && ...), "an entity has at most one component of a type");
    static_assert((!is_kept_by_library<Ts> && ...),
                  "child_of(parent) is the first argument, and pairs are added to the entity later");
    return lists_.find(type_number<TypeList<Ts...>>);
  }

  /// Returns: the archetype for entities with the components Ts. The archetype consists of those of Ts that are stored
  /// in tables. Registers the components and creates the archetype if they are new.
  /// Errors: std::bad_alloc.
  /// Complexity: O(1) if the list of types is in the cache (see `find_list`). The first call with this list adds it to
  /// the cache, unless one of the types is not stored where `storage_of` says.
  template <Component... Ts>
  Archetype& archetype_of() {
    if (const TypeLists::Known* const known = find_list<Ts...>()) [[likely]]
      return *known->archetype;
    const std::array<ComponentId, sizeof...(Ts)> ids{store_.registry().id_of<Ts>()...};
    Archetype& archetype = archetype_of(ids);
    if ((is_as_declared<Ts>() && ...)) lists_.add(type_number_of<TypeList<Ts...>>(), archetype, ids);
    return archetype;
  }

  /// Clears the cache of the archetypes and columns for lists of types (see TypeLists). Call it after a component
  /// was moved to another storage, because the cached data are wrong then.
  void forget_archetypes() noexcept { lists_.clear(); }

  /// Returns: the table for roots (entities without a parent) with these components, which is created if it is new.
  /// Errors: std::bad_alloc; nothing has changed then.
  template <Component... Ts>
  Table& roots_of() {
    Table& table = store_.tables().get(archetype_of<Ts...>(), store_.tables().root());
    if (TypeLists::Known* const known = find_list<Ts...>()) known->roots = &table;
    return table;
  }

  /// Returns: whether T is stored where `storage_of<T>` says, and its uses are not recorded by a StorageAdvisor. If so,
  /// code that is compiled for that storage can be used. See Registry::find_as_declared.
  /// Contract: T is registered.
  template <Component T>
  bool is_as_declared() const {
    return store_.registry().find_as_declared<T>() != Registry::kUnknown;
  }

  /// Moves the values of a new entity into its row and into pools. `known` is a copy of what `find_list<Ts...>()`
  /// points to, because user code that moves values may add lists of types.
  /// Returns: the entity.
  /// Errors: std::bad_alloc, from the side store (sparse sets); the entity is destroyed then.
  template <Component... Ts>
  STRATA_ALWAYS_INLINE Entity build(NewRow row, TypeLists::Known known, Ts&... values) {
    [[maybe_unused]] const auto prefixes = lists_.prefixes_for<sizeof...(Ts), !(is_plain<Ts> && ...)>(known);
    {
      [[maybe_unused]] const Making<Ts...> making(store_, row);
      [[maybe_unused]] std::size_t i = 0;
      (build_in_table(row.place, prefixes[i++], values), ...);
    }
    if constexpr (((storage_of<Ts> == Storage::sparse) || ...)) {
      Rollback destroy([&] { hierarchy_.destroy_unobserved(row.entity, ChildPolicy::destroy); });
      (build_in_side_store(row.entity, values), ...);
      destroy.dismiss();
    }
    store_.creation_ended(row.entity);
    return row.entity;
  }

  /// Moves the values of a new entity into its row and into pools. Used instead of `build`, which is faster, if
  /// `find_list` returns null for the list of types.
  /// Returns: the entity.
  /// Errors: std::bad_alloc, from the side store (sparse sets); the entity is destroyed then.
  template <Component... Ts>
  STRATA_NOINLINE Entity build_anywhere(NewRow row, Passed<Ts>... values) {
    const std::array<NewValue, sizeof...(Ts)> all{new_value<Ts>(store_.registry().id_of<Ts>(), values)...};
    return build_values(row, all);
  }
  STRATA_API Entity build_values(NewRow row, std::span<const NewValue> values);

  /// Creates one entity for each element of `parents`, and writes the entities to `entities`. Entity i is a child of
  /// entity parents[i]. If parents[i] is kNoParent, entity i becomes a child of `above`, or a root if `above` is null.
  /// Each of `columns` gives the values of one component; entity i gets the i-th value (see node_values).
  /// Returns: success; or a refusal, see World::build_hierarchy.
  /// Contract: `above` is alive or null, and no query iterates.
  template <class... Columns>
  Outcome build_hierarchy(std::span<const std::uint32_t> parents, Entity above, std::span<Entity> entities,
                          const Columns&... columns) {
    if constexpr (gets_others<typename Columns::Value...>())
      return build_with_others(parents, above, entities, Missing<typename Columns::Value...>(), columns...);
    Archetype& archetype = archetype_of<typename Columns::Value...>();
    const std::array<ForestColumn, sizeof...(Columns)> all{
        columns.column(store_.registry().id_of<typename Columns::Value>(), parents.size())...};
    return hierarchy_.build({parents, all, archetype}, above, entities);
  }

  template <Component T>
  decltype(auto) add(Entity entity, T& value, CallSite at) {
    static_assert(!is_kept_by_library<T>, "only the library adds this component: add a pair of the relation");
    const Store::Change change(store_, "add", entity, at);
    if constexpr (requires_others<T>) {
      if (!holds<T>(store_.require_alive("add", entity, at), entity)) [[likely]]
        return add_with_others(entity, value);
    }
    // The functions that are seldom called take the value as Passed<T>, that is, by value if T is a plain type.
    // With a reference, the address of the value would be taken, and the value could not stay in registers.
    if (change.notified()) [[unlikely]]
      return add_observed<T>(entity, value, at);
    const ComponentId id = store_.registry().find_as_declared<T>();
    if (id == Registry::kUnknown) [[unlikely]]
      return add_anywhere<T>(entity, value, at);
    return finish_addition(entity, value, add_as_declared<T>(id, entity, at));
  }

  /// Replaces the value of a component that the entity has. The row does not move.
  /// Returns: the new value.
  /// Contract: the entity is alive and has the component.
  template <Component T>
  STRATA_ALWAYS_INLINE T& set(Entity entity, T& value, CallSite at) {
    if (store_.listened()) [[unlikely]]
      return set_observed(entity, value, at);
    if constexpr (!is_plain<T>) store_.guard().begin_replacement();
    T& replaced = replace(store_, "set", entity, get_to_write<T>("set", entity, at), value);
    if constexpr (!is_plain<T>) store_.change_ended();
    return replaced;
  }

  /// Notifies observers of T that the entity's value was changed in place, through a reference.
  template <Component T>
  void modified(Entity entity, T& value) {
    notify_written(store_, entity, store_.registry().id_of<T>(), &value);
  }

  template <Component T>
  STRATA_ALWAYS_INLINE bool has(Entity entity) const noexcept {
    const ComponentId id = store_.registry().find_as_declared<T>();
    bool present = false;
    if constexpr (storage_of<T> == Storage::sparse) {
      const SparsePool* pool = store_.side().find(id);
      present = pool != nullptr && pool->contains(entity);
    } else {
      const Place place = store_.slots().find(entity);
      present = place.block != nullptr && place.block->format->contains(id);
    }
    if (id == Registry::kUnknown) [[unlikely]]
      return has_anywhere<T>(entity);
    return present;
  }

  template <Component T>
  STRATA_ALWAYS_INLINE T* find(Entity entity) const noexcept {
    static_assert(!is_tag<T>, "a tag has no value: call has<T>");
    const ComponentId id = store_.registry().find_as_declared<T>();
    if constexpr (storage_of<T> == Storage::sparse) {
      const SparsePool* pool = store_.side().find(id);
      if (pool != nullptr) return static_cast<T*>(pool->find(entity));
    } else {
      const Place place = store_.slots().find(entity);
      if (place.block == nullptr) [[unlikely]]
        return nullptr;
      const std::uint32_t prefix = place.block->format->prefix_of(id);
      if (prefix < BlockFormat::kTag) {
        T* const value = column_of<T>(*place.block, prefix) + place.row;
        if (value == nullptr) STRATA_UNREACHABLE();  // Lets `get` omit its test for null.
        return value;
      }
    }
    if (id == Registry::kUnknown) [[unlikely]]
      return find_anywhere<T>(entity);
    return nullptr;
  }

  /// Look for T in the storage in which this world stores it. `has_anywhere` returns whether the entity has T;
  /// `find_anywhere` returns a pointer to the entity's value of T, or null if the entity does not have T. If T is not
  /// registered, no entity has it. Neither function is inlined: the common path of a caller then has fewer values to
  /// keep across a call. Both functions are STRATA_PURE, so that loops can keep values in registers across a call.
  template <Component T>
  STRATA_NOINLINE STRATA_PURE bool has_anywhere(Entity entity) const noexcept {
    return store_.has(entity, store_.registry().find_or_unknown<T>());
  }
  template <Component T>
  STRATA_NOINLINE STRATA_PURE T* find_anywhere(Entity entity) const noexcept {
    return static_cast<T*>(store_.find(entity, store_.registry().find_or_unknown<T>()));
  }

  /// Finds a value in order to write it. If writes to T are recorded (see Tracking) and the value is found, records a
  /// write.
  /// Returns: a pointer to the entity's value of T; null if the entity is stale or does not have T.
  template <Component T>
  STRATA_ALWAYS_INLINE T* find_to_write(Entity entity) noexcept {
    T* const value = find<T>(entity);
    if constexpr (tracking_of<T> != Tracking::none) {
      if (value != nullptr) {
        store_.mark_write(store_.slots().place_of(entity.index()), store_.registry().find_or_unknown<T>());
      }
    }
    return value;
  }

  template <Component T>
  STRATA_ALWAYS_INLINE T& get(const char* operation, Entity entity, CallSite at) const {
    T* const value = find<T>(entity);
    if (value == nullptr) [[unlikely]]
      refuse_absent(operation, entity, name_of<T>, at);
    return *value;
  }

  /// Reports a broken contract: the entity is stale or lacks the component. `component` is a reference so that all
  /// arguments fit into registers: otherwise compilers may keep local variables of the caller's loops in memory, too.
  [[noreturn]] STRATA_API void refuse_absent(const char* operation, Entity entity,
                                             const std::string_view& component, CallSite at) const;

  /// Finds a value in order to write it. If writes to T are recorded (see Tracking), records a write. `operation` is
  /// the name of the operation, for the message.
  /// Returns: the entity's value of T.
  /// Contract: the entity is alive and has T.
  template <Component T>
  STRATA_ALWAYS_INLINE T& get_to_write(const char* operation, Entity entity, CallSite at) {
    if constexpr (tracking_of<T> == Tracking::none) return get<T>(operation, entity, at);
    T* const value = find_to_write<T>(entity);
    if (value == nullptr) [[unlikely]]
      refuse_absent(operation, entity, name_of<T>, at);
    return *value;
  }

 private:
  /// Returns: whether the live entity whose row is at `place` has T.
  template <Component T>
  STRATA_ALWAYS_INLINE bool holds(Place place, Entity entity) {
    if constexpr (storage_of<T> == Storage::table) {
      const ComponentId id = store_.registry().find_as_declared<T>();
      if (id != Registry::kUnknown) [[likely]]
        return place.block->format->contains(id);
    }
    return store_.holds(place, entity, store_.registry().id_of<T>());
  }

  /// Returns: the archetype for entities with these components, which is created if it is new. The archetype consists
  /// of those of the components that are stored in tables.
  STRATA_API Archetype& archetype_of(std::span<const ComponentId> ids);

  template <Component T>
  static GivenValue given_value(ComponentId id, T& value) {
    if constexpr (is_tag<T>) {
      return {id, nullptr, nullptr};
    } else {
      return {id, &value, [](const ComponentInfo&, void* to, void* from) noexcept {
                ::new (to) T(std::move(*static_cast<T*>(from)));
              }};
    }
  }

  /// Does what `build_hierarchy` does, and also gives all entities the components that the components in `columns`
  /// require. `Entries` names these required components and their initial values.
  template <class... Entries, class... Columns>
  Outcome build_with_others(std::span<const std::uint32_t> parents, Entity above, std::span<Entity> entities,
                            TypeList<Entries...>, const Columns&... columns) {
    return build_hierarchy(parents, above, entities, columns..., RequiredOfEach<Entries>()...);
  }

  /// The part of `add` for an entity that does not have T, if T requires other components (see requires_of).
  template <Component T>
  STRATA_NOINLINE decltype(auto) add_with_others(Entity entity, T& value) {
    void* const added = add_with_required(store_, entity, given_value(store_.registry().id_of<T>(), value));
    if constexpr (!is_tag<T>) return *static_cast<T*>(added);
  }

  /// The part of `add` for a component that is not stored where `storage_of` says, or whose uses a StorageAdvisor
  /// records.
  template <Component T>
  STRATA_NOINLINE decltype(auto) add_anywhere(Entity entity, Passed<T> value, CallSite at) {
    return finish_addition<T>(entity, value, store_.add(entity, store_.registry().id_of<T>(), at));
  }
  /// The part of `add` for a world that reports changes to a listener, because it has observers or hooks.
  template <Component T>
  STRATA_NOINLINE decltype(auto) add_observed(Entity entity, Passed<T> passed, CallSite at) {
    T& value = passed;
    const ComponentId id = store_.registry().find_as_declared<T>();
    const Store::Added added = id != Registry::kUnknown
                                   ? add_as_declared<T>(id, entity, at)
                                   : store_.add(entity, store_.registry().id_of<T>(), at);
    if (added.existed) return add_again_observed(entity, value, added);
    if constexpr (!is_tag<T>) build_value(store_, entity, added.value, value);
    notify_added(store_, entity, store_.registry().id_of<T>(), added.value);
    if constexpr (!is_tag<T>) return *static_cast<T*>(added.value);
  }
  /// The part of `add_observed` for an entity that has T already. It is not inlined, so that `add_observed` has
  /// to save fewer registers on the stack.
  template <Component T>
  STRATA_NOINLINE decltype(auto) add_again_observed(Entity entity, T& value, Store::Added added) {
    void* const place =
        finish_observed_addition(store_, entity, given_value(store_.registry().id_of<T>(), value), added);
    if constexpr (!is_tag<T>) return *static_cast<T*>(place);
  }
  template <Component T>
  STRATA_NOINLINE T& set_observed(Entity entity, T& value, CallSite at) {
    store_.guard().begin_replacement();
    T& place = get_to_write<T>("set", entity, at);
    replace_and_notify(store_, "set", entity, &place, given_value(store_.registry().id_of<T>(), value));
    store_.change_ended();
    store_.notification_ended();
    return place;
  }

  /// Completes an addition that `add_as_declared` or Store::add has begun: builds the value, or replaces the old value
  /// if the entity already had the component.
  template <Component T>
  STRATA_ALWAYS_INLINE decltype(auto) finish_addition([[maybe_unused]] Entity entity,
                                                      [[maybe_unused]] T& value,
                                                      [[maybe_unused]] Store::Added added) {
    if constexpr (!is_tag<T>) {
      return added.existed ? replace(store_, "add", entity, *static_cast<T*>(added.value), value)
                           : build_value(store_, entity, added.value, value);
    }
  }

  /// Store::add, compiled for the storage that T declares: if the entity does not have the component, adds it with
  /// memory for a value, which `finish_addition` builds.
  /// Returns: where the value is (null for a tag), and whether the entity had the component before.
  /// Contract: the entity is alive; `id` is the id of T; T is in the storage that it declares (see is_as_declared).
  template <Component T>
  Store::Added add_as_declared(ComponentId id, Entity entity, CallSite at) {
    const Place place = store_.require_alive("add", entity, at);
    if constexpr (storage_of<T> == Storage::sparse) {
      const SparsePool::Inserted inserted = store_.side().get(id).template insert_as<T>(entity);
      return {inserted.value, inserted.existed};
    } else {
      const auto [row, existed] = store_.add_to_row(place, id);
      if constexpr (is_tag<T>) return {nullptr, existed};
      return {column_of<T>(*row.block, row.block->format->prefix_of(id)) + row.row, existed};
    }
  }

  template <Component T>
  STRATA_ALWAYS_INLINE static void build_in_table(Place place, std::uint32_t prefix, T& value) noexcept {
    if constexpr (storage_of<T> == Storage::table) build_in_column(place, prefix, value);
  }
  template <Component T>
  STRATA_ALWAYS_INLINE static void build_in_column([[maybe_unused]] Place place,
                                                   [[maybe_unused]] std::uint32_t prefix,
                                                   [[maybe_unused]] T& value) noexcept {
    if constexpr (!is_tag<T>) {
      ::new (static_cast<void*>(column_of<T>(*place.block, prefix) + place.row)) T(std::move(value));
    }
  }

  template <Component T>
  void build_in_side_store(Entity entity, T& value) {
    if constexpr (storage_of<T> == Storage::sparse) build_in_pool(entity, value);
  }
  template <Component T>
  void build_in_pool(Entity entity, T& value) {
    void* const place = store_.side().get(store_.registry().id_of<T>()).insert(entity).value;
    if constexpr (!is_tag<T>) build_value(store_, entity, place, value);
  }

  Store& store_;
  Hierarchy& hierarchy_;
  TypeLists lists_;
  BulkCreation bulk_;
};

}  // namespace strata::detail
