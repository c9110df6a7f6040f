// World: the facade that composes entities, components, queries, commands and the hierarchy.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "../../hierarchy/layered_query.hpp"
#include "../../hierarchy/shrinker.hpp"
#include "../../query/query.hpp"
#include "../../query/runtime_query.hpp"
#include "accessor.hpp"
#include "component_errors.hpp"
#include "spawner.hpp"
#include "world_resources.hpp"
#include "world_sorting.hpp"
#include "world_stats.hpp"

namespace strata {

class StorageAdvisor;

/// Entities, their components, their hierarchy (see WorldHierarchy), the order of the side store (see
/// WorldSorting) and what there is one of (see WorldResources).
///
/// Asking and taking away answer with a value: false, null or an empty range for an entity that is stale or
/// has no such component. Giving something to an entity that is gone is a contract, as is any structural
/// change (create, destroy, add, remove, re-parent) while a query iterates or another one calls code of the user:
/// `commands` records those; see callbacks.hpp.
///
/// Pointers to components stay valid until a row of the entity's table is removed, or the entity changes
/// table, or a row is added to a table that is still small, or the world is shrunk while its table has one block;
/// those of the side store, until one is removed from its pool or that is sorted; those of stable pools, until their
/// own entity loses them or `compact`.
///
/// Errors: std::bad_alloc passes through every call that may allocate, and the world is unchanged then.
/// Threads: any number of readers, or one writer.
class World : public WorldResources, public WorldSorting, private detail::ComponentErrors {
 public:
  // Of a type that is no component, these say what is wrong with it.
  using ComponentErrors::accessor, ComponentErrors::add, ComponentErrors::create, ComponentErrors::spawner,
      ComponentErrors::find, ComponentErrors::get, ComponentErrors::has, ComponentErrors::remove,
      ComponentErrors::set;

  explicit World(WorldOptions options = {});
  ~World();

  // Entities.

  /// Creates an entity with these components.
  /// Complexity: O(components).
  template <Component... Ts>
  requires(!std::same_as<Ts, ChildOf> && ...) Entity create(Ts... values) {
    store_.require_unlocked("create", Entity());
    const auto* const known = typed_.find_list<Ts...>();
    if (known != nullptr && known->roots != nullptr) [[likely]] {
      const Store::NewRow row = store_.create_row_here(*known->roots);
      return typed_.build(row.entity, row.place, *known, values...);
    }
    return create_anywhere<Ts...>(values...);
  }

  /// Creates an entity with these components as the last child of a parent.
  /// Contract: the parent is alive.
  /// Complexity: O(components).
  template <Component... Ts>
  Entity create(ChildOf above, Ts... values) {
    if (const auto* const known = typed_.find_list<Ts...>()) [[likely]] {
      const Place place = hierarchy_.create_below(above.parent, *known->archetype, above.at);
      return typed_.build(place.block->layout->entities(*place.block)[place.row], place, *known, values...);
    }
    const Place place = hierarchy_.create_below(above.parent, typed_.archetype_of<Ts...>(), above.at);
    return typed_.build_anywhere<Ts...>(place, values...);
  }

  /// Creates many entities with these components, and calls `fill(std::span<const Entity>, std::span<Ts>...)`
  /// for each run of them, as Spawner::create_many. `many` is a number, or a span that the handles are to fill.
  /// Returns: how many.
  template <Component... Ts, class Fill>
  requires detail::FillsColumns<Fill, Ts...> std::size_t create_many(CountOrSpan many, Fill&& fill) {
    return spawner<Ts...>().create_many(many, fill);
  }
  /// As above, with copies of these values.
  template <Component... Ts>
  std::size_t create_many(CountOrSpan many, const Ts&... values) {
    return spawner<Ts...>().create_many(many, values...);
  }

  /// Creates many entities from columns of values; see Spawner::create_many.
  /// Returns: how many.
  template <Component... Ts>
  requires(sizeof...(Ts) != 0) std::size_t create_many(CountOrSpan many, std::span<const Ts>... columns) {
    return spawner<Ts...>().create_many(many, columns...);
  }

