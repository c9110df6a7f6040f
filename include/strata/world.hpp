// World: the facade that composes entities, components, queries, commands and the hierarchy.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <memory_resource>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "../../core/entity_map.hpp"
#include "../../hierarchy/hierarchy.hpp"
#include "../../hierarchy/layered_query.hpp"
#include "../../query/query.hpp"
#include "../../storage/store.hpp"
#include "commands.hpp"
#include "typed_store.hpp"

namespace strata {

struct WorldOptions {
  Layout layout = Layout::adaptive;                   ///< Where the rows of children live.
  std::pmr::memory_resource* memory = nullptr;        ///< Of entities, values and tables; null: new, delete.
  std::uint32_t max_entities = Slots::kDefaultLimit;  ///< The most slots that are ever in use.
  std::uint32_t large_family = 256;                   ///< See Layout::adaptive: its threshold, in children.
};

/// How much of everything a world holds.
struct WorldStats {
  std::size_t entities;
  std::size_t archetypes;
  std::size_t tables;
  std::size_t blocks;
};

/// Entities, their components and their hierarchy.
///
/// Asking and taking away answer with a value: false, null or an empty range for an entity that is stale or
/// has no such component. Giving something to an entity that is gone is a contract, as is any structural
/// change (create, destroy, add, remove, re-parent) while a query iterates: `commands` records those.
///
/// Pointers to components stay valid until a row of the entity's table is removed, or the entity changes
/// table, or a row is added to a table that is still small; those of the side store, until one is removed
/// from its pool.
///
/// Errors: std::bad_alloc passes through every call that may allocate, and the world is unchanged then.
/// Threads: any number of readers, or one writer.
class World {
 public:
  explicit World(WorldOptions options = {});
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  ~World();

  // Entities.

  /// Creates an entity with these components.
  /// Complexity: O(components).
  template <Component... Ts>
  requires(!std::same_as<Ts, ChildOf> && ...) Entity create(Ts... values) {
    store_.expect_unlocked("create", Entity());
    Archetype& archetype = typed_.archetype_of<Ts...>();
    return typed_.build(store_.create(archetype, store_.tables().root()), values...);
  }

  /// Creates an entity with these components as the last child of a parent.
  /// Contract: the parent is alive.
  /// Complexity: O(components).
  template <Component... Ts>
  Entity create(ChildOf above, Ts... values) {
    Archetype& archetype = typed_.archetype_of<Ts...>();
    return typed_.build(hierarchy_.create_below(above.parent, archetype), values...);
  }

  /// Creates an entity without components that has exactly this handle, for loading and networking.
  /// Returns: false when its slot is in use, the handle is stale or names nothing, or its index is not below
  /// WorldOptions::max_entities.
  /// Complexity: O(1), or O(index) to append the slots below a new index, 16 bytes each.
  bool create_at(Entity handle);

  /// Destroys the entity and its subtree, children first, or makes its children roots.
  /// Returns: false when it is stale.
  /// Complexity: O(entities destroyed or moved).
  bool destroy(Entity entity, Children children = Children::destroy) {
    return hierarchy_.destroy(entity, children);
  }

  /// Creates a whole forest in one go, its nodes given in any order: node i is below node parents[i], or is a
  /// root for kNoParent, and siblings keep the order of their indices. Each column is a contiguous container
  /// or view of one component's values, one for each node, which are copied; of a column of tags, only the
  /// size counts.
  /// Returns: the entity of each node; or refused, with a sentence that names the nodes or the component,
  /// when a parent is out of range, nodes form a cycle, or a column has another length than `parents`.
  /// Errors: what copying a value throws; nothing has been created then.
  /// Complexity: O(nodes * components).
  template <class... Columns>
  BuiltHierarchy build_hierarchy(std::span<const std::uint32_t> parents, const Columns&... columns) {
    store_.expect_unlocked("build_hierarchy", Entity());
    return typed_.build_hierarchy(parents, Entity(), detail::as_values(columns)...);
  }

  /// As above, with the roots of the forest as the last children of a parent.
  /// Contract: the parent is alive.
  template <class... Columns>
  BuiltHierarchy build_hierarchy(ChildOf above, std::span<const std::uint32_t> parents,
                                 const Columns&... columns) {
    store_.expect_unlocked("build_hierarchy below", above.parent);
    store_.expect_alive("build_hierarchy below", above.parent);
    return typed_.build_hierarchy(parents, above.parent, detail::as_values(columns)...);
  }

