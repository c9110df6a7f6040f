#include "family_rows.hpp"

#include "../core/reserve.hpp"
#include "../core/rollback.hpp"

namespace strata {
namespace {

Layout layout_of(const Links::Family& family) {
  return static_cast<Layout>(family.layout);
}

}  // namespace

Layout FamilyRows::layout_below(std::uint32_t node) const {
  if (!layouts_differ_) return policy_.layout;
  if (const Links::Family* family = links_.find_family(node); family != nullptr) return layout_of(*family);
  const std::uint32_t parent = links_.parent(node);
  return parent != Links::kNone ? layout_of(*links_.find_family(parent)) : policy_.layout;
}

void FamilyRows::set_layout(std::uint32_t node, Layout layout) {
  const Layout inherited = layout_below(node);
  Links::Family& family = links_.get_family(node);
  family.layout = static_cast<std::uint32_t>(inherited) & 3u;
  family.chooses_layout = 1;
  layouts_differ_ = true;
  lay_out(node, layout);
  for (std::uint32_t child = links_.first_child(node); child != Links::kNone; child = links_.next(child)) {
    follow_layout(child, layout);
  }
}

void FamilyRows::follow_layout(std::uint32_t node, Layout inherited) {
  if (!layouts_differ_) return;
  for (std::uint32_t below = node; below != Links::kNone;) {
    const Links::Family* family = links_.find_family(below);
    if (family != nullptr && family->chooses_layout == 0 && layout_of(*family) != inherited)
      lay_out(below, inherited);
    // What has its own layout keeps it, and so does all below it.
    below = family != nullptr && family->chooses_layout != 0 ? links_.next_after_subtree(below, node)
                                                             : links_.next_depth_first(below, node);
  }
}

void FamilyRows::lay_out(std::uint32_t parent, Layout layout) {
  Links::Family* family = links_.find_family(parent);
  if (const Branch* branch = branches_.find(family); branch != nullptr) {
    const bool own = layout == Layout::per_parent || (layout == Layout::adaptive && is_large(*family));
    if (own && Branches::is_level(*branch)) {
      move_to_own_branch(parent);
    } else if (!own && !Branches::is_level(*branch)) {
      move_family(parent, branches_.level(branch->rank));
    }
  }
  family->layout = static_cast<std::uint32_t>(layout) & 3u;
}

Branch& FamilyRows::open_branch(std::uint32_t parent, std::size_t children) {
  const bool is_new = links_.find_family(parent) == nullptr;
  const Layout layout = layout_below(parent);
  Links::Family& family = links_.get_family(parent);
  detail::Rollback drop([&] {
    if (is_new) links_.drop_family(parent);
  });
  family.layout = static_cast<std::uint32_t>(layout) & 3u;
  Branch& branch = open_branch(parent, depth_of(parent), layout, children);
  family.branch = branch.number;
  drop.dismiss();
  return branch;
}

void FamilyRows::move_to_own_branch(std::uint32_t parent) {
  detail::reserve_one(shrunken_);
  Branch& own = branches_.open(parent, depth_of(parent));
  detail::Rollback close([&] { branches_.close(own); });
  move_family(parent, own);
  close.dismiss();
}

void FamilyRows::child_left(std::uint32_t parent) noexcept {
  const Links::Family& family = *links_.find_family(parent);
  if (layout_of(family) != Layout::adaptive || family.count != small_below() - 1 ||
      Branches::is_level(*branches_.find(&family)))
    return;
  // Without room to note it, the family keeps its own table until it shrinks past the threshold again.
  if (shrunken_.size() < shrunken_.capacity()) shrunken_.push_back(parent);
}

std::size_t FamilyRows::share_small_families(std::size_t budget) {
  std::size_t moved = 0;
  while (!shrunken_.empty()) {
    const std::uint32_t parent = shrunken_.back();
    const Links::Family* family = links_.find_family(parent);
    const Branch* const branch = branches_.find(family);
    const bool small = branch != nullptr && layout_of(*family) == Layout::adaptive && is_small(*family) &&
                       !Branches::is_level(*branch);
    if (small) {
      if (moved + family->count > budget) break;
      moved += family->count;
      move_family(parent, branches_.level(branch->rank));
    }
    shrunken_.pop_back();
  }
  return moved;
}

void FamilyRows::expect_row(std::uint32_t node, Branch& target) {
  const Table& source = table_of(*store_.slots().place_of(node).block);
  if (&source.branch() != &target) store_.rows().expect(store_.tables().get(source.archetype(), target));
}

void FamilyRows::move_row(std::uint32_t node, Branch& target) noexcept {
  const Place place = store_.slots().place_of(node);
  const Table& source = table_of(*place.block);
  if (&source.branch() == &target) return;
  store_.rows().move(place, store_.tables().get(source.archetype(), target));
}

void FamilyRows::move_family(std::uint32_t parent, Branch& target) {
  Links::Family& family = *links_.find_family(parent);
  detail::Rollback forget([&] { store_.forget_expected(); });
  for (std::uint32_t child = family.first; child != Links::kNone; child = links_.next(child)) {
    expect_row(child, target);
  }
  forget.dismiss();
  for (std::uint32_t child = family.first; child != Links::kNone; child = links_.next(child)) {
    move_row(child, target);
  }
  branches_.close(*branches_.find(&family));
  family.branch = target.number;
}

void FamilyRows::prepare_move(std::uint32_t node, Branch& target) {
  detail::Rollback forget([&] { store_.forget_expected(); });
  const std::uint32_t from = depth_of(node);
  const std::uint32_t to = target.rank;
  expect_row(node, target);
  for (std::uint32_t below = node; from != to && below != Links::kNone;
       below = links_.next_depth_first(below, node)) {
    const Links::Family* family = links_.find_family(below);
    const Branch* const branch = branches_.find(family);
    if (branch == nullptr) continue;
    const std::uint32_t rank = branch->rank - from + to;
    if (!Branches::is_level(*branch)) {
      store_.tables().expect_rank(*branch, rank);
      continue;
    }
    Branch& level = branches_.level(rank);
    for (std::uint32_t child = family->first; child != Links::kNone; child = links_.next(child)) {
      expect_row(child, level);
    }
  }
  forget.dismiss();
}

void FamilyRows::apply_move(std::uint32_t node, Branch& target) noexcept {
  const std::uint32_t from = depth_of(node);
  const std::uint32_t to = target.rank;
  move_row(node, target);
  // Siblings at the same depth change parents without a move: what was derived from their rows is void.
  store_.rows().touch(*store_.slots().place_of(node).block);
  if (from == to) return;
  for (std::uint32_t below = node; below != Links::kNone; below = links_.next_depth_first(below, node)) {
    Links::Family* family = links_.find_family(below);
    Branch* const branch = branches_.find(family);
    if (branch == nullptr) continue;
    const std::uint32_t rank = branch->rank - from + to;
    if (!Branches::is_level(*branch)) {
      store_.tables().set_rank(*branch, rank);
      continue;
    }
    Branch& level = branches_.level(rank);
    for (std::uint32_t child = family->first; child != Links::kNone; child = links_.next(child)) {
      move_row(child, level);
    }
    family->branch = level.number;
  }
}

}  // namespace strata