  /// Returns: what creates entities with these components faster than `create`, to keep; below a parent, if given.
  /// Contract: the parent is alive.
  template <Component... Ts>
  [[nodiscard]] Spawner<Ts...> spawner() {
    return {typed_, Entity()};
  }
  template <Component... Ts>
  [[nodiscard]] Spawner<Ts...> spawner(ChildOf above) {
    store_.require_alive("spawner below", above.parent, above.at);
    return {typed_, above.parent};
  }

  /// Creates an entity without components that has exactly this handle, for loading and networking.
  /// Returns: false when its slot is in use, the handle is stale, names nothing or is of another
  /// WorldOptions::world_number, or its index is not below WorldOptions::max_entities.
  /// Complexity: O(1), or O(index) to append the slots below a new index, 16 bytes each.
  bool create_at(Entity handle);

  /// Destroys the entity and its subtree, children first, or makes its children roots.
  /// Returns: false when it is stale.
  /// Complexity: O(entities destroyed or moved).
  bool destroy(Entity entity, ChildPolicy children = ChildPolicy::destroy) {
    return hierarchy_.destroy(entity, children);
  }

  [[nodiscard]] bool alive(Entity entity) const { return store_.alive(entity); }
  [[nodiscard]] std::size_t size() const { return store_.slots().in_use() - commands_.buffer().reserved(); }

  // Components.

  /// Gives the entity a component, or replaces the value that it has.
  /// Returns: the value; nothing for a tag.
  /// Contract: the entity is alive.
  template <Component T>
  decltype(auto) add(Entity entity, T value = T{}, CallSite at = {}) {
    return typed_.add(entity, value, at);
  }

  /// Returns: false when the entity is stale or has no such component.
  template <Component T>
  bool remove(Entity entity, CallSite at = {}) {
    if constexpr (storage_of<T> == Storage::sparse) {
      // A member is found by its whole handle: nothing else has to be asked.
      store_.require_unlocked("remove", entity, at);
      SparsePool* const pool = store_.side().find(store_.registry().find_as_declared<T>());
      if (pool != nullptr && pool->template erase_as<T>(entity)) {
        store_.change_ended();
        return true;
      }
    }
    const auto id = store_.registry().find<T>();
    return id && store_.remove(entity, *id, at);
  }

  template <Component T>
  [[nodiscard, gnu::always_inline]] bool has(Entity entity) const {
    return typed_.has<T>(entity);
  }

  /// Of a tracked component, what a World that is not const hands out counts as written: to look at values,
  /// use a const World&.
  /// Returns: the value; null when the entity is stale or has none.
  template <Component T>
  [[nodiscard, gnu::always_inline]] T* find(Entity entity) {
    return typed_.find_to_write<T>(entity);
  }
  template <Component T>
  [[nodiscard, gnu::always_inline]] const T* find(Entity entity) const {
    return typed_.find<T>(entity);
  }

  /// Contract: the entity is alive and has the component.
  template <Component T>
  [[nodiscard, gnu::always_inline]] T& get(Entity entity, CallSite at = {}) {
    return typed_.get_to_write<T>("get", entity, at);
  }
  template <Component T>
  [[nodiscard, gnu::always_inline]] const T& get(Entity entity, CallSite at = {}) const {
    return typed_.get<T>("get", entity, at);
  }

  /// Replaces the value of a component that the entity has. No row moves, so this is fine while a query
  /// iterates.
  /// Contract: the entity is alive and has the component.
  template <Component T>
  [[gnu::always_inline]] T& set(Entity entity, T value, CallSite at = {}) {
    if constexpr (!detail::is_plain<T>) store_.guard().begin_replacement();
    T& replaced = detail::replace(store_, "set", entity, typed_.get_to_write<T>("set", entity, at), value);
    if constexpr (!detail::is_plain<T>) store_.change_ended();
    return replaced;
  }

