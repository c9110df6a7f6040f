// Hierarchy: the parents and children of a world's entities, and in which tables their rows are stored.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "../core/compiler.hpp"
#include "../core/outcome.hpp"
#include "../core/owned.hpp"
#include "../storage/sorting/merge_sort.hpp"
#include "../storage/store_change.hpp"
#include "creation/bulk_creation.hpp"
#include "links/links.hpp"
#include "links/policies.hpp"
#include "links/walks.hpp"

namespace strata::detail {

class ChangeNotifier;
class Defragmenter;
class Dependents;
class EntityNames;
class FamilyRows;
class PairReport;
class Relation;
class RelationSet;
class RowSelection;
class StateShift;
struct Branch;
struct Forest;
struct Moved;
struct Override;

/// The parents and children of all entities of a world. Each change updates the links between entities, and moves the
/// rows of these entities to the tables where they belong.
///
/// Tables are grouped into branches: the tables of all roots, the tables of one parent's children, or the tables that
/// the children of several parents of one depth share (see Layout). A family is the children of one parent; all of
/// their rows are in one branch. The rank of a table is the depth of its entities.
///
/// Invariants (in addition to the invariants of the members):
///   H1. The row of a child is in the branch of its parent's family; the row of a root is in the root branch.
///   H2. The rank of a branch is the depth of the entities whose rows are in it: 0 for the root branch; for another
///       branch, one more than the depth of the parents of these entities.
///
/// Threads: any number of readers, or one writer.
class Hierarchy {
 public:
  Hierarchy(Store& store, LayoutPolicy policy);
  STRATA_API ~Hierarchy();

  // The functions from here to `defragment` change the hierarchy or move its rows.

  /// Creates an entity as the last child of `parent`, with a row in a table of `archetype`. The caller builds the
  /// values of the row.
  /// Returns: the entity and its row.
  /// Contract: the parent is alive, nothing is being iterated.
  /// Errors: std::bad_alloc; nothing has changed then.
  NewRow create_below(Entity parent, Archetype& archetype, CallSite at = {}) {
    if (store_.require_unlocked("create below", parent, at) >= Notified::tree) [[unlikely]]
      return create_below_observed(parent, archetype, at);
    store_.require_alive("create below", parent, at);
    return append_below(parent.index(), archetype);
  }

  /// Does what `create_below` does, for a live parent that is given by its slot index. If `reserved` is not a null
  /// handle, the new entity gets this handle, which was reserved for a recorded command.
  STRATA_API NewRow append_below(std::uint32_t parent, Archetype& archetype, Entity reserved = Entity());

  /// Creates an entity for each node of `forest`, with its parent and values, and writes its handle to the element of
  /// `entities` with the node's index. Nodes without a parent become children of `above`, or roots if `above` is null;
  /// see ForestBuilder::build.
  /// Returns: success; refused if `forest` is not valid or `entities` does not have one element for each node.
  /// Contract: nothing is being iterated; `above` is alive or null.
  STRATA_API Outcome build(const Forest& forest, Entity above, std::span<Entity> entities);

  /// Makes one copy of `root` with all entities below it for each element of `roots`, and writes the copy of `root` to
  /// that element. The copies of `root` become children of `above`, or roots if `above` is null; see
  /// Instantiator::copy. If `root` is a prefab, its copies also become its instances (see InstanceOf).
  /// Contract: nothing is being iterated.
  void instantiate(Entity root, Entity above, std::span<Entity> roots,
                   std::span<const Override> overrides = {});

  /// Makes `child` the last child of `parent`. Does nothing if `child` is a child of `parent` already.
  /// Returns: refused if `child` or `parent` is stale, if `parent` is `child` or one of its descendants, or if names
  /// must be unique and another child of `parent` has the name of `child`.
  /// Errors: std::bad_alloc; the links and values are unchanged then, but some rows may have moved to other tables.
  /// Invalidates: pointers to values of the rows that move. These are the child's row and, if its depth changes, those
  /// rows of entities below it that are in tables for the children of several parents (see Layout).
  /// Complexity: O(1) if the new parent is as deep as the old one, and the rows of the children of both parents are in
  /// the same shared tables. Otherwise O(d + s), where d is the depth of `parent`, and s is 1 or, if the child's depth
  /// changes, the number of entities in its subtree.
  STRATA_API Outcome set_parent(Entity child, Entity parent);

