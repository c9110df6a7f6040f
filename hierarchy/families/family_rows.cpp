#include "family_rows.hpp"

#include <algorithm>
#include <compare>
#include <utility>

#include "../../core/reserve.hpp"
#include "../../core/rollback.hpp"
#include "../../core/try_allocating.hpp"

namespace strata::detail {
namespace {

/// The loop of `move_rows_below` prefetches the row of the entity that comes this many entities later.
constexpr std::size_t kBelowRowsAhead = 6;

Layout layout_of(const Links::Family& family) {
  return static_cast<Layout>(family.layout);
}

}  // namespace

Layout FamilyRows::layout_below(std::uint32_t node) const {
  if (!layouts_differ_) return policy_.layout;
  if (const Links::Family* family = links_.find_family(node); family != nullptr) return layout_of(*family);
  return layout_above(node);
}

void FamilyRows::set_layout(std::uint32_t node, Layout layout) {
  const Layout inherited = layout_below(node);
  store_.rows().changes().add_one();
  Links::Family& family = links_.get_family(node);
  family.layout = static_cast<std::uint32_t>(inherited) & 3u;
  family.chooses_layout = 1;
  layouts_differ_ = true;
  lay_out(node, layout);
  for (std::uint32_t child = links_.first_child(node); child != Links::kNone; child = links_.next(child)) {
    follow_layout(child, layout);
  }
}

/// Calls `visit(slot index)` for `node` and for the entities below `node`, but only for entities that have a record of
/// children (Links::Family). Leaves out each entity for which `set_layout` was called, together with all entities below
/// it. So the visited entities take over their layout (which tables hold the rows of their children) from the parent of
/// `node`. Visits nothing if all layouts are equal, because no entity was ever given a layout of its own.
template <class Visit>
void FamilyRows::for_each_follower(std::uint32_t node, Visit visit) {
  if (!layouts_differ_) return;
  for (std::uint32_t below = node; below != Links::kNone;) {
    const Links::Family* const family = links_.find_family(below);
    const bool chooses = family != nullptr && family->chooses_layout != 0;
    if (family != nullptr && !chooses) visit(below);
    below = chooses ? links_.next_after_subtree(below, node) : links_.next_depth_first(below, node);
  }
}

void FamilyRows::follow_layout(std::uint32_t node, Layout inherited) {
  for_each_follower(node, [&](std::uint32_t parent) {
    if (layout_of(*links_.find_family(parent)) != inherited) lay_out(parent, inherited);
  });
}

void FamilyRows::recall_layout(std::uint32_t node, Layout inherited) noexcept {
  for_each_follower(node, [&](std::uint32_t parent) {
    links_.find_family(parent)->layout = static_cast<std::uint32_t>(inherited) & 3u;
  });
}

void FamilyRows::lay_out(std::uint32_t parent, Layout layout) {
  Links::Family* family = links_.find_family(parent);
  if (const Branch* branch = branches_.find(family); branch != nullptr) {
    const bool own = layout == Layout::per_parent || (layout == Layout::adaptive && is_large(*family));
    if (own && Branches::is_level(*branch)) {
      move_to_own_branch(parent);
    } else if (!own && !Branches::is_level(*branch)) {
      mover_.move(parent, branches_.level(branch->rank));
    }
  }
  family->layout = static_cast<std::uint32_t>(layout) & 3u;
}

Branch& FamilyRows::open_branch(std::uint32_t parent, std::size_t children) {
  const bool is_new = links_.find_family(parent) == nullptr;
  const Layout layout = layout_below(parent);
  Links::Family& family = links_.get_family(parent);
  Rollback drop([&] {
    if (is_new) links_.drop_family(parent);
  });
  family.layout = static_cast<std::uint32_t>(layout) & 3u;
  Branch& branch = open_branch(parent, depth_of(parent), layout, children);
  family.branch = branch.number;
  drop.dismiss();
  return branch;
}

/// Chooses tables for `children` more children of a parent. Called when present and new children together are too many
/// for the tables that they share with children of other parents. If at least half of them are new, moves the present
/// children to tables of their own now. Otherwise puts the parent into the queue of `move_resized_families`, and the
/// new children go to the shared tables, too.
/// Returns: the branch (set of tables) for the new children.
Branch& FamilyRows::branch_of_grown(std::uint32_t parent, std::size_t children) {
  Links::Family& family = *links_.find_family(parent);
  if (family.count <= children) {
    // There are at least as many new children as present ones, so moving the present ones costs no more than creating
    // the new ones.
    move_to_own_branch(parent);
  } else if (family.resized == 0) {
    reserve_one(resized_);
    resized_.push_back(parent);
    family.resized = 1;
  }
  return *branches_.find(&family);
}

void FamilyRows::move_to_own_branch(std::uint32_t parent) {
  Branch& own = branches_.open(parent, depth_of(parent));
  Rollback close([&] { branches_.close(own); });
  mover_.move(parent, own);
  close.dismiss();
}

/// Puts a parent into the queue of `move_resized_families`, which moves its children back to shared tables. Called when
/// the parent has so few children left that shared tables suit them again. Does nothing if the parent is in the queue
/// already, if it has another layout than Layout::adaptive, or if its children are in shared tables anyway.
void FamilyRows::mark_small(std::uint32_t parent) noexcept {
  Links::Family& family = *links_.find_family(parent);
  if (layout_of(family) != Layout::adaptive || family.resized != 0 ||
      Branches::is_level(*branches_.find(&family)))
    return;
  // Without memory for the queue, the children keep tables of their own until `child_left` calls this function again:
  // when the parent has got more children and lost them again. That is slower, but correct.
  if (try_allocating([&] { resized_.push_back(parent); })) family.resized = 1;
}

bool FamilyRows::has_resized_families() noexcept {
  while (!resized_.empty() && !is_resized(resized_.back())) resized_.pop_back();
  return !resized_.empty();
}

/// Returns: whether the children of the entity with slot index `parent`, which is in the queue of
/// `move_resized_families`, may still have to move. False if they have moved already. If the entity was destroyed, and
/// a new entity has its slot, the answer is about the children of the new entity.
bool FamilyRows::is_resized(std::uint32_t parent) const {
  const Links::Family* const family = links_.find_family(parent);
  return family != nullptr && family->resized != 0;
}

/// Removes from the queue the parents whose children need not move any more. Sorts the remaining parents by the
/// positions of their children's rows. The queue is emptied from its end, so the last rows of a table leave it first.
/// The reason: when rows leave the middle of a table, its last rows move into the gap. If those last rows also have to
/// leave the table, they move twice.
void FamilyRows::sort_resized_families() {
  struct Position {
    std::uint32_t rank, archetype, block, row, parent;
    auto operator<=>(const Position&) const =
        default;  // NOLINT(modernize-use-nullptr): no pointer is compared.
  };
  std::pmr::vector<Position> positions(resized_.get_allocator());
  std::erase_if(resized_, [this](std::uint32_t parent) { return !is_resized(parent); });
  positions.reserve(resized_.size());
  for (const std::uint32_t parent : resized_) {
    positions.push_back({0, 0, 0, 0, parent});
    const std::uint32_t first = links_.first_child(parent);
    if (first == Links::kNone) continue;
    const Place place = store_.slots().place_of(first);
    const Table& table = table_of(*place.block);
    std::uint32_t blocks = 0;
    for (const Block* block = table.first_block(); block != place.block; block = block->next) ++blocks;
    positions.back() = {table.rank(), table.archetype().id(), blocks, place.row, parent};
  }
  std::sort(positions.begin(), positions.end());
  for (std::size_t i = 0; i < positions.size(); ++i) resized_[i] = positions[i].parent;
}

std::size_t FamilyRows::move_resized_families(std::size_t budget) {
  // If the sum overflows, use `budget` alone.
  const std::size_t allowed = std::max(saved_ + budget, budget);
  std::size_t moved = 0;
  for (; has_resized_families(); resized_.pop_back()) {
    const std::uint32_t parent = resized_.back();
    Links::Family* const family = links_.find_family(parent);
    if (const Branch* const branch = branches_.find(family);
        branch != nullptr && layout_of(*family) == Layout::adaptive) {
      const bool grown = is_large(*family) && Branches::is_level(*branch);
      const bool shrunk = is_small(*family) && !Branches::is_level(*branch);
      if ((grown || shrunk) && family->count > allowed - moved) {
        saved_ = allowed - moved;
        return budget;
      }
      if (grown || shrunk) moved += family->count;
      if (shrunk) mover_.move(parent, branches_.level(branch->rank));
      if (grown) move_to_own_branch(parent);
    }
    family->resized = 0;
  }
  return moved - std::min(moved, std::exchange(saved_, 0));
}

void FamilyRows::prepare_move(std::uint32_t node, Branch& target) {
  listed_ = Links::kNone;
  Rollback forget([&] { store_.release_reservations(); });
  mover_.reserve_row(node, target);
  if (depth_of(node) != target.rank && links_.find_family(node) != nullptr) {
    list_below(node);
    reserve_below(target.rank - depth_of(node));
  }
  forget.dismiss();
}

/// Fills `below_` with the slot indices of all entities below `node`, in breadth-first order. Sets `listed_` to `node`.
/// While the rows of a depth are sorted (see FamilyOrder), this is also the order of their rows; so `move_rows_below`
/// finds adjacent rows one after the other, and moves them together.
void FamilyRows::list_below(std::uint32_t node) {
  below_.clear();
  const auto append_children = [&](std::uint32_t parent) {
    for (std::uint32_t child = links_.first_child(parent); child != Links::kNone;
         child = links_.next(child)) {
      reserve_one(below_);
      below_.push_back(child);
    }
  };
  append_children(node);
  for (std::size_t i = 0; i < below_.size(); ++i) {
    if (i + kNodesAhead < below_.size()) links_.prefetch(below_[i + kNodesAhead]);
    append_children(below_[i]);
  }
  listed_ = node;
}

/// Prepares a move of the rows of the entities in `below_` (all entities below `listed_`) to depths that are greater by
/// `change`: does everything that can fail, so that the move itself cannot fail:
/// - for rows in shared tables, reserves rows in the shared tables of the new depths, and creates these tables if they
///   do not exist
/// - for children with tables of their own, reserves memory for changing the depth of these tables
/// `change` is the new depth minus the old one, modulo 2^32 because it may be negative.
void FamilyRows::reserve_below(std::uint32_t change) {
  reserve_family(listed_, change);
  for (std::size_t i = 0; i < below_.size(); ++i) {
    if (i + kNodesAhead < below_.size()) store_.slots().prefetch(below_[i + kNodesAhead]);
    reserve_family(below_[i], change);
    Table& source = table_of(*store_.slots().place_of(below_[i]).block);
    if (!Branches::is_level(source.branch())) continue;
    Table& to = store_.tables().get(source.archetype(), branches_.level(source.rank() + change));
    store_.rows().reserve(to);
  }
}

void FamilyRows::reserve_family(std::uint32_t parent, std::uint32_t change) {
  const Branch* const branch = branches_.find(links_.find_family(parent));
  if (branch == nullptr) return;
  if (Branches::is_level(*branch)) {
    branches_.level(branch->rank + change);
  } else {
    store_.tables().reserve_rank(*branch, branch->rank + change);
  }
}

void FamilyRows::apply_move(std::uint32_t node, Branch& target) noexcept {
  const std::uint32_t change = target.rank - depth_of(node);
  // If the row stays because the new parent is as deep as the old one, record that the parent has changed.
  if (!mover_.move_row(node, target)) store_.rows().changes().mark_related(store_.slots().place_of(node));
  if (change == 0 || links_.find_family(node) == nullptr) return;
  // `below_` has the entities below `listed_`, the node whose move was prepared last. If several moves were prepared,
  // that may be another node than `node`; then list the entities below `node`. This cannot fail, because `below_` has
  // room for the entities below any of the prepared nodes.
  if (listed_ != node) list_below(node);
  move_family_branch(node, change);
  for (std::size_t i = 0; i < below_.size(); ++i) {
    if (i + kNodesAhead < below_.size()) links_.prefetch(below_[i + kNodesAhead]);
    move_family_branch(below_[i], change);
  }
  move_rows_below(change);
}

/// Adapts the tables of the children of `parent` to a depth that is greater by `change` (modulo 2^32, so the new depth
/// may also be less). If the children are in the shared tables of their depth, records that they are now in the shared
/// tables of the new depth. If the children have tables of their own, gives these tables the new depth as their rank.
/// Contract: `reserve_family` was called with the same arguments.
void FamilyRows::move_family_branch(std::uint32_t parent, std::uint32_t change) noexcept {
  Links::Family* const family = links_.find_family(parent);
  Branch* const branch = branches_.find(family);
  if (branch == nullptr) return;
  if (Branches::is_level(*branch)) {
    family->branch = branches_.level(branch->rank + change).number;
  } else {
    store_.rows().changes().ranks().note(branch->rank);
    store_.tables().set_rank(*branch, branch->rank + change);
    store_.rows().changes().ranks().note(branch->rank);
  }
}

/// Moves the rows of the entities in `below_` from the shared tables of their depths to the shared tables of the depths
/// that are greater by `change` (modulo 2^32, so the new depths may also be less). Adjacent rows move together. Rows in
/// tables of one parent's children stay there.
/// Contract: `reserve_below` has reserved the rows.
void FamilyRows::move_rows_below(std::uint32_t change) noexcept {
  for (std::size_t i = 0; i < below_.size();) {
    if (i + kNodesAhead < below_.size()) store_.slots().prefetch(below_[i + kNodesAhead]);
    if (i + kBelowRowsAhead < below_.size())
      Rows::prefetch(store_.slots().place_of(below_[i + kBelowRowsAhead]));
    const Place from = store_.slots().place_of(below_[i]);
    const Table& source = table_of(*from.block);
    if (!Branches::is_level(source.branch())) {
      ++i;
      continue;
    }
    std::uint32_t run = 1;
    for (; i + run < below_.size(); ++run) {
      if (i + run + kNodesAhead < below_.size()) store_.slots().prefetch(below_[i + run + kNodesAhead]);
      const Place next = store_.slots().place_of(below_[i + run]);
      if (next.block != from.block || next.row != from.row + run) break;
    }
    Branch& target = branches_.level(source.rank() + change);
    i += store_.rows().move_run(from, run, store_.tables().get(source.archetype(), target)).count;
  }
}

}  // namespace strata::detail