  /// Returns: what reaches this component of any entity faster than `get`, to keep. `T` may be const.
  template <class T>
  requires Component<std::remove_const_t<T>>
  [[nodiscard]] Accessor<T> accessor() { return Accessor<T>(typed_); }
  /// The same to read: `T` is const.
  template <class T>
  requires Component<std::remove_const_t<T>>
  [[nodiscard]] Accessor<T> accessor() const {
    static_assert(std::is_const_v<T>, "an accessor of a const World only reads: write accessor<const T>()");
    return Accessor<T>(typed_);
  }

  // Components known by their id, of a C++ type or described at run time.

  template <Component T>
  ComponentId component() {
    return store_.registry().id_of<T>();
  }
  /// Contract: the description is sound, and agrees with the component of that name if there is one.
  ComponentId component(const ComponentInfo& description) { return store_.registry().add(description); }

  // By ids. Contract: this world gave the id. One of another world that it gave, too, is taken for its own.

  /// As `add`; the value is moved out of `*value` and its life there ended. The value that the entity has already may be
  /// passed, and stays as it is.
  /// Contract: the entity is alive; `value` is not null unless the component is a tag, and is no other value that is
  /// stored in this world.
  void* add(Entity entity, ComponentId id, void* value) { return store_.add(entity, id, value); }
  bool remove(Entity entity, ComponentId id) {
    return require_given_if_absent(store_.remove(entity, id), id);
  }
  [[nodiscard]] bool has(Entity entity, ComponentId id) const {
    return require_given_if_absent(store_.has(entity, id), id);
  }
  [[nodiscard]] void* find(Entity entity, ComponentId id) {
    return require_given_if_absent(store_.find_to_write(entity, id), id);
  }
  [[nodiscard]] const void* find(Entity entity, ComponentId id) const {
    return require_given_if_absent(store_.find(entity, id), id);
  }

  /// Moves a component to that storage, with all of its values: from here on, this world stores it there, whatever
  /// its type or description says. Queries, spawners, accessors and recorded commands go on, those made before
  /// included. What is stored as its type says is reached a little faster.
  /// Errors: std::bad_alloc; nothing has moved then.
  /// Contract: no query is iterating; changes of the component are not tracked (see tracking_of).
  /// Invalidates: pointers to the values of all entities that have the component.
  /// Complexity: O(entities that have the component * their components).
  template <Component T>
  void set_storage(Storage storage) {
    set_storage(component<T>(), storage);
  }
  void set_storage(ComponentId id, Storage storage);

  /// Returns: where this world stores a component.
  template <Component T>
  [[nodiscard]] Storage storage() const {
    const auto id = store_.registry().find<T>();
    return id ? storage(*id) : storage_of<T>;
  }
  [[nodiscard]] Storage storage(ComponentId id) const { return store_.registry()[id].storage; }

  /// Takes a side-store component, such as a mark, away from all entities that have it.
  /// Returns: how many did.
  /// Complexity: O(entities that have it).
  template <Component T>
  std::size_t clear(CallSite at = {}) {
    STRATA_EXPECTS_AT(at, storage<T>() == Storage::sparse,
                      "clear needs a component of the side store, and \"" + std::string(name_of<T>) +
                          "\" is stored in tables: remove it entity by entity");
    store_.require_unlocked("clear", Entity(), at);
    const auto id = store_.registry().find<T>();
    SparsePool* const pool = id ? store_.side().find(*id) : nullptr;
    const std::size_t members = pool != nullptr ? pool->size() : 0;
    if (pool != nullptr) pool->clear();
    store_.change_ended();
    return members;
  }

  /// Moves values of a side-store component into the holes that others left, where `pool_options_of<T>` asks for
  /// `Removal::stable`: its values then take as few pages as they can.
  /// Returns: how many values were moved.
  /// Invalidates: pointers to values of the component.
  /// Complexity: O(entities that have it + holes).
  template <Component T>
  std::size_t compact(CallSite at = {}) {
    store_.require_unlocked("compact", Entity(), at);
    const auto id = store_.registry().find<T>();
    SparsePool* const pool = id ? store_.side().find(*id) : nullptr;
    const std::size_t moved = pool != nullptr ? pool->compact() : 0;
    store_.change_ended();
    return moved;
  }