  /// Makes `child` the sibling directly before `sibling`, below the same parent.
  /// Returns: refused if `sibling` is `child`, is stale or has no parent, or if `set_parent` would refuse the parent of
  /// `sibling` as the parent of `child`.
  /// Errors: std::bad_alloc; the links and values are unchanged then, but some rows may have moved.
  /// Invalidates: pointers to values of the rows that move; see `set_parent`.
  /// Complexity: O(1) if `child` and `sibling` have the same parent already; otherwise that of `set_parent`.
  Outcome move_child_before(Entity child, Entity sibling);

  /// Sorts the children of an entity by `less(Entity a, Entity b)`, which returns whether child `a` has to come before
  /// child `b`. The sort is stable.
  /// Contract: `less` does not change the world; nothing is being iterated.
  /// Errors: std::bad_alloc and what `less` throws; the order is unchanged then.
  /// Complexity: O(n log n) for n children.
  template <class Less>
  void sort_children(Entity parent, Less less) {
    {
      const Store::Change change(store_, "sort_children", parent);
      std::vector<Entity> order = list_children(parent);
      const std::size_t count = order.size();
      order.resize(2 * count);
      const Entity* sorted = order.data();
      {
        const ChangeGuard::Operation operation(store_.guard(), "sort_children");
        sorted = merge_sort(order.data(), order.data() + count, count,
                            [&](Entity a, Entity b) { return less(a, b); });
      }
      set_child_order(parent, {sorted, count});
    }
    store_.notification_ended();
  }

  /// Makes `children` the children of `parent`, in the given order. The other children that `parent` has at the time of
  /// the call become roots.
  /// Returns: refused if `parent` or a child is stale, a child is given twice, or there would be a cycle.
  /// Errors: std::bad_alloc; the links and values are unchanged then, but some rows may have moved.
  /// Invalidates: pointers to values of the rows that move; see `set_parent`.
  /// Complexity: O(n log n + d + s), where n is the number of children before the call plus the number after it, d
  /// is the depth of `parent`, and s is the number of entities in the subtrees of the children whose depth changes.
  STRATA_API Outcome set_children(Entity parent, std::span<const Entity> children);

  /// Makes `child` a root. The entities below it stay below it.
  /// Returns: false if `child` is stale or a root already.
  /// Errors: std::bad_alloc; the links and values are unchanged then, but some rows may have moved.
  /// Invalidates: pointers to values of the rows that move; see `set_parent`.
  /// Complexity: O(subtree).
  STRATA_API bool clear_parent(Entity child);

  /// Destroys the entity and, with ChildPolicy::destroy, all entities below it, children first. With
  /// ChildPolicy::orphan, its children become roots.
  /// Returns: false if the entity is stale.
  /// Errors: std::bad_alloc; the links and values are unchanged then, but some rows may have moved. std::bad_alloc is
  /// thrown only in these cases: with ChildPolicy::orphan; while there are observers or hooks that are notified of
  /// changes; or while there are pairs (links between two entities, beside the parent) of a relation that is stored in
  /// tables or has another policy than PairCleanup::remove.
  /// Contract: no relation refuses the destruction; see RelationSet::may_destroy.
  /// Complexity: O(subtree).
  bool destroy(Entity entity, ChildPolicy children) {
    const Store::Change change(store_, "destroy", entity);
    if (change.tree_notified()) [[unlikely]]
      return destroy_observed(entity, children);
    return destroy_found(entity, children);
  }
  /// Destroys an entity as `destroy` does, but does not notify the observers and hooks of the world.
  STRATA_ALWAYS_INLINE bool destroy_unobserved(Entity entity, ChildPolicy children) {
    const Store::Change change(store_, "destroy", entity);
    return destroy_found(entity, children);
  }

  /// Destroys the entities of a selection (a set of rows), all entities below them (see SelectionTeardown), and the
  /// entities that pairs (links between entities) require to be destroyed, too.
  /// Returns: the number of all entities destroyed.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Contract: the caller has begun a structural change (Store::Change).
  STRATA_API std::size_t destroy_selected(RowSelection& selection);

  /// Destroys all children of an entity, and all entities below them.
  /// Returns: the number of children destroyed, not counting the entities below them; 0 if `parent` is stale.
  /// Complexity: O(subtree).
  STRATA_API std::size_t destroy_children(Entity parent);

  /// Destroys all entities of the store.
  /// Returns: the number of destroyed entities.
  /// Complexity: O(entities).
  STRATA_API std::size_t clear();

