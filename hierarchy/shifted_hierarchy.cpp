// The functions of Hierarchy that change parents if this may change the states (such as disabled) that entities
// inherit. The entities whose states change are listed in a StateShift before rows move, and get their new states
// afterwards.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "../core/rollback.hpp"
#include "families/family_rows.hpp"
#include "hierarchy.hpp"
#include "states/state_shift.hpp"

namespace strata::detail {

/// Makes `child` a child of `parent`, as `relate` does. If `child` thereby enters or leaves a subtree that is in a
/// state, also updates the states of `child` and the entities below it: lists in `shift` the entities whose states
/// change, and moves their rows to the archetypes for their new states.
/// Returns: success; or the same refusal as `relate`.
Outcome Hierarchy::relate_shifted(Entity child, Entity parent, StateShift& shift) {
  if (store_.alive(child) && store_.alive(parent)) {
    const NewParent move{child, parent.index()};
    shift.plan({&move, 1});
  }
  if (shift.empty()) return relate(child, parent);
  const std::uint32_t node = child.index();
  const std::uint32_t above = parent.index();
  if (child == parent || links_.is_ancestor(node, above)) return refuse(child, parent);
  links_.reserve(std::max(node, above));
  Branch& target = rows().branch_for_child(above);
  prepare_shifted(node, target, rows().layout_below(above), shift);
  relink(node, above);
  rows().apply_move(node, target);
  shift.apply();
  return Outcome::done();
}

/// Prepares a move of the row of `node` to `target` (a set of tables), together with the rows of the entities below
/// `node`: does everything that can fail, so that FamilyRows::apply_move and StateShift::apply cannot fail afterwards.
/// Reserves the rows, also for the entities in `shift`, whose states change. Gives `node` the layout `inherited` of its
/// new parent (see FamilyRows::follow_layout).
/// Contract: StateShift::plan was called on `shift` for the entity `node`.
void Hierarchy::prepare_shifted(std::uint32_t node, Branch& target, Layout inherited, StateShift& shift) {
  FamilyRows& rows = this->rows();
  Rollback recall([&, before = rows.layout_above(node)] { rows.recall_layout(node, before); });
  Rollback release([&] { store_.release_reservations(); });
  rows.follow_layout(node, inherited);
  shift.reserve_own();
  rows.prepare_move(node, target);
  shift.reserve_moved(node, target, rows.branches());
  release.dismiss();
  recall.dismiss();
}

/// Makes `node` a root, as `unparent` does. Also updates the states, such as disabled, of `node` and the entities below
/// `node`: lists in `shift` the entities whose states change, and moves the rows of these entities.
void Hierarchy::unparent_shifted(std::uint32_t node, StateShift& shift) {
  const NewParent move{store_.slots().handle_of(node), Links::kNone};
  shift.plan({&move, 1});
  if (shift.empty()) return unparent(node);
  Branch& root = rows().branches().root();
  prepare_shifted(node, root, rows().layout_of_roots(), shift);
  detach(node);
  rows().apply_move(node, root);
  shift.apply();
}

/// Lists in `shift` the entities whose states change when the children of `node` become roots.
void Hierarchy::plan_orphans(std::uint32_t node, StateShift& shift) const {
  std::vector<NewParent> moves;
  for (std::uint32_t child = links_.first_child(node); child != Links::kNone; child = links_.next(child)) {
    moves.push_back({store_.slots().handle_of(child), Links::kNone});
  }
  shift.plan(moves);
}

}  // namespace strata::detail