  // Queries and commands.

  /// Returns: a query to keep; see Query for its terms.
  /// Contract: the world outlives it.
  template <class... Terms>
  [[nodiscard]] Query<Terms...> query() {
    return {store_, &hierarchy_.parents()};
  }
  /// Returns: one that only reads; see Query. Its terms hand out nothing to write.
  template <class... Terms>
  [[nodiscard]] Query<Terms...> query() const {
    return {store_, &hierarchy_.parents()};
  }

  /// Returns: the same narrowed to the children of an entity, in their order; see FamilyQuery.
  template <class... Terms>
  [[nodiscard]] FamilyQuery<Query<Terms...>> query(ChildOf above) {
    return query<Terms...>().children_of(above.parent);
  }
  template <class... Terms>
  [[nodiscard]] FamilyQuery<Query<Terms...>> query(ChildOf above) const {
    return query<Terms...>().children_of(above.parent);
  }

  /// Returns: a query of components named by their ids, to keep; see RuntimeQuery.
  /// Contract: the terms are sound; the message names the one that is not. The world outlives the query.
  [[nodiscard]] RuntimeQuery query(std::span<const Term> terms) {
    return {store_, terms, &hierarchy_.parents()};
  }
  /// Returns: one that only reads; see ConstRuntimeQuery.
  [[nodiscard]] ConstRuntimeQuery query(std::span<const Term> terms) const {
    return {store_, terms, &hierarchy_.parents()};
  }

  /// Returns: a query to keep that visits layer by layer, and inside each by depth.
  /// Contract: the world outlives it.
  template <class... Terms>
  [[nodiscard]] LayeredQuery<Terms...> layered_query() {
    return {store_, &hierarchy_.parents(), layers_};
  }
  /// Returns: one that only reads; see Query.
  template <class... Terms>
  [[nodiscard]] LayeredQuery<Terms...> layered_query() const {
    return {store_, &hierarchy_.parents(), layers_};
  }

  [[nodiscard]] Commands& commands() { return commands_; }

  /// Applies recorded commands now.
  /// Contract: no query is iterating.
  void flush() { commands_.buffer().apply(); }

  // The whole.

  /// Returns: refused, with the first invariant of the library that does not hold.
  /// Complexity: O(everything).
  Outcome validate() const;

  /// Complexity: O(tables + blocks + pages of the side store + resources).
  [[nodiscard]] WorldStats stats() const;

  /// Gives back the memory that is not needed now: of blocks, tables, side store, links, slots and lists. Handles
  /// stay what they are, stale ones included. `keep_going()` is asked between steps, each a few tables or one array
  /// long, and stops it by answering false; the next call goes on from there.
  /// Returns: whether all has been gone through.
  /// Errors: std::bad_alloc, where a smaller copy finds no room; the world means the same.
  /// Contract: nothing is being iterated.
  /// Invalidates: pointers to the values of tables of a single block, spans of side-store pools and ranges of the
  /// hierarchy. Those to values in larger tables and in the side store stay.
  template <class Function>
  bool shrink(Function keep_going) {
    return shrinker_.run(KeepGoing(keep_going));
  }
  bool shrink();

  /// Returns: the untyped engines below, for tests and tools.
  [[nodiscard]] const Store& store() const { return store_; }

 private:
  /// As `create`, for the first time, or wherever the components are stored. Apart, so that the usual way is all that
  /// is inlined.
  template <Component... Ts>
  [[gnu::noinline]] Entity create_anywhere(detail::Passed<Ts>... values) {
    const Place place = store_.create_row(typed_.roots_of<Ts...>()).place;
    return typed_.build_anywhere<Ts...>(place, values...);
  }

  /// Contract: this world gave the id. What it never gave is on no entity, so only those answers are looked at.
  template <class Answer>
  Answer require_given_if_absent(Answer answer, ComponentId id) const {
    if (!answer) static_cast<void>(store_.registry()[id]);
    return answer;
  }

  friend class StorageAdvisor;

  Commands commands_;
  Shrinker shrinker_;
};

}  // namespace strata
