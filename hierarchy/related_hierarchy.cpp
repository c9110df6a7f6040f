// The functions of Hierarchy that destroy entities and copy pairs while there are pairs (links between two entities,
// beside the parent). Before destroying, they find which other entities have to be destroyed, too.
#include <algorithm>
#include <vector>

#include "../core/contract.hpp"
#include "../storage/rows/row_selection.hpp"
#include "events/change_notifier.hpp"
#include "hierarchy.hpp"
#include "prefabs/instances.hpp"
#include "relations/dependents.hpp"
#include "relations/pair_report.hpp"
#include "relations/relation_set.hpp"
#include "relations/table_change.hpp"
#include "states/state_flags.hpp"
#include "states/state_shift.hpp"

namespace strata::detail {

/// Checks the contract that no relation refuses the destruction of the listed entities. A relation with
/// PairCleanup::refuse refuses the destruction while a listed entity has a pair with an entity that is not listed.
void Hierarchy::require_unrefused(const Dependents& listed) const {
  if (!relations().refuses()) return;
  const std::string refusal = listed.find_refusal();
  STRATA_EXPECTS(refusal.empty(), refusal);
}

/// The entities and pairs of which the listener is notified before they are destroyed; empty if there is no listener.
/// The listener is the ChangeNotifier, which calls observers and hooks.
struct Hierarchy::Leaving {
  explicit Leaving(Store& store) : pairs(store, PairHappening::remove) {}

