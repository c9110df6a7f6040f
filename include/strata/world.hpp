// World: entities, their components, their hierarchy, and what works on all of them.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../hierarchy/layers/layered_query.hpp"
#include "../../query/query.hpp"
#include "../../query/runtime_query.hpp"
#include "accessor.hpp"
#include "ancestors_with.hpp"
#include "component_value.hpp"
#include "detail/component_errors.hpp"
#include "detail/world_parts.hpp"
#include "pool.hpp"
#include "spawner.hpp"
#include "table_view.hpp"
#include "world_stats.hpp"

namespace strata {

/// Entities, their components and their hierarchy.
///
/// Asking and taking away answer with a value: false, null or an empty range for an entity that is stale or has no
/// such component. Giving something to an entity that is gone is a contract, as is any structural change (create,
/// destroy, add, remove, re-parent) while a query iterates or another one calls code of the user: `commands` records
/// those; see callbacks.hpp.
///
/// Pointers to components stay valid until a row of the entity's table is removed, or the entity changes table, or a
/// row is added to a table that is still small, or the world is shrunk while its table has one block; those of the
/// side store, until one is removed from its pool or that is sorted; those of stable pools, until their own entity
/// loses them or `Pool::compact`.
///
/// A world can be moved and swapped, also while it is iterated: entities, components and pointers to them stay where
/// they are, and queries, spawners, accessors, pools and commands go on with the world that it was moved to. A world
/// that was moved from may be destroyed, assigned to or swapped, and nothing else.
///
/// Errors: std::bad_alloc passes through every call that may allocate, and the world is unchanged then.
/// Contract: a world is not destroyed or assigned to while it is iterated. It outlives what it makes: queries,
/// spawners, accessors, pools.
/// Threads: any number of readers, or one writer.
class World : private detail::ComponentErrors {
 public:
  // Of a type that is no component, these say what is wrong with it.
  using detail::ComponentErrors::accessor, detail::ComponentErrors::add, detail::ComponentErrors::create,
      detail::ComponentErrors::spawner, detail::ComponentErrors::find, detail::ComponentErrors::get,
      detail::ComponentErrors::has, detail::ComponentErrors::remove, detail::ComponentErrors::set;

  /// Contract: WorldOptions::max_entities is at most 2^28.
  explicit World(WorldOptions options = {});

  // Entities.

  /// Creates an entity with these components.
  /// Complexity: O(components).
  template <Component... Ts>
  requires(!std::same_as<Ts, ChildOf> && ...) Entity create(Ts... values) {
    return parts_->create(values...);
  }

  /// Creates an entity with these components as the last child of a parent.
  /// Contract: the parent is alive.
  /// Complexity: O(components).
  template <Component... Ts>
  Entity create(ChildOf above, Ts... values) {
    return parts_->create_below(above.parent, above.at, values...);
  }

  /// Creates many entities with these components, and calls `fill(std::span<const Entity>, std::span<Ts>...)` for each
  /// run of them; or with copies of these values, or of those at its position in the columns. See Spawner. `many` is a
  /// number, or a span that the handles are to fill.
  /// Returns: how many.
  /// Errors: what `fill` or a constructor throws; nothing has been created then.
  /// Contract: `fill` makes no structural change; no column has another length or is in this world.
  /// Complexity: O(entities * components).
  template <Component... Ts, class Fill>
  requires detail::FillsColumns<Fill, Ts...> std::size_t create_many(CountOrSpan many, Fill&& fill) {
    return spawner<Ts...>().create_many(many, fill);
  }
  template <Component... Ts>
  std::size_t create_many(CountOrSpan many, const Ts&... values) {
    return spawner<Ts...>().create_many(many, values...);
  }
  template <Component... Ts>
  requires(sizeof...(Ts) != 0) std::size_t create_many(CountOrSpan many, std::span<const Ts>... columns) {
    return spawner<Ts...>().create_many(many, columns...);
  }

  /// Returns: what creates entities with these components faster than `create`, to keep; below a parent, if given.
  /// Contract: the parent is alive.
  template <Component... Ts>
  [[nodiscard]] Spawner<Ts...> spawner() {
    return {parts_->typed, Entity()};
  }
  template <Component... Ts>
  [[nodiscard]] Spawner<Ts...> spawner(ChildOf above) {
    parts_->store.require_alive("spawner below", above.parent, above.at);
    return {parts_->typed, above.parent};
  }

