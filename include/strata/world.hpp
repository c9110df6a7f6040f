// World: holds entities with their components, parents and children, and has the operations on them.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "../../hierarchy/layers/layered_query.hpp"
#include "../../query/query.hpp"
#include "../../query/runtime_query.hpp"
#include "access_guard.hpp"
#include "component_operations.hpp"
#include "detail/component_errors.hpp"
#include "detail/requiring_spawner.hpp"
#include "names.hpp"
#include "observers.hpp"
#include "spawner.hpp"
#include "table_view.hpp"
#include "world_stats.hpp"

namespace strata {

/// Holds entities, their components and the tree of their parents and children; has all operations on them. Most
/// operations are declared in base classes: those on components of one entity in ComponentOperations, those on many
/// entities in BulkOperations, those on parents and children in TreeOperations, those that disable entities or
/// components in StateOperations, and those that make prefabs in PrefabOperations.
///
/// Look-ups and removals report failure by their result: false, null or an empty range for an entity that is stale or
/// does not have the component. Adding to a stale entity breaks a contract. So does a structural change (create,
/// destroy, add, remove, re-parent) while a query iterates, or while another change calls user code such as observers:
/// in these cases, record the change with `commands`; if Commands has no such function, make the change when the
/// iteration or the other change has ended. The message of the broken contract says whether `commands` can record the
/// change. See callbacks.hpp.
///
/// A pointer to a component in a table stays valid until one of these happens:
/// - a row of the entity's table is removed, or the entity moves to another table
/// - the table has only one block of memory, and that block is replaced: by a larger one when a row is added, or by a
///   smaller one when the world is shrunk
/// - the entity has a parent, and the rows of children are sorted, by `defragment` or by a cascade (a visit by depth;
///   see WorldOptions)
/// - `set_storage` moves the component, or a History restores the world
/// A pointer to a component in the side store (which keeps each component in a sparse set, called its pool) stays valid
/// until a component is removed from the same pool, or the pool is sorted. In a stable pool (see Removal), it stays
/// valid until the entity loses the component or `Pool::compact` is called.
///
/// A world can be moved and swapped, also during an iteration. Entities and components stay where they are, and
/// pointers to them stay valid. Queries, spawners, accessors, pools and commands follow the entities to the other
/// World. A world that was moved from may only be destroyed, assigned to or swapped.
///
/// Errors: a call that may allocate memory passes std::bad_alloc through, and leaves the world unchanged in that case,
/// except where the comment on the function says otherwise: `flush`, History::apply, and operations on many entities
/// while observers or hooks are registered.
/// Contract: a world is not destroyed or assigned to while a query iterates or an operation calls user code; if it is,
/// the process ends with a message, unless the contract handler does something else. A world outlives the queries,
/// spawners, accessors and pools that it makes.
/// Threads: any number of readers, or one writer. All functions of a const World are readers, as are `digest`, `save`
/// and queries of a const World; these take no memory from WorldOptions::memory. Making a query of a World that is not
/// const counts as writing if a component type of the query is not registered in the world yet, and as reading
/// otherwise. `access_guard` finds violations of these rules.
class World : public ComponentOperations, private detail::ComponentErrors {
 public:
  using BulkOperations::destroy;
  using ComponentOperations::accessor, ComponentOperations::add, ComponentOperations::find,
      ComponentOperations::get, ComponentOperations::has, ComponentOperations::remove,
      ComponentOperations::set;
  // Overloads for types that cannot be components: they fail to compile with an explanation.
  using detail::ComponentErrors::accessor, detail::ComponentErrors::add, detail::ComponentErrors::create,
      detail::ComponentErrors::spawner, detail::ComponentErrors::find, detail::ComponentErrors::get,
      detail::ComponentErrors::has, detail::ComponentErrors::remove, detail::ComponentErrors::set;

  /// Creates an empty world.
  /// Contract: WorldOptions::max_entities is at most 2^28, and WorldOptions::world_number at most 255.
  STRATA_API explicit World(WorldOptions options = {});
  STRATA_API World(World&& other) noexcept;
  /// Takes over the contents of `other`, which counts as moved from as soon as the call begins, and destroys the former
  /// contents of this world. Queries, schedules, subscriptions, spawners and accessors that were made for the destroyed
  /// contents must be made again; those that were made for `other` stay valid.
  STRATA_API World& operator=(World&& other) noexcept;
  ~World() = default;