  std::vector<Entity> entities;
  PairReport pairs;
};

/// Returns: the listed entities in the order in which the listener is notified of them (deepest first), and those pairs
/// of the listed entities of which observers are notified. Both lists are empty if there is no listener.
Hierarchy::Leaving Hierarchy::list_leaving(const Dependents& listed) const {
  Leaving leaving(store_);
  if (!store_.listened()) return leaving;
  std::vector<Entity>& entities = leaving.entities;
  entities.assign(listed.entities().rbegin(), listed.entities().rend());
  std::stable_sort(entities.begin(), entities.end(), [&](Entity a, Entity b) { return depth(a) > depth(b); });
  leaving.pairs.list(relations(), entities);
  return leaving;
}

/// Notifies the listener that entities are about to be destroyed, and that their pairs are about to be removed.
/// Errors: std::bad_alloc; the listener was notified of nothing then.
/// Contract: ChangeGuard::listened is true, so there is a listener.
void Hierarchy::notify_leaving(std::span<const Entity> leaving) {
  PairReport pairs(store_, PairHappening::remove);
  if (relations().any()) pairs.list(relations(), leaving);
  pairs.notify();
  notifier_->destroying(leaving);
}

/// `shift` lists the rows that move when the children of `node` become roots. This function adds the rows that have to
/// leave tables of relations at the same time. A relation may store the rows of all entities that have a pair with one
/// target (the other entity of the pair) in tables for that target. `listed` has the entities that are destroyed next.
/// If one of them is such a target, the rows of its sources have to leave the tables for it.
void Hierarchy::plan_leaving(std::uint32_t node, const Dependents& listed, StateShift& shift) const {
  if (!relations().any_in_tables()) return;
  TableChange change(store_);
  relations().add_leaving(change, listed);
  shift.plan_tags(change.list(), node, TableChange::find_target, &change);
}

/// Destroys the listed entities. Notifies the listener, if there is one.
/// Errors: std::bad_alloc; nothing has changed then.
/// Contract: for each listed entity, all entities below it are listed, too.
void Hierarchy::destroy_listed(const Dependents& listed) {
  Leaving leaving = list_leaving(listed);
  relations().leave_tables(listed);
  destroy_left(listed, leaving);
}

/// Destroys the listed entities. Before that, notifies the listener of the entities and pairs in `leaving`.
/// Contract: RelationSet::leave_tables was called. So if a relation has tables for the sources of a listed entity, only
/// rows of listed entities are left in them.
void Hierarchy::destroy_left(const Dependents& listed, Leaving& leaving) {
  const std::span<const Entity> entities = listed.entities();
  leaving.pairs.notify();
  if (!leaving.entities.empty()) notifier_->destroying(leaving.entities);
  for (const Entity entity : entities) relations().remove_pairs_of(entity);
  // Go through the list backwards, so that an entity B that is destroyed because of its pair with A is destroyed before
  // A: B is listed after A. An entity whose parent is listed, too, is skipped: it is destroyed with its parent.
  for (std::size_t i = entities.size(); i-- > 0;) {
    if (store_.alive(entities[i]) && listed.is_top(entities[i])) {
      destroy_found(entities[i], ChildPolicy::destroy);
    }
  }
}

/// Does the work of `destroy` in the case that a relation may require that further entities are destroyed, too, or that
/// rows move (RelationSet::needs_dependents returns true).
/// Returns: true.
/// Contract: the entity is alive, and no relation refuses the destruction (see require_unrefused).
/// Errors: std::bad_alloc; the hierarchy and the values are unchanged then, but some rows may have moved.
bool Hierarchy::destroy_related(Entity entity, ChildPolicy children) {
  Dependents& listed = empty_dependents();
  listed.add(entity);
  listed.complete(children);
  require_unrefused(listed);
  Leaving leaving = list_leaving(listed);
  if (children == ChildPolicy::orphan && links_.first_child(entity.index()) != Links::kNone) {
    orphan_children_observed(entity.index(), &listed);
  } else {
    relations().leave_tables(listed);
  }
  destroy_left(listed, leaving);
  return true;
}

/// Does the work of `destroy_children` in the case that a relation may require that further entities are destroyed,
/// too, or that rows move (RelationSet::needs_dependents returns true).
/// Returns: the number of children destroyed, not counting any other entities.
std::size_t Hierarchy::destroy_children_related(Entity parent) {
  const std::size_t count = child_count(parent);
  Dependents& listed = empty_dependents();
  for (const Entity child : children(parent)) listed.add(child);
  listed.complete();
  require_unrefused(listed);
  destroy_listed(listed);
  return count;
}

/// Does the work of `destroy_selected` in the case that there are pairs of relations. Pairs may require that further
/// entities are destroyed, too. Removes the pairs of all destroyed entities.
/// Returns: the number of all entities destroyed.
std::size_t Hierarchy::destroy_selected_related(RowSelection& selection) {
  Dependents& listed = empty_dependents();
  selection.arrange();
  for (const RowSelection::Part& part : selection.parts()) {
    selection.for_each_run(part, [&](Place first, std::uint32_t count) {
      for (const Entity entity : entities_of({first.block, first.row, count})) listed.add(entity);
    });
  }
  listed.complete();
  require_unrefused(listed);
  if (relations().any_in_tables()) {
    // A relation may store the rows of all sources of one target in tables for that target. If the target is listed,
    // `destroy_listed` moves the rows out of these tables. That makes `selection`, a set of rows, invalid, so it is not
    // used here.
    destroy_listed(listed);
    relations().destroy_dead();
    return listed.entities().size();
  }
  for (const Entity entity : listed.entities()) selection.add(store_.slots().place_of(entity.index()));
  const std::size_t destroyed = destroy_rows(selection);
  for (const Entity entity : listed.entities()) relations().remove_pairs_of(entity);
  relations().destroy_dead();
  return destroyed;
}

/// Gives the entities `copies` the pairs of the entities `originals`; see RelationSet::copy_pairs. `roots` are the
/// copies of the first original. If the first original is a prefab, `roots` become instances of the prefab. If there is
/// a listener, lists the new pairs in `added`, so that the caller can report them.
/// Errors: std::bad_alloc, and what copying a value throws; all entities in `copies` are destroyed then.
void Hierarchy::copy_pairs(std::span<const Entity> originals, std::span<const Entity> copies,
                           std::span<const Entity> roots, PairReport& added) {
  const bool is_prefab = flags_of(store_, originals.front().index()).subtree.contains(State::prefab);
  if (!is_prefab && !relations().any()) return;
  Rollback undo([&] {
    for (const Entity copy : copies) relations().remove_pairs_of(copy);
    for (const Entity copy : roots) destroy_found(copy, ChildPolicy::destroy);
    relations().destroy_dead();
  });
  if (relations().any()) relations().copy_pairs(originals, copies);
  if (is_prefab) add_instances(store_, relations(), originals, copies);
  if (store_.listened()) added.list(relations(), copies);
  undo.dismiss();
  relations().destroy_dead();
}

}  // namespace strata::detail