  /// Creates an entity without components that has exactly this handle, for loading and networking.
  /// Returns: false when its slot is in use, the handle is stale, names nothing or is of another
  /// WorldOptions::world_number, or its index is not below WorldOptions::max_entities.
  /// Complexity: O(1), or O(index) to append the slots below a new index, 16 bytes each.
  bool create_at(Entity handle);

  /// Destroys the entity and its subtree, children first, or makes its children roots.
  /// Returns: false when it is stale.
  /// Errors: std::bad_alloc only where children become roots.
  /// Complexity: O(entities destroyed or moved).
  bool destroy(Entity entity, ChildPolicy children = ChildPolicy::destroy) {
    return parts_->hierarchy.destroy(entity, children);
  }

  [[nodiscard]] bool alive(Entity entity) const { return parts_->store.alive(entity); }

  /// Returns: the number of entities; those that commands are to create are not counted yet.
  [[nodiscard]] std::size_t size() const {
    return parts_->store.slots().in_use() - parts_->commands.buffer().reserved();
  }

  // Components.

  /// Gives the entity a component, or replaces the value that it has.
  /// Returns: the value; nothing for a tag.
  /// Contract: the entity is alive.
  /// Complexity: O(components of the entity), O(1) in the side store.
  template <Component T>
  decltype(auto) add(Entity entity, T value = T{}, CallSite at = {}) {
    return parts_->typed.add(entity, value, at);
  }

  /// Returns: false when the entity is stale or has no such component.
  /// Complexity: as `add`.
  template <Component T>
  bool remove(Entity entity, CallSite at = {}) {
    return parts_->remove<T>(entity, at);
  }

  template <Component T>
  [[nodiscard, gnu::always_inline]] bool has(Entity entity) const {
    return parts_->typed.has<T>(entity);
  }

  /// Of a tracked component, what a World that is not const hands out counts as written: to look at values, use a
  /// const World&.
  /// Returns: the value; null when the entity is stale or has none.
  /// Complexity: O(1).
  template <Component T>
  [[nodiscard, gnu::always_inline]] T* find(Entity entity) {
    return parts_->typed.find_to_write<T>(entity);
  }
  template <Component T>
  [[nodiscard, gnu::always_inline]] const T* find(Entity entity) const {
    return parts_->typed.find<T>(entity);
  }

  /// Contract: the entity is alive and has the component.
  template <Component T>
  [[nodiscard, gnu::always_inline]] T& get(Entity entity, CallSite at = {}) {
    return parts_->typed.get_to_write<T>("get", entity, at);
  }
  template <Component T>
  [[nodiscard, gnu::always_inline]] const T& get(Entity entity, CallSite at = {}) const {
    return parts_->typed.get<T>("get", entity, at);
  }

  /// Replaces the value of a component that the entity has. No row moves, so this is fine while a query iterates.
  /// Returns: the new value.
  /// Contract: the entity is alive and has the component.
  /// Complexity: O(1).
  template <Component T>
  [[gnu::always_inline]] T& set(Entity entity, T value, CallSite at = {}) {
    return parts_->typed.set(entity, value, at);
  }

  /// Returns: what reaches this component of any entity faster than `get`, to keep. `T` may be const; a const World
  /// gives one that only reads, `accessor<const T>()`.
  template <class T>
  requires Component<std::remove_const_t<T>>
  [[nodiscard]] Accessor<T> accessor() { return Accessor<T>(parts_->typed); }
  template <class T>
  requires Component<std::remove_const_t<T>>
  [[nodiscard]] Accessor<T> accessor() const {
    static_assert(std::is_const_v<T>, "an accessor of a const World only reads: write accessor<const T>()");
    return Accessor<T>(parts_->typed);
  }

  // Components known by their id, of a C++ type or described at run time.

  /// Returns: the id of a component in this world, which gives it one if it has none yet.
  /// Contract: the description is sound, and agrees with the component of that name if there is one.
  template <Component T>
  ComponentId component() {
    return parts_->store.registry().id_of<T>();
  }
  ComponentId component(const ComponentInfo& description);