  // Functions that create and destroy entities.

  /// Creates an entity with these components, and with the components that they require (see requires_of).
  /// Complexity: O(components).
  template <Component... Ts>
  requires(!std::same_as<Ts, detail::ParentArgument> && ...) Entity create(Ts... values) {
    return parts_->create(values...);
  }

  /// Creates an entity with these components as the last child of a parent: `create(child_of(parent), ...)`.
  /// Contract: the parent is alive.
  /// Complexity: O(components).
  template <Component... Ts>
  Entity create(detail::ParentArgument above, Ts... values) {
    return parts_->create_below(above.parent, above.at, values...);
  }

  /// Creates many entities with these components; see Spawner. `many` is the number of entities, or a span with one
  /// element per entity, which receives the handles. The other arguments give the values of the components, in one of
  /// these ways:
  /// - a function `fill`, which is called with a span of entities, and with spans of their values to write
  /// - one value per component, which is copied to each entity
  /// - one column per component, with a value for each entity
  /// Returns: the number of entities.
  /// Errors: exceptions of `fill` or a constructor; nothing has been created then.
  /// Contract: `fill` makes no structural change, and looks up none of the new entities that it gets in later calls.
  /// Every column has one value per entity, and is not in memory of this world.
  /// Complexity: O(entities * components).
  template <Component... Ts, class Fill>
  requires detail::FillsColumns<Fill, Ts...> std::size_t create_many(detail::CountOrSpan many, Fill&& fill) {
    return spawner<Ts...>().create_many(many, fill);
  }
  template <Component... Ts>
  std::size_t create_many(detail::CountOrSpan many, const Ts&... values) {
    return spawner<Ts...>().create_many(many, values...);
  }
  template <Component... Ts>
  requires(sizeof...(Ts) != 0) std::size_t
      create_many(detail::CountOrSpan many, std::span<const Ts>... columns) {
    return spawner<Ts...>().create_many(many, columns...);
  }

  /// Returns: a spawner, which creates entities with these components faster than `create`. If a parent is given by
  /// `child_of(parent)`, the entities become its children.
  /// Contract: the parent is alive.
  template <Component... Ts>
  [[nodiscard]] Spawner<Ts...> spawner() {
    const detail::UseScope use = parts_->store.changing("spawner");
    return {parts_->typed, Entity()};
  }
  template <Component... Ts>
  [[nodiscard]] Spawner<Ts...> spawner(detail::ParentArgument above) {
    const detail::UseScope use = parts_->store.changing("spawner", above.at);
    parts_->store.require_alive("spawner below", above.parent, above.at);
    return {parts_->typed, above.parent};
  }

  /// Creates an entity without components that has exactly this handle, for loading and networking.
  /// Returns: false if the slot of the handle (the entry for its Entity::index) is in use, if the handle is stale, null
  /// or of another WorldOptions::world_number, or if the index of the handle is not below WorldOptions::max_entities.
  /// Complexity: O(1); O(index) if the world has no slot with this index yet: all slots up to it are added, 16 bytes
  /// each.
  STRATA_API bool create_at(Entity handle);

  /// Makes a stale handle valid again on purpose, to undo the destruction of its entity: creates a root without
  /// components that has exactly this handle. All copies of the handle are valid again. The generation of the slot (the
  /// number that tells the handles of one index apart) goes back, too: after the restored entity is destroyed, the slot
  /// issues the handles that follow this one a second time. So if other entities used the slot since the destruction,
  /// their stale handles may become valid again, for entities created later.
  /// Returns: success; or a refusal that says whether the handle's slot is in use, the handle was never issued, or its
  /// slot has used all generations.
  /// Complexity: O(1).
  STRATA_API Outcome restore(Entity handle);

  /// Destroys the entity and its subtree, children first; with ChildPolicy::orphan, destroys only the entity, and its
  /// children become roots.
  /// Returns: false if the entity is stale.
  /// Errors: std::bad_alloc, only if children become roots, if a relation has another policy than PairCleanup::remove,
  /// or while observers or hooks are registered; nothing has changed then.
  /// Contract: no relation with PairCleanup::refuse forbids the destruction; see RelationOptions and
  /// Relations::may_destroy.
  /// Complexity: O(entities destroyed or moved).
  bool destroy(Entity entity, ChildPolicy children = ChildPolicy::destroy) {
    return parts_->hierarchy.destroy(entity, children);
  }