  /// A Layout says in which tables rows are stored. `set_layout` sets the Layout of the rows of all entities below
  /// `entity`, and moves the rows accordingly. If `set_layout` was called before for an entity below `entity`, the rows
  /// below that entity keep the layout that was set then. `layout_below` returns the layout of the rows of an entity's
  /// children.
  /// Contract: the entity is alive.
  /// Errors: std::bad_alloc; the links and values are unchanged then, but some rows may have moved.
  /// Invalidates: pointers to values of the entities below.
  /// Complexity: O(subtree) for `set_layout`; O(1) for `layout_below`.
  STRATA_API void set_layout(Entity entity, Layout layout);
  STRATA_API Layout layout_below(Entity entity) const;

  /// Moves rows so that visits by depth read memory in order. With Layout::adaptive, the number of a parent's children
  /// decides where their rows are. If a parent has got more children than LayoutPolicy::large_family, first moves the
  /// rows of these children to tables of their own. If the parent has at most a quarter of that number left, first
  /// moves the rows back to tables shared with children of other parents. Then sorts the rows of all shared tables into
  /// the order of their parents' rows; see FamilyOrder.
  /// Returns: true if no row has to move any more; false if `budget`, a number of rows to examine, was used up before.
  /// Errors: std::bad_alloc; the links and values are unchanged then.
  /// Invalidates: pointers to values of the rows that move.
  bool defragment(std::size_t budget);

  // The following functions look up parents, children and other relatives. A stale handle has no relatives.

  STRATA_API Entity parent(Entity entity) const;
  /// Return the sibling directly after or before an entity; a null handle if there is none.
  STRATA_API Entity next_sibling(Entity entity) const;
  STRATA_API Entity previous_sibling(Entity entity) const;
  bool is_ancestor(Entity ancestor, Entity of) const;
  std::size_t child_count(Entity entity) const { return links_.child_count(index_of(entity)); }

  /// Returns: the number of ancestors; 0 for a root.
  /// Contract: the entity is alive.
  /// Complexity: O(1).
  STRATA_API std::uint32_t depth(Entity entity) const;

  ChildRange children(Entity entity) const { return {links_, store_.slots(), index_of(entity)}; }
  AncestorRange ancestors(Entity entity) const { return {links_, store_.slots(), index_of(entity)}; }
  /// Contract, also of `breadth_first`: no values are being moved. Destroying a subtree moves values of other entities
  /// into the gaps, and the links of the subtree may be incomplete meanwhile.
  DepthFirstRange depth_first(Entity entity) const {
    store_.guard().require_whole();
    return {links_, store_.slots(), index_of(entity)};
  }
  /// Returns: all entities without a parent, in ascending order of their slot indices.
  /// Complexity: O(n log n + archetypes) for n roots.
  STRATA_API std::vector<Entity> roots() const;
  std::vector<Entity> breadth_first(Entity entity) const {
    store_.guard().require_whole();
    return list_breadth_first(links_, store_.slots(), index_of(entity));
  }

  STRATA_API const Relation& parents() const;
  /// Returns: the relations between entities, except the one between a child and its parent.
  STRATA_API RelationSet& relations();
  STRATA_API const RelationSet& relations() const;
  /// Returns: the object that notifies observers of changes.
  STRATA_API ChangeNotifier& notifier();
  /// Returns: the names of entities.
  EntityNames& names();
  STRATA_API const EntityNames& names() const;
  Defragmenter& defragmenter();
  const Links& links() const { return links_; }
  /// Return the objects into which a saved world is loaded (see hierarchy/saving).
  Links& links() { return links_; }
  FamilyRows& rows();
  STRATA_API const FamilyRows& rows() const;

  /// Returns: an object that creates many entities at once. The object reuses its memory, so a caller that creates
  /// entities repeatedly should keep it.
  [[nodiscard]] BulkCreation bulk_creation();

  /// Returns: the memory of the links between entities, of names and relations, and of the lists that say in which
  /// tables children are stored. The memory of the tables themselves is reported by Tables.
  MemoryUse memory_use() const;

  /// Frees the memory of links that no entity uses, and the working memory that earlier calls have kept for reuse.
  /// Contract: nothing is being iterated.
  /// Complexity: O(entities).
  void shrink() noexcept;

  /// Returns: a sentence about the first invariant that is violated; empty if all hold.
  std::string check_invariants() const;

 private:
  struct Engines;