  // By ids. Contract: this world gave the id. One of another world that it gave, too, is taken for its own.

  /// As `add`; the value is moved out of `*value` and its life there ended. The value that the entity has already may
  /// be passed, and stays as it is.
  /// Contract: the entity is alive; `value` is not null unless the component is a tag, and is no other value that is
  /// stored in this world.
  void* add(Entity entity, ComponentId id, void* value) { return parts_->store.add(entity, id, value); }
  bool remove(Entity entity, ComponentId id) { return parts_->checked(parts_->store.remove(entity, id), id); }
  [[nodiscard]] bool has(Entity entity, ComponentId id) const {
    return parts_->checked(parts_->store.has(entity, id), id);
  }
  [[nodiscard]] void* find(Entity entity, ComponentId id) {
    return parts_->checked(parts_->store.find_to_write(entity, id), id);
  }
  [[nodiscard]] const void* find(Entity entity, ComponentId id) const {
    return parts_->checked(parts_->store.find(entity, id), id);
  }

  /// Returns: the component of that name; nothing when this world has none.
  [[nodiscard]] std::optional<ComponentId> find_component(std::string_view name) const;

  /// Returns: the description of a component, with its name; valid as long as the world.
  [[nodiscard]] const ComponentInfo& component_info(ComponentId id) const;

  /// Returns: the components that an entity has, those in tables first, with the addresses of their values; nothing
  /// for a stale entity. Among them are the library's own, whose names begin with "strata:". What a World that is not
  /// const lists counts as written.
  /// Complexity: O(components of the entity + components in the side store).
  [[nodiscard]] std::vector<ComponentValue> components(Entity entity);
  [[nodiscard]] std::vector<ConstComponentValue> components(Entity entity) const;

  // Where components are stored.

  /// Moves a component to that storage, with all of its values: from here on, this world stores it there, whatever
  /// its type or description says, which is reached a little faster. Queries, spawners, accessors and commands go on.
  /// Contract: changes of the component are not tracked (see tracking_of).
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
    return parts_->storage<T>();
  }
  [[nodiscard]] Storage storage(ComponentId id) const { return parts_->store.registry()[id].storage; }

  /// Returns: the pool of a side-store component, to sort, clear or compact it.
  template <Component T>
  [[nodiscard]] Pool<T> pool() {
    return Pool<T>(*parts_);
  }

  // The tree.

  /// Makes `child` the last child of `parent`, unless it is its child already: then it keeps its place among the
  /// siblings.
  /// Returns: refused, with a sentence that names both, when either is stale or that would make a cycle.
  /// Errors: std::bad_alloc; the tree is unchanged then, but rows may have other tables where layouts differ.
  /// Invalidates: pointers to values of the rows that move: the child's, and with Layout::per_level those of its
  /// subtree if its depth changes.
  /// Complexity: O(depth) to refuse cycles, and O(subtree of child) if its depth changes.
  Outcome set_parent(Entity child, Entity parent) { return parts_->hierarchy.set_parent(child, parent); }

  /// Makes `child` the child that comes right before `sibling`.
  /// Returns: refused as by `set_parent`, or when `sibling` is a root.
  /// Errors, Invalidates: as `set_parent`.
  /// Complexity: O(1) among siblings, otherwise as `set_parent`.
  Outcome move_child_before(Entity child, Entity sibling);

  /// Makes `child` a root.
  /// Returns: false when the entity is stale or a root already.
  /// Errors, Invalidates, Complexity: as `set_parent`.
  bool clear_parent(Entity child) { return parts_->hierarchy.clear_parent(child); }

  /// Sorts the children of an entity by `less(Entity, Entity)`, stably.
  /// Errors: what `less` throws; the order is unchanged then.
  /// Complexity: O(n log n) for n children.
  template <class Less>
  void sort_children(Entity parent, Less less) {
    parts_->hierarchy.sort_children(parent, std::move(less));
  }

  /// Destroys all children of an entity, and their subtrees.
  /// Returns: how many children it had.
  /// Complexity: O(entities destroyed).
  std::size_t destroy_children(Entity parent) { return parts_->hierarchy.destroy_children(parent); }