  /// Copies a subtree with all its components. A component that refers to entities is told which copies
  /// stand for those of the subtree: by its member `void remap_entities(const EntityMap&)`, or by a function
  /// `void remap_entities(T&, const EntityMap&)` beside it.
  /// Returns: the copy of `root`, which has no parent.
  /// Errors: what copying or remapping a value throws; nothing has been created then.
  /// Contract: `root` is alive, and every component of the subtree can be copied.
  /// Complexity: O(nodes * components).
  Entity instantiate(Entity root);
  /// Returns: the roots of `count` copies.
  std::vector<Entity> instantiate(Entity root, std::size_t count);

  /// As above, with the copies as the last children of a parent, which may be of the subtree itself.
  /// Contract: the parent is alive.
  Entity instantiate(ChildOf above, Entity root);
  std::vector<Entity> instantiate(ChildOf above, Entity root, std::size_t count);

  [[nodiscard]] bool alive(Entity entity) const { return store_.alive(entity); }
  [[nodiscard]] std::size_t size() const { return store_.slots().in_use() - commands_.buffer().reserved(); }

  // Components.

  /// Gives the entity a component, or replaces the value that it has.
  /// Returns: the value; nothing for a tag.
  /// Contract: the entity is alive.
  template <Component T>
  decltype(auto) add(Entity entity, T value = T{}) {
    return typed_.add(entity, value);
  }

  /// Returns: false when the entity is stale or has no such component.
  template <Component T>
  bool remove(Entity entity) {
    const auto id = store_.registry().find<T>();
    return id && store_.remove(entity, *id);
  }

  template <Component T>
  [[nodiscard]] bool has(Entity entity) const {
    return typed_.has<T>(entity);
  }

  /// Returns: the value; null when the entity is stale or has none.
  template <Component T>
  [[nodiscard]] T* find(Entity entity) {
    return typed_.find<T>(entity);
  }
  template <Component T>
  [[nodiscard]] const T* find(Entity entity) const {
    return typed_.find<T>(entity);
  }

  /// Contract: the entity is alive and has the component.
  template <Component T>
  [[nodiscard]] T& get(Entity entity) {
    return typed_.get<T>("get", entity);
  }
  template <Component T>
  [[nodiscard]] const T& get(Entity entity) const {
    return typed_.get<T>("get", entity);
  }

  /// Replaces the value of a component that the entity has. No row moves, so this is fine while a query
  /// iterates.
  /// Contract: the entity is alive and has the component.
  template <Component T>
  T& set(Entity entity, T value) {
    return detail::replace(typed_.get<T>("set", entity), value);
  }

  // Components known by their id, of a C++ type or described at run time.

  template <Component T>
  ComponentId component() {
    return store_.registry().id_of<T>();
  }
  /// Contract: the description is sound, and agrees with the component of that name if there is one.
  ComponentId component(const ComponentDescription& description) {
    return store_.registry().add(description);
  }

  /// As `add`; the value is moved out of `*value` and its life there ended. `value` is null for a tag.
  void* add(Entity entity, ComponentId id, void* value) { return store_.add(entity, id, value); }
  bool remove(Entity entity, ComponentId id) { return store_.remove(entity, id); }
  [[nodiscard]] bool has(Entity entity, ComponentId id) const { return store_.has(entity, id); }
  [[nodiscard]] void* find(Entity entity, ComponentId id) { return store_.find(entity, id); }
  [[nodiscard]] const void* find(Entity entity, ComponentId id) const { return store_.find(entity, id); }

  /// Orders the pool of a side-store component by `less(Entity, Entity)`, stably; queries led by it follow.
  /// Errors: what `less` throws; the pool is unchanged then.
  template <Component T, class Less>
  void sort(Less less) {
    store_.expect_unlocked("sort", Entity());
    STRATA_EXPECTS(storage_of<T> == Storage::sparse,
                   "sort needs a component that is stored in the side store");
    store_.side().get(component<T>()).sort(less);
  }

  /// Takes a side-store component, such as a mark, away from all entities that have it.
  /// Returns: how many did.
  /// Complexity: O(entities that have it).
  template <Component T>
  std::size_t clear() {
    static_assert(storage_of<T> == Storage::sparse,
                  "clear needs a component that is stored in the side store");
    store_.expect_unlocked("clear", Entity());
    const auto id = store_.registry().find<T>();
    SparsePool* const pool = id ? store_.side().find(*id) : nullptr;
    const std::size_t members = pool != nullptr ? pool->size() : 0;
    if (pool != nullptr) pool->clear();
    return members;
  }

  // Hierarchy.

  /// Makes `child` the last child of `parent`.
  /// Returns: refused, with a sentence that names both, when either is stale or that would make a cycle.
  /// Complexity: O(depth), and O(subtree of child) if its depth changes.
  Outcome set_parent(Entity child, Entity parent) { return hierarchy_.set_parent(child, parent); }