  /// Destroys all entities, children before their parents. These stay as they are: component ids and the storages of
  /// components, resources, recorded commands, queries, spawners without a parent, and accessors.
  /// Returns: the number of entities destroyed.
  /// Complexity: O(slots + tables + members of the side store + values of components with a destructor).
  std::size_t clear() { return parts_->hierarchy.clear(); }

  [[nodiscard]] bool alive(Entity entity) const { return parts_.read()->store.alive(entity); }

  /// Returns: the number of live entities; those that recorded commands will create do not count.
  [[nodiscard]] std::size_t size() const {
    const detail::Slots& slots = parts_.read()->store.slots();
    return slots.in_use() - slots.recorded();
  }

  // Functions that determine in which tables and in which order the rows of entities are stored.

  /// Sets in which tables the rows of all entities below `entity` are stored (see Layout). Exception: if `set_layout`
  /// was called for an entity below `entity`, the layout for the rows below that one stays.
  /// Errors: std::bad_alloc; parents and children are unchanged then, but some of the rows may have the new layout.
  /// Contract: the entity is alive.
  /// Invalidates: pointers to values of the entities below `entity`.
  /// Complexity: O(subtree).
  void set_layout(Entity entity, Layout layout) { parts_->hierarchy.set_layout(entity, layout); }
  [[nodiscard]] Layout layout_below(Entity entity) const {
    return parts_.read()->hierarchy.layout_below(entity);
  }

  /// With Layout::adaptive, first moves the rows of a parent's children to tables of their own if it has many children
  /// (WorldOptions::large_family), or back to shared tables if it has few. Then sorts the rows of tables that hold
  /// children of several parents: the children's rows get the order of the parents' rows. Cascades (visits by depth)
  /// then read memory sequentially. Cascades sort rows themselves when that saves time, unless
  /// WorldOptions::defragmentation is manual. A program that calls this function chooses when rows are sorted, and can
  /// sort only a part of them in each call.
  /// Returns: whether all rows are in order; false if `budget` was used up before. Examining a row costs 1 of the
  /// budget, and moving a row costs 4.
  /// Contract: no query iterates.
  /// Invalidates: pointers to values of the rows that move.
  /// Complexity: O(min(budget, rows)). `rows` is the number of rows that may be out of order: those at the least depth
  /// at which rows have changed, and at all greater depths.
  STRATA_API bool defragment(std::size_t budget = std::numeric_limits<std::size_t>::max());

  /// Moves the entity, without its subtree, to the layer with this key. A layer is a set of entities that a
  /// layered_query visits together. New entities are in layer 0.
  /// Contract: the entity is alive.
  /// Invalidates: unless the entity is in that layer already, pointers to those values of the entity that are stored in
  /// its table, and to values of other entities in its old and its new table.
  void set_layer(Entity entity, std::int32_t key) { parts_->layers.set(entity, key); }

  /// Returns: the key of the entity's layer; none if the entity is stale.
  [[nodiscard]] STRATA_API std::optional<std::int32_t> layer(Entity entity) const;

  // Functions that return queries, and the objects for commands, events, names, relations and observers.

  /// Returns: a query, which may be kept; see Query for its terms. A query of a const World is read-only.
  template <class... Terms>
  [[nodiscard]] Query<Terms...> query() {
    return {parts_.read()->store, &parts_->hierarchy.parents()};
  }
  template <class... Terms>
  [[nodiscard]] Query<Terms...> query() const {
    return {parts_.read()->store, &parts_->hierarchy.parents()};
  }

  /// Returns: a query that visits the children of one entity, in the order of the children; see FamilyQuery.
  template <class... Terms>
  [[nodiscard]] detail::FamilyQuery<Query<Terms...>> query(detail::ParentArgument above) {
    return query<Terms...>().children_of(above.parent);
  }
  template <class... Terms>
  [[nodiscard]] detail::FamilyQuery<Query<Terms...>> query(detail::ParentArgument above) const {
    return query<Terms...>().children_of(above.parent);
  }

  /// Returns: a query of components given by their ids, which may be kept; see RuntimeQuery.
  /// Contract: the terms are valid. If one is not, the message of the broken contract names it.
  [[nodiscard]] STRATA_API RuntimeQuery query(std::span<const Term> terms);
  [[nodiscard]] STRATA_API ConstRuntimeQuery query(std::span<const Term> terms) const;

