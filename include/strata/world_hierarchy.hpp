// WorldHierarchy: the facade of a world's tree: parents and children, where rows lie, layers, whole subtrees.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "../../hierarchy/hierarchy.hpp"
#include "../../hierarchy/layers.hpp"
#include "../../storage/store.hpp"
#include "ancestors_with.hpp"
#include "commands.hpp"
#include "typed_store.hpp"
#include "world_options.hpp"

namespace strata {

/// The part of World that is about the tree; always a World. Owns the engines that the rest of World works on, too.
class WorldHierarchy {
 public:
  WorldHierarchy(const WorldHierarchy&) = delete;
  WorldHierarchy& operator=(const WorldHierarchy&) = delete;

  // The tree.

  /// Makes `child` the last child of `parent`, unless it is its child already: then it keeps its place among the
  /// siblings.
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
  /// memory. Never needed for a result, only for speed, and rarely for that: unless WorldOptions::settling is manual,
  /// a cascade settles the world before it starts, once passes have lost as much time by the order of the rows as
  /// settling takes. Call it to settle at a better time, such as while loading, or in parts.
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

  /// Returns: the values that the ancestors of an entity have, from its parent to its root, faster than by `get`:
  /// a const T& for each ancestor that has T, or a const T* for each, null where it has none, of `Maybe<T>`; of
  /// several terms, a tuple of these. Empty for a stale entity.
  /// Invalidates: the range, by any structural change.
  template <class... Terms>
  [[nodiscard]] AncestorsWith<Terms...> ancestors_with(Entity entity) const {
    return {typed_, hierarchy_.links(), entity};
  }

  [[nodiscard]] DepthFirstRange depth_first(Entity entity) const { return hierarchy_.depth_first(entity); }
  [[nodiscard]] std::vector<Entity> breadth_first(Entity entity) const {
    return hierarchy_.breadth_first(entity);
  }

  // Whole trees.

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
    store_.require_unlocked("build_hierarchy", Entity());
    return typed_.build_hierarchy(parents, Entity(), detail::as_values(columns)...);
  }

  /// As above, with the roots of the forest as the last children of a parent.
  /// Contract: the parent is alive.
  template <class... Columns>
  BuiltHierarchy build_hierarchy(ChildOf above, std::span<const std::uint32_t> parents,
                                 const Columns&... columns) {
    store_.require_unlocked("build_hierarchy below", above.parent, above.at);
    store_.require_alive("build_hierarchy below", above.parent, above.at);
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
  /// Contract: as above; fewer than WorldOptions::max_entities slots are in use with the copies.
  std::vector<Entity> instantiate(Entity root, std::size_t count);

  /// As above, with the copies as the last children of a parent, which may be of the subtree itself.
  /// Contract: the parent is alive.
  Entity instantiate(ChildOf above, Entity root);
  std::vector<Entity> instantiate(ChildOf above, Entity root, std::size_t count);

  // Layers: a first order, before depth, for what is painted or simulated layer by layer.

  /// Puts the entity alone, without its subtree, into the layer of that key. Every entity is in layer 0 at
  /// first.
  /// Contract: the entity is alive.
  /// Invalidates: pointers to the entity's components in tables, unless it is in that layer already.
  void set_layer(Entity entity, std::int32_t key) { layers_.set(entity, key); }

  /// Returns: the key of the entity's layer; nothing when it is stale.
  [[nodiscard]] std::optional<std::int32_t> layer(Entity entity) const;

 protected:
  explicit WorldHierarchy(const WorldOptions& options);
  ~WorldHierarchy() = default;

  Store store_;
  Hierarchy hierarchy_;
  Layers layers_;
  detail::TypedStore typed_;
};

}  // namespace strata