  /// Returns: the parent; a handle that names nothing for a root or a stale entity.
  [[nodiscard]] Entity parent(Entity entity) const { return parts_->hierarchy.parent(entity); }

  /// Returns: false for stale entities, and of an entity and itself.
  /// Complexity: O(depth).
  [[nodiscard]] bool is_ancestor(Entity ancestor, Entity of) const;

  /// Returns: the number of children; 0 for a stale entity.
  /// Complexity: O(1).
  [[nodiscard]] std::size_t child_count(Entity entity) const { return parts_->hierarchy.child_count(entity); }

  /// Returns: the number of ancestors.
  /// Contract: the entity is alive.
  /// Complexity: O(1).
  [[nodiscard]] std::uint32_t depth(Entity entity) const { return parts_->hierarchy.depth(entity); }

  /// Returns: a range of entities: children in their order, ancestors from the parent to the root, or the entity and
  /// its subtree, parents first. Empty for a stale entity.
  /// Invalidates: the range, by any structural change of the hierarchy.
  [[nodiscard]] ChildRange children(Entity entity) const { return parts_->hierarchy.children(entity); }
  [[nodiscard]] AncestorRange ancestors(Entity entity) const { return parts_->hierarchy.ancestors(entity); }
  [[nodiscard]] DepthFirstRange depth_first(Entity entity) const {
    return parts_->hierarchy.depth_first(entity);
  }

  /// Returns: the entity and its subtree, level by level; nothing for a stale entity.
  /// Complexity: O(subtree).
  [[nodiscard]] std::vector<Entity> breadth_first(Entity entity) const;

  /// Returns: the values that the ancestors of an entity have, from its parent to its root, faster than by `get`: a
  /// const T& for each ancestor that has T, or a const T* for each, null where it has none, of `Maybe<T>`; of several
  /// terms, a tuple of these. Empty for a stale entity.
  /// Invalidates: the range, by any structural change.
  template <class... Terms>
  [[nodiscard]] AncestorsWith<Terms...> ancestors_with(Entity entity) const {
    return {parts_->typed, parts_->hierarchy.links(), entity};
  }

  /// Creates a whole forest in one go, its nodes given in any order: node i is below node parents[i], or is a root
  /// for kNoParent, and siblings keep the order of their indices. Each column is a contiguous container or view of
  /// one component's values, one for each node, which are copied; of a column of tags, only the size counts.
  /// Returns: the entity of each node; or refused, with a sentence that names the nodes or the component, when a
  /// parent is out of range, nodes form a cycle, or a column has another length than `parents`.
  /// Errors: what copying a value throws; nothing has been created then.
  /// Complexity: O(nodes * components).
  template <class... Columns>
  BuiltHierarchy build_hierarchy(std::span<const std::uint32_t> parents, const Columns&... columns) {
    return parts_->build_hierarchy(parents, std::nullopt, columns...);
  }
  /// As above, with the roots of the forest as the last children of a parent.
  /// Contract: the parent is alive.
  template <class... Columns>
  BuiltHierarchy build_hierarchy(ChildOf above, std::span<const std::uint32_t> parents,
                                 const Columns&... columns) {
    return parts_->build_hierarchy(parents, above, columns...);
  }

  /// Copies a subtree with all its components. A component that refers to entities is told which copies stand for
  /// those of the subtree: by its member `void remap_entities(const EntityMap&)`, or by a function `void
  /// remap_entities(T&, const EntityMap&)` beside it.
  /// Returns: the copy of `root`, which has no parent; or those of `count` copies.
  /// Errors: what copying or remapping a value throws; nothing has been created then.
  /// Contract: `root` is alive, and every component of the subtree can be copied; fewer than
  /// WorldOptions::max_entities slots are in use with the copies.
  /// Complexity: O(nodes * components).
  Entity instantiate(Entity root);
  std::vector<Entity> instantiate(Entity root, std::size_t count);
  /// As above, with the copies as the last children of a parent, which may be of the subtree itself.
  /// Contract: the parent is alive.
  Entity instantiate(ChildOf above, Entity root);
  std::vector<Entity> instantiate(ChildOf above, Entity root, std::size_t count);

  // The order of rows: layouts below an entity, and layers, an order before depth for what is painted or simulated.

