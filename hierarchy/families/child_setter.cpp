#include "child_setter.hpp"

#include <algorithm>
#include <functional>
#include <limits>

#include "../../core/rollback.hpp"
#include "../links/refusals.hpp"

namespace strata::detail {

Outcome ChildSetter::set(Entity parent, std::span<const Entity> children) {
  if (Outcome checked = check(parent, children); !checked) return checked;
  const std::uint32_t above = parent.index();
  list_moves(above);
  if (!moves_.empty()) {
    const bool nest = moves_nest();
    if (shift_ != nullptr) plan_states(above);
    apply(above, prepare(above));
    if (shift_ != nullptr) shift_->apply();
    // If one moved entity is below another, some rows were reserved twice, so some reservations are left over.
    if (nest) store_.release_reservations();
  }
  if (order_.empty()) return Outcome::done();
  links_.reorder(above, order_);
  for (const std::uint32_t node : order_) {
    store_.rows().changes().touch(*store_.slots().place_of(node).block);
  }
  return Outcome::done();
}

/// Checks whether `children` can become the children of `parent`. If they can, writes their slot indices to `order_`
/// (in the given order) and to `sorted_` (in ascending order).
/// Returns: success; or a refusal that says why they cannot. Both lists may be incomplete then.
Outcome ChildSetter::check(Entity parent, std::span<const Entity> children) {
  if (!store_.alive(parent)) {
    return Outcome::refused("the children of entity " + to_string(parent) +
                            " cannot be set: " + stale_sentence(parent));
  }
  order_.reserve(children.size());
  for (const Entity child : children) {
    if (!store_.alive(child)) return refuse_child(child, parent, stale_sentence(child));
    order_.push_back(child.index());
  }
  sorted_ = order_;
  std::sort(sorted_.begin(), sorted_.end());
  if (const auto twice = std::adjacent_find(sorted_.begin(), sorted_.end()); twice != sorted_.end()) {
    return refuse_child(store_.slots().handle_of(*twice), parent, "it is given twice");
  }
  for (std::uint32_t at = parent.index(); at != Links::kNone; at = links_.parent(at)) {
    if (!std::binary_search(sorted_.begin(), sorted_.end(), at)) continue;
    const Entity child = store_.slots().handle_of(at);
    return refuse_child(child, parent,
                        child == parent ? own_parent_sentence() : cycle_sentence(child, parent));
  }
  return Outcome::done();
}

void ChildSetter::list_moves(std::uint32_t parent) {
  const auto add = [&](std::uint32_t node) {
    moves_.push_back({node, rows_.depth_of(node), rows_.layout_above(node)});
  };
  for (const std::uint32_t node : order_) {
    if (links_.parent(node) != parent) add(node);
  }
  newcomers_ = moves_.size();
  std::ranges::stable_sort(newcomers(), std::greater(), &Move::depth);
  for (std::uint32_t child = links_.first_child(parent); child != Links::kNone; child = links_.next(child)) {
    if (!std::binary_search(sorted_.begin(), sorted_.end(), child)) add(child);
  }
}

void ChildSetter::plan_states(std::uint32_t parent) {
  std::vector<NewParent> moves;
  moves.reserve(moves_.size());
  const auto add = [&](std::span<const Move> list, std::uint32_t above) {
    for (const Move& move : list) moves.push_back({store_.slots().handle_of(move.node), above});
  };
  add(newcomers(), parent);
  add(leavers(), Links::kNone);
  shift_->plan(moves);
}

/// Does everything that can fail, such as reserving memory for the rows to move, so that `apply` cannot fail.
/// Returns: the branch (set of tables) for the rows of the new children; the root branch if there are no new children.
Branch& ChildSetter::prepare(std::uint32_t parent) {
  Branch& root = rows_.branches().root();
  Branch* target = &root;
  if (newcomers_ != 0) {
    std::uint32_t highest = parent;
    for (const Move& move : newcomers()) highest = std::max(highest, move.node);
    links_.reserve(highest);
    const std::size_t leaving = moves_.size() - newcomers_;
    target = &rows_.branch_for_children(parent, newcomers_ > leaving ? newcomers_ - leaving : 1);
  }
  Rollback recall([&] {
    store_.release_reservations();
    for (const Move& move : moves_) rows_.recall_layout(move.node, move.layout);
  });
  // A layout says which tables hold the rows of an entity's children. Setting it for an entity also sets it for the
  // descendants. A new child may be a descendant of a child that becomes a root, so the layout of the new child is set
  // last. The opposite, a new child above a child that becomes a root, would be a cycle.
  for (const Move& move : leavers()) rows_.follow_layout(move.node, rows_.layout_of_roots());
  for (const Move& move : newcomers()) rows_.follow_layout(move.node, rows_.layout_below(parent));
  if (shift_ != nullptr) shift_->reserve_own();
  // `prepare_move` lists the descendants of the entity to move. FamilyRows keeps only the last such list, and
  // `apply_move` has to make any other list again. `apply` begins with the move at index 0, so this loop prepares that
  // move last.
  for (std::size_t i = moves_.size(); i-- > 0;) {
    Branch& to = i < newcomers_ ? *target : root;
    rows_.prepare_move(moves_[i].node, to);
    if (shift_ != nullptr) shift_->reserve_moved(moves_[i].node, to, rows_.branches());
  }
  recall.dismiss();
  return *target;
}

void ChildSetter::apply(std::uint32_t parent, Branch& target) noexcept {
  for (const auto& [node, depth, layout] : newcomers()) {
    const std::uint32_t before = links_.parent(node);
    links_.detach(node);
    links_.attach(node, parent);
    if (before != Links::kNone) rows_.child_left(before);
    rows_.apply_move(node, target);
  }
  for (const auto& [node, depth, layout] : leavers()) {
    links_.detach(node);
    rows_.child_left(parent);
    rows_.apply_move(node, rows_.branches().root());
  }
}

/// Returns: whether an entity that moves is a descendant of another entity that moves.
bool ChildSetter::moves_nest() const {
  std::pmr::vector<std::uint32_t> moved(store_.memory());
  std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
  for (const auto& [node, depth, layout] : moves_) {
    if (links_.first_child(node) == Links::kNone) continue;
    moved.push_back(node);
    least = std::min(least, depth);
  }
  std::sort(moved.begin(), moved.end());
  for (auto [node, depth, layout] : moves_) {
    for (std::uint32_t at = links_.parent(node); depth > least; --depth, at = links_.parent(at)) {
      if (std::binary_search(moved.begin(), moved.end(), at)) return true;
    }
  }
  return false;
}

}  // namespace strata::detail