  /// Returns: a query, which may be kept, that visits the entities layer by layer (see set_layer), and within a layer
  /// by depth in the hierarchy.
  template <class... Terms>
  [[nodiscard]] LayeredQuery<Terms...> layered_query() {
    return {parts_.read()->store, &parts_->hierarchy.parents(), parts_->layers};
  }
  template <class... Terms>
  [[nodiscard]] LayeredQuery<Terms...> layered_query() const {
    return {parts_.read()->store, &parts_->hierarchy.parents(), parts_->layers};
  }

  /// Returns: the object that records structural changes, for use while a query iterates; valid as long as the world.
  [[nodiscard]] Commands& commands() { return parts_->commands; }

  /// Applies recorded commands now.
  /// Errors: std::bad_alloc; commands that were not applied yet stay recorded. ContractViolation, if a command breaks a
  /// contract; it is thrown after all other commands were applied. The command that breaks the contract is discarded,
  /// together with the commands that are merged with it (see Commands).
  /// Contract: no query iterates.
  void flush() { parts_->commands.buffer().apply(); }

  /// Returns: the object that delivers events to the functions that listen to them; valid as long as the world.
  [[nodiscard]] Events& events() { return parts_->events; }

  /// Returns: the object that names entities and finds entities by paths of names; valid as long as the world.
  [[nodiscard]] Names& names() { return parts_->names; }
  [[nodiscard]] const Names& names() const { return parts_->names; }
  /// Returns: the relations between entities; valid as long as the world.
  [[nodiscard]] Relations& relations() { return parts_->relations; }
  [[nodiscard]] const Relations& relations() const { return parts_->relations; }

  /// Returns: an object that registers functions which the world calls when entities and components change; see
  /// Observers.
  [[nodiscard]] Observers observers() { return Observers(*parts_); }

  // Functions on the world as a whole.

  /// Returns: an object that enables and disables a check. The check refuses a use of this world that conflicts with
  /// the use by another thread: at any time, either any number of threads may read the world, or one thread may write
  /// it. The check works in builds with STRATA_ACCESS_GUARD, and begins when AccessGuard::enable is called.
  [[nodiscard]] AccessGuard access_guard() const { return AccessGuard(parts_->store); }

  /// Returns: the list of the world's resources: values that belong to no entity, such as settings or a clock; at most
  /// one value of each type. The list is valid as long as the world; a resource may be removed before.
  [[nodiscard]] Resources& resources() { return parts_->resources; }
  [[nodiscard]] const Resources& resources() const { return parts_->resources; }

  /// Calls `visit(const TableView&)` for each table that has rows. Tables with the same components follow
  /// each other.
  /// Errors: exceptions of `visit`.
  /// Contract: `visit` makes no structural change.
  /// Complexity: O(tables).
  template <class Function>
  void each_table(Function visit) const {
    detail::visit_tables(parts_.read()->store, visit);
  }

  /// Returns: success, or a refusal that names the first broken invariant of the library's own data.
  /// Complexity: O(size of the world).
  STRATA_API Outcome validate() const;

  /// Returns: how many objects the world has, its memory use, and how much work its queries have done.
  /// Complexity: O(tables + blocks + pages of the side store + resources).
  [[nodiscard]] STRATA_API WorldStats stats() const;

  /// Frees unused memory of tables, sparse sets, the hierarchy, entity slots, events and lists. Handles do not change;
  /// stale ones stay stale. `shrink` works in steps, each of which handles a few tables or one array. Between two
  /// steps, it calls `keep_going`, if given, and stops if the result is false. The next call of `shrink` continues from
  /// there.
  /// Returns: whether `shrink` has gone through all memory of the world.
  /// Errors: std::bad_alloc, if there is no memory for the smaller copy of an array or block; the contents of the world
  /// are unchanged then.
  /// Invalidates: pointers to values in small tables (whose rows are in a single block of memory), spans of the
  /// entities of a pool (sparse set), and ranges of the hierarchy. Pointers to values in larger tables and in pools
  /// stay valid.
  STRATA_API bool shrink();
  template <class Function>
  bool shrink(Function keep_going) {
    return parts_->shrinker.run(detail::KeepGoing(keep_going));
  }
};

namespace detail {

inline const ChangeGuard* find_guard(const World& world) noexcept {
  return world.parts_ ? &world.parts_->store.guard() : nullptr;
}

}  // namespace detail

}  // namespace strata
