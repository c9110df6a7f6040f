// TreeOperations: the operations of a World on the parents and children of its entities.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "../../core/entity_map.hpp"
#include "../../hierarchy/creation/override.hpp"
#include "ancestors_with.hpp"
#include "detail/world_parts.hpp"

namespace strata {

namespace detail {

/// Copies the subtree of `root` once for each element of `copies`, and writes the handle of the copy of `root` to the
/// element; see World::instantiate. The copies become children of `above`, or roots if `above` is null.
/// Contract: `above` is alive or null; `copies` is not memory of the world.
STRATA_API void instantiate_into(WorldParts& parts, Entity root, Entity above, std::span<Entity> copies,
                                 std::span<const Override> overrides = {});
/// Returns: the handles of `count` copies of `root`, made by `instantiate_into`.
STRATA_API std::vector<Entity> instantiate_many(WorldParts& parts, Entity root, Entity above,
                                                std::size_t count, std::span<const Override> overrides = {});

}  // namespace detail

/// The base class of World with the operations on parents and children. The comment on World has the rules for all
/// operations.
class TreeOperations {
 public:
  /// Makes `child` the last child of `parent`. If `child` is already a child of `parent`, it keeps its position among
  /// the siblings. The call writes no component, so queries for changed values (see Query::changed and
  /// CascadeQuery::changed_subtrees) do not visit the child. If values of the child depend on its parent, mark the
  /// child, for example by Observers::collect with OnParentChange, and call `cascade().propagate`, which visits marked
  /// entities.
  /// Returns: success; or a refusal that names both entities, if one is stale or an entity would become its own
  /// ancestor.
  /// Errors: std::bad_alloc; parents and children are unchanged then, but some rows may have moved.
  /// Invalidates: pointers to components in tables of the child and, if its depth changes, of the entities below it;
  /// also of other entities in the tables that these leave or enter.
  /// Complexity: O(depth) to check for a cycle, plus O(subtree of child) if its depth changes.
  Outcome set_parent(Entity child, Entity parent) { return parts_->hierarchy.set_parent(child, parent); }

  /// Makes `child` the sibling directly before `sibling`.
  /// Returns: success; or a refusal, if `sibling` is `child`, is stale or is a root, or if `set_parent` would refuse
  /// the parent of `sibling` as the parent of `child`.
  /// Errors, Invalidates: the same as for `set_parent`.
  /// Complexity: O(1) if the two entities are siblings already, otherwise that of `set_parent`.
  STRATA_API Outcome move_child_before(Entity child, Entity sibling);

  /// Makes `children` the children of `parent`, in this order. These entities may have been roots or children of other
  /// parents before. Entities that were children of `parent` before and are not in `children` become roots.
  /// Returns: success; or a refusal that names the entity, if `parent` or a child is stale, a child is given twice, an
  /// entity would become its own ancestor, or two children would have equal names although sibling names must be unique
  /// (see SiblingNames). After a refusal, nothing has changed.
  /// Errors, Invalidates: the same as for `set_parent`.
  /// Complexity: O(n log n + depth), where n is the number of old and new children, plus O(subtree) for each child
  /// whose depth changes.
  Outcome set_children(Entity parent, std::span<const Entity> children) {
    return parts_->hierarchy.set_children(parent, children);
  }

  /// Makes `child` a root. Its subtree stays below it.
  /// Returns: false if the entity is stale or a root already.
  /// Errors, Invalidates, Complexity: the same as for `set_parent`.
  bool clear_parent(Entity child) { return parts_->hierarchy.clear_parent(child); }

  /// Sorts the children of `parent` by `less(Entity, Entity)`, which returns whether the first child comes before the
  /// second one. Equal children keep their order. Does nothing if `parent` is stale.
  /// Errors: std::bad_alloc, and exceptions of `less`; the order is unchanged then.
  /// Complexity: O(n log n) for n children.
  template <class Less>
  void sort_children(Entity parent, Less less) {
    parts_->hierarchy.sort_children(parent, std::move(less));
  }

