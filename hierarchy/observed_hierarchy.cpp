// The functions of Hierarchy whose names end in `_observed`. Besides the change that the function without `_observed`
// makes, they update names, pairs (links between two entities, beside the parent) and states (such as disabled), and
// notify observers and hooks.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "creation/forest.hpp"
#include "events/change_notifier.hpp"
#include "hierarchy.hpp"
#include "names/entity_names.hpp"
#include "relations/pair_report.hpp"
#include "relations/relation_set.hpp"
#include "states/state_shift.hpp"

namespace strata::detail {

ChangeNotifier& Hierarchy::notifier() {
  return *notifier_;
}

NewRow Hierarchy::create_below_observed(Entity parent, Archetype& archetype, CallSite at) {
  store_.require_alive("create below", parent, at);
  return append_below(parent.index(), archetype_below(store_, archetype, parent.index()));
}

/// Reports that entities have got other parents: first to the index of names by parent, then to the ChangeNotifier. The
/// ChangeNotifier calls user code, and the index must be up to date before that. Finally, reports the entities that
/// have entered or left states, such as disabled, by the same change.
void Hierarchy::notify_moved(std::span<const Moved> moves, const StateShift& shift) {
  for (const Moved& move : moves) names().moved(move.child);
  notifier_->moved(moves, shift.changed());
  for (const ChangedStates& change : shift.changed()) notifier_->states_changed(change);
}

bool Hierarchy::destroy_observed(Entity entity, ChildPolicy children) {
  const Place place = store_.slots().find(entity);
  if (place.block == nullptr) return false;
  const std::uint32_t node = entity.index();
  const bool related = relations().any();
  if (related && relations().needs_dependents()) {
    destroy_related(entity, children);
  } else if (!links_.is_linked(node)) {
    if (store_.listened()) related ? notify_leaving({&entity, 1}) : notifier_->destroying_one(entity);
    if (related) relations().remove_pairs_of(entity);
    store_.destroy(entity, place);
  } else {
    // First list the entities that will be destroyed, and only then make the children roots: listing allocates memory,
    // so it may fail, and nothing must have changed in that case.
    std::vector<Entity> leaving;
    PairReport pairs(store_, PairHappening::remove);
    if (store_.listened()) {
      leaving = children == ChildPolicy::orphan ? std::vector{entity} : breadth_first(entity);
      std::reverse(leaving.begin(), leaving.end());
      if (related) pairs.list(relations(), leaving);
    }
    if (children == ChildPolicy::orphan) orphan_children_observed(node);
    pairs.notify();
    if (!leaving.empty()) notifier_->destroying(leaving);
    relations().remove_pairs_below(node);
    destroy_linked(node, ChildPolicy::destroy);
  }
  relations().destroy_dead();
  store_.change_ended();
  notifier_->finish();
  return true;
}

/// Makes the children of `node` roots. Does nothing if `node` has no children. `listed`, if given, lists the entities
/// that are destroyed next. A relation may store the rows of all entities that have a pair with one target (the other
/// entity of the pair) in tables for that target. If a listed entity is such a target, this function moves the rows out
/// of its tables in the same step; see RelationSet::leave_tables.
/// Errors: std::bad_alloc; the hierarchy and the values are unchanged then, but some rows may have moved.
void Hierarchy::orphan_children_observed(std::uint32_t node, const Dependents* listed) {
  const Entity parent = store_.slots().handle_of(node);
  const std::vector<Entity> orphans = list_children(parent);
  if (orphans.empty()) return;
  const std::uint32_t depth_before = depth(parent) + 1;
  std::vector<Moved> moves;
  moves.reserve(orphans.size());
  for (const Entity orphan : orphans) moves.push_back({orphan, parent, depth_before});
  StateShift shift(store_, links_);
  plan_orphans(node, shift);
  if (listed != nullptr) plan_leaving(node, *listed, shift);
  orphan_children(node, &shift);
  notify_moved(moves, shift);
}

std::size_t Hierarchy::destroy_children_observed(Entity parent) {
  std::size_t destroyed = 0;
  {
    const Store::Change change(store_, "destroy_children", parent);
    if (relations().needs_dependents()) {
      destroyed = destroy_children_related(parent);
    } else {
      std::vector<Entity> leaving = breadth_first(parent);
      if (leaving.empty()) return 0;
      leaving.erase(leaving.begin());
      std::reverse(leaving.begin(), leaving.end());
      if (store_.listened()) notify_leaving(leaving);
      for (const Entity entity : leaving) relations().remove_pairs_of(entity);
      destroyed = destroy_below(parent);
    }
    relations().destroy_dead();
  }
  notifier_->finish();
  return destroyed;
}

Outcome Hierarchy::set_parent_observed(Entity child, Entity parent) {
  Outcome outcome = Outcome::done();
  {
    const Store::Change change(store_, "set_parent", child);
    const Entity before = this->parent(child);
    const std::uint32_t depth_before = store_.alive(child) ? depth(child) : 0;
    StateShift shift(store_, links_);
    outcome = names().check_move(child, parent);
    if (outcome) outcome = relate_shifted(child, parent, shift);
    const Moved move{child, before, depth_before};
    if (outcome && before != parent) notify_moved({&move, 1}, shift);
  }
  notifier_->finish();
  return outcome;
}

Outcome Hierarchy::move_child_before_observed(Entity child, Entity sibling) {
  Outcome outcome = Outcome::done();
  {
    const Store::Change change(store_, "move_child_before", child);
    const bool alive = store_.alive(child);
    const Entity before = parent(child);
    const std::uint32_t depth_before = alive ? depth(child) : 0;
    const std::uint32_t next_before = alive ? links_.next(child.index()) : Links::kNone;
    StateShift shift(store_, links_);
    if (const Entity above = parent(sibling)) outcome = names().check_move(child, above);
    if (outcome) outcome = put_before(child, sibling, &shift);
    const Moved move{child, before, depth_before};
    if (outcome && parent(child) != before) {
      notify_moved({&move, 1}, shift);
    } else if (outcome && next_before != sibling.index()) {
      notifier_->reordered(before);
    }
  }
  notifier_->finish();
  return outcome;
}

bool Hierarchy::clear_parent_observed(Entity child) {
  {
    const Store::Change change(store_, "clear_parent", child);
    const Entity before = parent(child);
    if (!before) return false;
    const std::uint32_t depth_before = depth(child);
    const Moved move{child, before, depth_before};
    StateShift shift(store_, links_);
    unparent_shifted(child.index(), shift);
    notify_moved({&move, 1}, shift);
  }
  notifier_->finish();
  return true;
}

Outcome Hierarchy::set_children_observed(Entity parent, std::span<const Entity> children) {
  Outcome outcome = Outcome::done();
  {
    const Store::Change change(store_, "set_children", parent);
    std::vector<Moved> before;
    const auto remember = [&](Entity child) {
      if (store_.alive(child)) before.push_back({child, this->parent(child), depth(child)});
    };
    const std::vector<Entity> left = list_children(parent);
    std::for_each(left.begin(), left.end(), remember);
    for (const Entity child : children) {
      if (this->parent(child) != parent) remember(child);
    }
    std::vector<Entity> appended;  // The order if children were only removed and appended.
    appended.reserve(before.size());
    StateShift shift(store_, links_);
    outcome = names().check_children(parent, children);
    if (outcome) outcome = replace_children(parent, children, &shift);
    if (outcome) {
      for (const Moved& entry : before) {
        if (this->parent(entry.child) == parent) appended.push_back(entry.child);
      }
      std::erase_if(before,
                    [&](const Moved& entry) { return this->parent(entry.child) == entry.parent_before; });
      // The span `children` may be in a row that has moved, so it is not read again. Instead, `appended` is compared
      // with the present children of the parent.
      const bool reordered = !std::ranges::equal(appended, this->children(parent));
      notify_moved(before, shift);
      if (reordered) notifier_->reordered(parent);
    }
  }
  notifier_->finish();
  return outcome;
}

std::size_t Hierarchy::clear_observed() {
  std::size_t destroyed = 0;
  {
    const Store::Change change(store_, "clear", Entity());
    if (store_.listened()) relations().notify_all_removed();
    notifier_->destroying_all();
    relations().remove_all_pairs();
    destroyed = destroy_all();
    relations().destroy_dead();
  }
  notifier_->finish();
  return destroyed;
}

Outcome Hierarchy::build_observed(const Forest& forest, Entity above, std::span<Entity> entities) {
  Outcome built = Outcome::done();
  {
    const Store::Change change(store_, "build_hierarchy", above);
    std::vector<Entity> order;
    order.reserve(entities.size());
    built = build_forest(forest, above, entities);
    if (built) {
      order.assign(entities.begin(), entities.end());
      std::sort(order.begin(), order.end(),
                [&](Entity a, Entity b) { return std::pair(depth(a), a) < std::pair(depth(b), b); });
      notifier_->created(order);
    }
  }
  notifier_->finish();
  return built;
}

void Hierarchy::instantiate_observed(Entity root, Entity above, std::span<Entity> roots,
                                     std::span<const Override> overrides) {
  {
    const Store::Change change(store_, "instantiate", root);
    std::vector<Entity> originals;
    originals.reserve(16);  // Most subtrees are small.
    for (const Entity entity : depth_first(root)) originals.push_back(entity);
    relations().require_copyable(originals);
    std::vector<Entity> order;
    const std::size_t nodes = std::max<std::size_t>(originals.size(), 1);
    constexpr auto kTooMany = std::numeric_limits<std::size_t>::max();
    store_.slots().require_room(roots.size() <= kTooMany / nodes ? roots.size() * nodes : kTooMany);
    order.reserve(roots.size() * nodes);
    names().reserve_copies(root, roots.size());
    copy_subtree(root, above, roots, overrides);
    for (const Entity copy : roots) {
      for (const Entity entity : depth_first(copy)) order.push_back(entity);
    }
    names().place_copies(order, above);
    PairReport added(store_, PairHappening::add);
    copy_pairs(originals, order, roots, added);
    notifier_->created(order);
    added.notify();
  }
  notifier_->finish();
}

}  // namespace strata::detail
