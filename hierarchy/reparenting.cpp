// The part of Hierarchy that gives entities other parents.
#include <algorithm>
#include <utility>

#include "../core/rollback.hpp"
#include "engines.hpp"
#include "families/child_setter.hpp"
#include "links/refusals.hpp"
#include "states/state_shift.hpp"

namespace strata::detail {

/// Returns: a refusal with a sentence that says why `child` cannot become a child of `parent`.
/// Contract: `child` or `parent` is stale, or they are the same entity, or `child` is an ancestor of `parent`.
Outcome Hierarchy::refuse(Entity child, Entity parent) const {
  for (const Entity entity : {child, parent}) {
    if (!store_.alive(entity)) return refuse_child(child, parent, stale_sentence(entity));
  }
  return refuse_child(child, parent, child == parent ? own_parent_sentence() : cycle_sentence(child, parent));
}

Outcome Hierarchy::set_parent(Entity child, Entity parent) {
  const Store::Change change(store_, "set_parent", child);
  if (change.tree_notified()) [[unlikely]]
    return set_parent_observed(child, parent);
  return relate(child, parent);
}

/// Does the work of `set_parent`, for a caller that has already begun the structural change (Store::Change).
Outcome Hierarchy::relate(Entity child, Entity parent) {
  const Place place = store_.slots().find(child);
  if (place.block == nullptr || !store_.alive(parent)) [[unlikely]]
    return refuse(child, parent);
  const std::uint32_t before = links_.parent(child.index());
  if (before == parent.index()) return Outcome::done();
  const Links::Family* const joined = links_.find_family(parent.index());
  if (before != Links::kNone && joined != nullptr &&
      engines_->rows.share_level(links_.family_of(before), *joined)) {
    // The children of both parents are in the same tables, so no row has to move. This also means that both parents
    // have the same depth. So the new parent is not below the child, because the child is deeper than its old parent.
    links_.move(child.index(), parent.index());
    store_.rows().changes().mark_related(place);
    return Outcome::done();
  }
  if (child == parent || links_.is_ancestor(child.index(), parent.index())) [[unlikely]]
    return refuse(child, parent);
  move_below(child.index(), parent.index());
  return Outcome::done();
}

/// Makes `node` the last child of `parent`. Moves the row of `node` to the tables for children of `parent`. If the
/// depth of `node` changes, also moves those rows of entities below it that are in tables for the children of several
/// parents.
void Hierarchy::move_below(std::uint32_t node, std::uint32_t parent) {
  links_.reserve(std::max(node, parent));
  Branch& target = engines_->rows.branch_for_child(parent);
  if (!links_.has_family(node)) {
    // `node` has no children, so at most its own row has to move.
    engines_->rows.move_alone(node, target);
    relink(node, parent);
    return;
  }
  prepare_move(node, target, engines_->rows.layout_below(parent));
  relink(node, parent);
  engines_->rows.apply_move(node, target);
}

/// Updates the links so that `node` is the last child of `parent`. `node` may have had another parent or none. If it
/// had another parent, calls FamilyRows::child_left: if that parent has few children left, their rows may have to move
/// to other tables.
void Hierarchy::relink(std::uint32_t node, std::uint32_t parent) noexcept {
  const std::uint32_t before = links_.parent(node);
  if (before == Links::kNone) return links_.attach(node, parent);
  links_.move(node, parent);
  engines_->rows.child_left(before);
}

Outcome Hierarchy::move_child_before(Entity child, Entity sibling) {
  if (store_.tree_listened()) return move_child_before_observed(child, sibling);
  const Store::Change change(store_, "move_child_before", child);
  return put_before(child, sibling);
}

/// Does the work of `move_child_before`, for a caller that has already begun the structural change (Store::Change).
Outcome Hierarchy::put_before(Entity child, Entity sibling, StateShift* shift) {
  const Entity above = parent(sibling);
  if (!above || child == sibling) {
    return Outcome::refused("entity " + to_string(child) + " cannot be put before entity " +
                            to_string(sibling) +
                            (child == sibling         ? ", which is itself"
                             : !store_.alive(sibling) ? ", which is stale or was never issued"
                                                      : ", which has no parent"));
  }
  Outcome outcome = shift != nullptr ? relate_shifted(child, above, *shift) : relate(child, above);
  if (!outcome) return outcome;
  links_.detach(child.index());
  links_.attach_before(child.index(), sibling.index());
  store_.rows().changes().touch(*store_.slots().place_of(child.index()).block);
  return Outcome::done();
}

Outcome Hierarchy::set_children(Entity parent, std::span<const Entity> children) {
  if (store_.tree_listened()) return set_children_observed(parent, children);
  const Store::Change change(store_, "set_children", parent);
  return replace_children(parent, children);
}

/// Does the work of `set_children`, for a caller that has already begun the structural change (Store::Change). If
/// `shift` is not null, also updates the states (such as disabled) that the moved entities inherit, and lists the
/// changed states in `*shift`.
Outcome Hierarchy::replace_children(Entity parent, std::span<const Entity> children, StateShift* shift) {
  return ChildSetter(store_, links_, engines_->rows, shift).set(parent, children);
}

bool Hierarchy::clear_parent(Entity child) {
  const Store::Change change(store_, "clear_parent", child);
  if (change.tree_notified()) [[unlikely]]
    return clear_parent_observed(child);
  const std::uint32_t node = index_of(child);
  if (links_.parent(node) == Links::kNone) return false;
  unparent(node);
  return true;
}

/// Makes `node`, which has a parent, a root.
void Hierarchy::unparent(std::uint32_t node) {
  Branch& root = engines_->rows.branches().root();
  prepare_move(node, root, engines_->rows.layout_of_roots());
  detach(node);
  engines_->rows.apply_move(node, root);
}

/// Prepares a move of the row of `node` to `target` (a set of tables), together with the rows of the entities below
/// `node`: does everything that can fail, so that the move itself cannot fail. Gives `node` and these entities the
/// layout `inherited`, that of the new parent; a Layout says in which tables rows are stored. If memory runs out, gives
/// them the previous layout again.
void Hierarchy::prepare_move(std::uint32_t node, Branch& target, Layout inherited) {
  Rollback recall(
      [&, before = engines_->rows.layout_above(node)] { engines_->rows.recall_layout(node, before); });
  engines_->rows.follow_layout(node, inherited);
  engines_->rows.prepare_move(node, target);
  recall.dismiss();
}

/// Makes the children of `node` roots. If `shift` is not null, it lists the entities whose states, such as disabled,
/// change because of that, and the rows of these entities are moved to the archetypes for their new states.
/// Contract: StateShift::plan was called on `shift` for the children.
void Hierarchy::orphan_children(std::uint32_t node, StateShift* shift) {
  Branch& root = engines_->rows.branches().root();
  const Layout before = engines_->rows.layout_below(node);
  Rollback forget([&] {
    store_.release_reservations();
    for (std::uint32_t child = links_.first_child(node); child != Links::kNone; child = links_.next(child)) {
      engines_->rows.recall_layout(child, before);
    }
  });
  for (std::uint32_t child = links_.first_child(node); child != Links::kNone; child = links_.next(child)) {
    engines_->rows.follow_layout(child, engines_->rows.layout_of_roots());
  }
  if (shift != nullptr) shift->reserve_own();
  for (std::uint32_t child = links_.first_child(node); child != Links::kNone; child = links_.next(child)) {
    engines_->rows.prepare_move(child, root);
    if (shift != nullptr) shift->reserve_moved(child, root, engines_->rows.branches());
  }
  forget.dismiss();
  for (std::uint32_t child = links_.first_child(node); child != Links::kNone;
       child = links_.first_child(node)) {
    links_.detach(child);
    engines_->rows.apply_move(child, root);
  }
  if (shift != nullptr) shift->apply();
}

}  // namespace strata::detail