  /// Destroys all children of an entity, and their subtrees.
  /// Returns: the number of children that the entity had; 0 for a stale entity.
  /// Complexity: O(entities destroyed).
  std::size_t destroy_children(Entity parent) { return parts_->hierarchy.destroy_children(parent); }

  /// Returns: the parent; a null handle for a root or a stale entity.
  [[nodiscard]] Entity parent(Entity entity) const { return parts_.read()->hierarchy.parent(entity); }

  /// Return the sibling directly after or before an entity in the order of their parent's children; a null
  /// handle for the last or first one, a root or a stale entity.
  /// Complexity: O(1).
  [[nodiscard]] Entity next_sibling(Entity entity) const {
    return parts_.read()->hierarchy.next_sibling(entity);
  }
  [[nodiscard]] Entity previous_sibling(Entity entity) const {
    return parts_.read()->hierarchy.previous_sibling(entity);
  }

  /// Returns: all entities without a parent, in ascending order of Entity::index.
  /// Complexity: O(n log n + archetypes) for n roots.
  [[nodiscard]] std::vector<Entity> roots() const { return parts_.read()->hierarchy.roots(); }

  /// Returns: whether `ancestor` is an ancestor of `of`; false if the two are equal or one of them is stale.
  /// Complexity: O(depth of `of`).
  [[nodiscard]] STRATA_API bool is_ancestor(Entity ancestor, Entity of) const;

  /// Returns: the number of children; 0 for a stale entity.
  /// Complexity: O(1).
  [[nodiscard]] std::size_t child_count(Entity entity) const {
    return parts_.read()->hierarchy.child_count(entity);
  }

  /// Returns: the number of ancestors.
  /// Contract: the entity is alive.
  /// Complexity: O(1).
  [[nodiscard]] std::uint32_t depth(Entity entity) const { return parts_.read()->hierarchy.depth(entity); }

  /// These three functions return a range of entities, which is empty for a stale entity. `children` yields the
  /// children in their order. `ancestors` goes from the parent up to the root. `depth_first` yields the entity, and
  /// then, for each child in order, the child and all entities below it.
  /// Invalidates: the range, by any change of parents or of the order of children, and by destroying entities.
  /// Contract, of `depth_first` and `breadth_first`: no values are being moved (as for a query; see callbacks.hpp).
  /// Destroying a subtree moves values of other entities into the gaps, and the links of the subtree are incomplete
  /// meanwhile.
  [[nodiscard]] detail::ChildRange children(Entity entity) const {
    return parts_.read()->hierarchy.children(entity);
  }
  [[nodiscard]] detail::AncestorRange ancestors(Entity entity) const {
    return parts_.read()->hierarchy.ancestors(entity);
  }
  [[nodiscard]] detail::DepthFirstRange depth_first(Entity entity) const {
    return parts_.read()->hierarchy.depth_first(entity);
  }

  /// Returns: the entity and its subtree, level by level; empty for a stale entity.
  /// Complexity: O(subtree).
  [[nodiscard]] STRATA_API std::vector<Entity> breadth_first(Entity entity) const;

  /// Returns: a range over component values of an entity's ancestors, from its parent up to the root; empty for a stale
  /// entity. Iterating the range is faster than calling `get` for each ancestor. For a term T, the range yields a const
  /// T& for each ancestor that has T. For a term `Maybe<T>`, the range yields a const T*, which is null for an ancestor
  /// without T. For several terms, the range yields tuples, and skips an ancestor that lacks the component of a term
  /// without `Maybe`.
  /// Invalidates: the range, by any structural change.
  template <class... Terms>
  [[nodiscard]] detail::AncestorsWith<Terms...> ancestors_with(Entity entity) const {
    parts_.read()->store.guard().require_whole();
    return {parts_.read()->typed, parts_->hierarchy.links(), entity};
  }