  /// Lays out the rows below an entity in another way than WorldOptions::layout says, except where an entity below
  /// has its own layout. The tree means the same.
  /// Errors: std::bad_alloc; the tree means the same, and some of the families may have moved.
  /// Contract: the entity is alive.
  /// Invalidates: pointers to values of the entities below.
  /// Complexity: O(subtree).
  void set_layout(Entity entity, Layout layout) { parts_->hierarchy.set_layout(entity, layout); }
  [[nodiscard]] Layout layout_below(Entity entity) const { return parts_->hierarchy.layout_below(entity); }

  /// Orders rows that several families share a table for by their parents, so that a cascade streams through memory. It
  /// changes no result, and cascades do it by themselves once that pays, unless WorldOptions::settling is manual: call
  /// it to settle at a better time, such as while loading, or in parts.
  /// Returns: whether all is in order; false when `budget`, in rows looked at, was used up before.
  /// Contract: no query is iterating.
  /// Invalidates: pointers to values of the rows that move.
  /// Complexity: O(min(budget, rows of the levels that have changed and of those below)).
  bool settle(std::size_t budget = std::numeric_limits<std::size_t>::max());

  /// Puts the entity alone, without its subtree, into the layer of that key. Every entity is in layer 0 at first.
  /// Contract: the entity is alive.
  /// Invalidates: pointers to the entity's components in tables, unless it is in that layer already.
  void set_layer(Entity entity, std::int32_t key) { parts_->layers.set(entity, key); }

  /// Returns: the key of the entity's layer; nothing when it is stale.
  [[nodiscard]] std::optional<std::int32_t> layer(Entity entity) const;

  // Queries and commands.

  /// Returns: a query to keep; see Query for its terms. One that a const World makes only reads: its terms hand out
  /// nothing to write.
  template <class... Terms>
  [[nodiscard]] Query<Terms...> query() {
    return {parts_->store, &parts_->hierarchy.parents()};
  }
  template <class... Terms>
  [[nodiscard]] Query<Terms...> query() const {
    return {parts_->store, &parts_->hierarchy.parents()};
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
  /// Contract: the terms are sound; the message names the one that is not.
  [[nodiscard]] RuntimeQuery query(std::span<const Term> terms);
  [[nodiscard]] ConstRuntimeQuery query(std::span<const Term> terms) const;

  /// Returns: a query to keep that visits layer by layer, and inside each by depth.
  template <class... Terms>
  [[nodiscard]] LayeredQuery<Terms...> layered_query() {
    return {parts_->store, &parts_->hierarchy.parents(), parts_->layers};
  }
  template <class... Terms>
  [[nodiscard]] LayeredQuery<Terms...> layered_query() const {
    return {parts_->store, &parts_->hierarchy.parents(), parts_->layers};
  }

  /// Returns: what records structural changes while a query iterates; valid as long as the world.
  [[nodiscard]] Commands& commands() { return parts_->commands; }

  /// Applies recorded commands now.
  /// Errors: std::bad_alloc; those not applied stay recorded.
  void flush() { parts_->commands.buffer().apply(); }

  // The whole.

  /// Returns: what the world has one of, by type: settings, assets, a clock; valid as long as the world.
  [[nodiscard]] Resources& resources() { return parts_->resources; }
  [[nodiscard]] const Resources& resources() const { return parts_->resources; }

  /// Calls `visit(const TableView&)` for each table that has rows, those of the same components one after the other.
  /// Errors: what `visit` throws.
  /// Contract: `visit` makes no structural change.
  /// Complexity: O(tables).
  template <class Function>
  void each_table(Function visit) const {
    detail::visit_tables(parts_->store, visit);
  }

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
  /// Invalidates: pointers to the values of tables of a single block, spans of side-store pools and ranges of the
  /// hierarchy. Those to values in larger tables and in the side store stay.
  bool shrink();
  template <class Function>
  bool shrink(Function keep_going) {
    return parts_->shrinker.run(detail::KeepGoing(keep_going));
  }

 private:
  friend detail::WorldParts& detail::parts_of(World& world) noexcept;
  friend const detail::WorldParts& detail::parts_of(const World& world) noexcept;

  detail::OwnedParts parts_;  // Const in a const World.
};

}  // namespace strata