  /// Makes `child` the child that comes right before `sibling`.
  /// Returns: refused as by `set_parent`, or when `sibling` is a root.
  Outcome move_child_before(Entity child, Entity sibling) {
    return hierarchy_.move_child_before(child, sibling);
  }

  /// Sorts the children of an entity by `less(Entity, Entity)`, stably.
  /// Errors: what `less` throws; the order is unchanged then.
  template <class Less>
  void sort_children(Entity parent, Less less) {
    hierarchy_.sort_children(parent, std::move(less));
  }

  /// Destroys all children of an entity, and their subtrees.
  /// Returns: how many children it had.
  std::size_t destroy_children(Entity parent) { return hierarchy_.destroy_children(parent); }

  /// Lays out the rows below an entity in another way than WorldOptions::layout says, except where an entity
  /// below has its own layout. The tree means the same.
  /// Contract: the entity is alive.
  /// Invalidates: pointers to values of the entities below.
  /// Complexity: O(subtree).
  void set_layout(Entity entity, Layout layout) { hierarchy_.set_layout(entity, layout); }
  [[nodiscard]] Layout layout_below(Entity entity) const { return hierarchy_.layout_below(entity); }

  /// Brings rows that different families share a table for into the order of a cascade, which then streams through
  /// memory. Never needed for a result, only for speed: after building a tree, and every frame in which it
  /// changes, with as large a budget as the frame can spare.
  /// Returns: whether all is in order; false when `budget`, in rows looked at, was used up before.
  /// Contract: no query is iterating.
  /// Invalidates: pointers to values of the rows that move.
  /// Complexity: O(min(budget, rows of the levels that have changed and of those below)).
  bool settle(std::size_t budget = std::numeric_limits<std::size_t>::max()) {
    return hierarchy_.settle(budget);
  }

  /// Returns: false when the entity is stale or a root already.
  bool clear_parent(Entity child) { return hierarchy_.clear_parent(child); }

  /// Returns: a handle that names nothing for a root or a stale entity.
  [[nodiscard]] Entity parent(Entity entity) const { return hierarchy_.parent(entity); }
  [[nodiscard]] bool is_ancestor(Entity ancestor, Entity of) const {
    return hierarchy_.is_ancestor(ancestor, of);
  }
  [[nodiscard]] std::size_t child_count(Entity entity) const { return hierarchy_.child_count(entity); }

  /// Returns: the number of ancestors.
  /// Contract: the entity is alive.
  [[nodiscard]] std::uint32_t depth(Entity entity) const { return hierarchy_.depth(entity); }

  /// Returns: a range of entities; empty for a stale one.
  /// Invalidates: the range, by any structural change of the hierarchy.
  [[nodiscard]] ChildRange children(Entity entity) const { return hierarchy_.children(entity); }
  [[nodiscard]] AncestorRange ancestors(Entity entity) const { return hierarchy_.ancestors(entity); }
  [[nodiscard]] DepthFirstRange depth_first(Entity entity) const { return hierarchy_.depth_first(entity); }
  [[nodiscard]] std::vector<Entity> breadth_first(Entity entity) const {
    return hierarchy_.breadth_first(entity);
  }

  // Layers: a first order, before depth, for what is painted or simulated layer by layer.

  /// Puts the entity alone, without its subtree, into the layer of that key. Every entity is in layer 0 at
  /// first.
  /// Contract: the entity is alive.
  /// Invalidates: pointers to the entity's components in tables, unless it is in that layer already.
  void set_layer(Entity entity, std::int32_t key) { layers_.set(entity, key); }

  /// Returns: the key of the entity's layer; nothing when it is stale.
  [[nodiscard]] std::optional<std::int32_t> layer(Entity entity) const;

  // Queries and commands.

  /// Returns: a query to keep; see Query for its terms.
  /// Contract: the world outlives it.
  template <class... Terms>
  [[nodiscard]] Query<Terms...> query() {
    return {store_, &hierarchy_.parents()};
  }

  /// Returns: a query to keep that visits layer by layer, and inside each by depth.
  /// Contract: the world outlives it.
  template <class... Terms>
  [[nodiscard]] LayeredQuery<Terms...> layered_query() {
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

  [[nodiscard]] WorldStats stats() const;

  /// Returns: the untyped engines below, for tests and tools.
  [[nodiscard]] const Store& store() const { return store_; }

 private:
  Store store_;
  Hierarchy hierarchy_;
  Layers layers_;
  Commands commands_;
  detail::TypedStore typed_;
};

}  // namespace strata