  // Each of the following functions makes the same change as the function without `_observed` in its name. The function
  // with `_observed` also updates the states of entities, such as disabled, and notifies the listener of the change:
  // the ChangeNotifier, which calls observers and hooks.
  STRATA_API NewRow create_below_observed(Entity parent, Archetype& archetype, CallSite at);
  STRATA_API bool destroy_observed(Entity entity, ChildPolicy children);
  std::size_t destroy_children_observed(Entity parent);
  Outcome set_parent_observed(Entity child, Entity parent);
  Outcome move_child_before_observed(Entity child, Entity sibling);
  bool clear_parent_observed(Entity child);
  Outcome set_children_observed(Entity parent, std::span<const Entity> children);
  std::size_t clear_observed();
  Outcome build_observed(const Forest& forest, Entity above, std::span<Entity> entities);
  void instantiate_observed(Entity root, Entity above, std::span<Entity> roots,
                            std::span<const Override> overrides);
  void orphan_children_observed(std::uint32_t node, const Dependents* listed = nullptr);
  void notify_moved(std::span<const Moved> moves, const StateShift& shift);

  // The following functions, up to `copy_pairs`, are used while there are pairs (links between two entities, beside the
  // parent). They are defined in related_hierarchy.cpp.
  bool destroy_related(Entity entity, ChildPolicy children);
  std::size_t destroy_children_related(Entity parent);
  std::size_t destroy_selected_related(RowSelection& selection);
  Dependents& empty_dependents();
  void require_unrefused(const Dependents& listed) const;
  void destroy_listed(const Dependents& listed);
  struct Leaving;
  Leaving list_leaving(const Dependents& listed) const;
  void destroy_left(const Dependents& listed, Leaving& leaving);
  void notify_leaving(std::span<const Entity> leaving);
  void plan_leaving(std::uint32_t node, const Dependents& listed, StateShift& shift) const;
  void copy_pairs(std::span<const Entity> originals, std::span<const Entity> copies,
                  std::span<const Entity> roots, PairReport& added);

  std::size_t destroy_below(Entity parent);
  std::size_t destroy_rows(RowSelection& selection);
  Outcome put_before(Entity child, Entity sibling, StateShift* shift = nullptr);
  void unparent(std::uint32_t node);
  Outcome replace_children(Entity parent, std::span<const Entity> children, StateShift* shift = nullptr);
  std::size_t destroy_all();
  void copy_subtree(Entity root, Entity above, std::span<Entity> roots, std::span<const Override> overrides);
  Outcome build_forest(const Forest& forest, Entity above, std::span<Entity> entities);
  /// Does the work of `destroy`, for a caller that has already begun the structural change (Store::Change).
  STRATA_ALWAYS_INLINE bool destroy_found(Entity entity, ChildPolicy children) {
    const Place place = store_.slots().find(entity);
    if (place.block == nullptr) return false;
    if (links_.is_linked(entity.index())) {
      destroy_linked(entity.index(), children);
    } else {
      store_.destroy(entity, place);
    }
    return true;
  }
  std::uint32_t index_of(Entity entity) const { return store_.alive(entity) ? entity.index() : Links::kNone; }
  Entity handle_of(std::uint32_t node) const {
    return node != Links::kNone ? store_.slots().handle_of(node) : Entity();
  }
  STRATA_COLD STRATA_NOINLINE Outcome refuse(Entity child, Entity parent) const;
  void detach(std::uint32_t node) noexcept;
  Outcome relate(Entity child, Entity parent);
  Outcome relate_shifted(Entity child, Entity parent, StateShift& shift);
  void unparent_shifted(std::uint32_t node, StateShift& shift);
  void prepare_shifted(std::uint32_t node, Branch& target, Layout inherited, StateShift& shift);
  void plan_orphans(std::uint32_t node, StateShift& shift) const;
  void move_below(std::uint32_t node, std::uint32_t parent);
  void relink(std::uint32_t node, std::uint32_t parent) noexcept;
  STRATA_API void destroy_linked(std::uint32_t node, ChildPolicy children);
  void prepare_move(std::uint32_t node, Branch& target, Layout inherited);
  void orphan_children(std::uint32_t node, StateShift* shift = nullptr);
  STRATA_API std::vector<Entity> list_children(Entity parent) const;
  STRATA_API void set_child_order(Entity parent, std::span<const Entity> order);

  Store& store_;
  Links links_;
  Owned<ChangeNotifier> notifier_;
  Owned<Engines> engines_;  // Engines is defined in engines.hpp, which no public header includes.
};

}  // namespace strata::detail