  /// Creates many entities, called nodes. Node i becomes a child of node parents[i], or a root if parents[i] is
  /// kNoParent. A parent may have a greater index than its children. Siblings are in the order of their indices. Each
  /// column gives the values of one component. A column is one of these:
  /// - a contiguous container or view with one value per node, which is copied; for tags, only the size is used
  /// - a function that takes the number of a node and returns its value
  /// - a single value, which is copied to every node
  /// Returns: the entity of each node; or a refusal that names the nodes or the component, when a parent is out of
  /// range, nodes form a cycle, or a column has another size than `parents`.
  /// Errors: exceptions of a copy or a function; nothing has been created then.
  /// Contract: functions make no structural change and run no query.
  /// Complexity: O(nodes * components).
  template <class... Columns>
  BuiltHierarchy build_hierarchy(std::span<const std::uint32_t> parents, const Columns&... columns) {
    return parts_->build_hierarchy(parents, std::nullopt, columns...);
  }
  /// As `build_hierarchy(parents, columns)`, but nodes whose parent is kNoParent become the last children of
  /// `above.parent`.
  /// Contract: `above.parent` is alive.
  template <class... Columns>
  BuiltHierarchy build_hierarchy(detail::ParentArgument above, std::span<const std::uint32_t> parents,
                                 const Columns&... columns) {
    return parts_->build_hierarchy(parents, above, columns...);
  }
  /// Do what the other forms of `build_hierarchy` do, but write the entity of each node to `entities`, which has one
  /// element per node.
  /// Returns: success; or a refusal, for the reasons of the other forms or because `entities` has another size than
  /// `parents`.
  /// Errors: those of the other forms; after an exception, the contents of `entities` have no meaning.
  /// Contract: `entities` is not memory of this world.
  template <class... Columns>
  Outcome build_hierarchy(std::span<Entity> entities, std::span<const std::uint32_t> parents,
                          const Columns&... columns) {
    return parts_->build_hierarchy(parents, std::nullopt, entities, columns...);
  }
  template <class... Columns>
  Outcome build_hierarchy(detail::ParentArgument above, std::span<Entity> entities,
                          std::span<const std::uint32_t> parents, const Columns&... columns) {
    return parts_->build_hierarchy(parents, above, entities, columns...);
  }

  /// Copies `root` and its subtree with all components. If a value contains the handle of an entity of the subtree, the
  /// copied value contains the handle of that entity's copy instead, provided that the component is described by
  /// `members_of<T>`, or has a member `void remap_entities(const EntityMap&)`, or its namespace has a function `void
  /// remap_entities(T&, const EntityMap&)`.
  /// Returns: the copy of `root`, which has no parent; with `count`, a list of that many copies.
  /// Errors: std::bad_alloc, and what copying a value or remap_entities throws; nothing has been created then.
  /// Contract: `root` is alive, and every component of the subtree can be copied. The copies fit into the limit
  /// WorldOptions::max_entities, which also counts the entities that recorded commands will create.
  /// Complexity: O(n * components) for each copy, where n is the number of entities in the subtree.
  STRATA_API Entity instantiate(Entity root);
  STRATA_API std::vector<Entity> instantiate(Entity root, std::size_t count);
  /// As `instantiate` without a parent, but the copies of `root` are appended to the children of `above`, which may be
  /// in the subtree of `root`.
  /// Contract: `above` is alive.
  STRATA_API Entity instantiate(detail::ParentArgument above, Entity root);
  STRATA_API std::vector<Entity> instantiate(detail::ParentArgument above, Entity root, std::size_t count);
  /// Do what the other forms of `instantiate` do, but make one copy for each element of `copies`, and write the handle
  /// of the copy to the element.
  /// Contract: `copies` is not memory of this world.
  STRATA_API void instantiate(Entity root, std::span<Entity> copies);
  STRATA_API void instantiate(detail::ParentArgument above, Entity root, std::span<Entity> copies);

 protected:
  explicit TreeOperations(const WorldOptions& options) : parts_(options) {}

  friend detail::WorldParts& detail::parts_of(World& world) noexcept;
  friend const detail::WorldParts& detail::parts_of(const World& world) noexcept;
  friend const detail::ChangeGuard* detail::find_guard(const World& world) noexcept;

  detail::OwnedParts parts_;  // In a const World, gives access to const parts only.
};

}  // namespace strata
