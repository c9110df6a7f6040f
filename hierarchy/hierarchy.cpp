#include "hierarchy.hpp"

#include <algorithm>

#include "../core/rollback.hpp"

namespace strata {

Hierarchy::Hierarchy(Store& store, Layout layout)
    : store_(store),
      branches_(store.tables(), layout, store.memory()),
      links_(store.memory()),
      parents_(store, links_) {}

Branch& Hierarchy::branch_below(std::uint32_t parent) {
  Links::Family& family = links_.get_family(parent);
  if (family.branch == nullptr) {
    detail::Rollback drop([&] { links_.drop_family(parent); });
    family.branch = &branches_.open(parent, depth_at(parent));
    drop.dismiss();
  }
  return *family.branch;
}

Place Hierarchy::create_below(Entity parent, Archetype& archetype) {
  const Entity entity = store_.slots().reserve();
  detail::Rollback cancel([&] { store_.slots().cancel(entity.index()); });
  const Place place = create_reserved_below(parent, entity, archetype);
  cancel.dismiss();
  return place;
}

Place Hierarchy::create_reserved_below(Entity parent, Entity reserved, Archetype& archetype) {
  store_.expect_alive("create below", parent);
  links_.reserve(std::max(parent.index(), reserved.index()));
  const Place place = store_.create_reserved(reserved, archetype, branch_below(parent.index()));
  links_.attach(reserved.index(), parent.index());
  return place;
}

std::string Hierarchy::refusal(Entity child, Entity parent) const {
  const auto refuse = [&](const std::string& why) {
    return "entity " + to_string(child) + " cannot become a child of entity " + to_string(parent) + ": " +
           why;
  };
  for (const Entity entity : {child, parent}) {
    if (!store_.alive(entity)) return refuse(to_string(entity) + " is stale or was never issued");
  }
  if (child == parent) return refuse("it would be its own parent");
  if (links_.is_ancestor(child.index(), parent.index())) {
    return refuse(to_string(child) + " is an ancestor of " + to_string(parent) +
                  ", so that would be a cycle");
  }
  return "";
}

Outcome Hierarchy::set_parent(Entity child, Entity parent) {
  store_.expect_unlocked("set_parent", child);
  if (std::string why = refusal(child, parent); !why.empty()) return Outcome::refused(std::move(why));
  if (links_.parent(child.index()) == parent.index()) return Outcome::done();

  links_.reserve(std::max(child.index(), parent.index()));
  Branch& target = branch_below(parent.index());
  prepare_move(child.index(), target);
  links_.detach(child.index());
  links_.attach(child.index(), parent.index());
  apply_move(child.index(), target);
  return Outcome::done();
}

bool Hierarchy::clear_parent(Entity child) {
  store_.expect_unlocked("clear_parent", child);
  const std::uint32_t node = index_of(child);
  if (links_.parent(node) == Links::kNone) return false;
  prepare_move(node, branches_.root());
  links_.detach(node);
  apply_move(node, branches_.root());
  return true;
}

/// Does everything that can fail of moving a node's row to `target`, and its subtree along with it.
void Hierarchy::prepare_move(std::uint32_t node, Branch& target) {
  detail::Rollback forget([&] { forget_move(node, target); });
  const std::uint32_t from = depth_at(node);
  const std::uint32_t to = target.rank;
  const auto expect = [&](std::uint32_t moving, Branch& branch) {
    const Table& source = table_of(*store_.slots().place_of(moving).block);
    if (&source.branch() == &branch) return;
    store_.rows().expect(store_.tables().get(source.archetype(), branch));
  };
  expect(node, target);
  for (std::uint32_t below = node; from != to && below != Links::kNone;
       below = links_.next_depth_first(below, node)) {
    // Families are visited with their parent, so a row below asks the branch that its family will have.
    if (below != node) {
      const Branch& branch = *links_.find_family(links_.parent(below))->branch;
      if (Branches::is_level(branch)) expect(below, branches_.level(depth_at(below) - from + to));
    }
    const Links::Family* family = links_.find_family(below);
    if (family == nullptr) continue;
    const std::uint32_t rank = family->branch->rank - from + to;
    if (Branches::is_level(*family->branch)) {
      branches_.level(rank);
    } else {
      store_.tables().reserve_rank(*family->branch, rank);
    }
  }
  forget.dismiss();
}

/// Takes back what `prepare_move` has promised so far.
void Hierarchy::forget_move(std::uint32_t node, Branch& target) noexcept {
  const std::uint32_t from = depth_at(node);
  for (std::uint32_t below = node; below != Links::kNone; below = links_.next_depth_first(below, node)) {
    const std::uint32_t depth = depth_at(below) - from + target.rank;
    const Branch* branch = below == node ? &target : branches_.find_level(depth);
    const Archetype& archetype = table_of(*store_.slots().place_of(below).block).archetype();
    Table* table = branch != nullptr ? store_.tables().find(archetype, *branch) : nullptr;
    if (table != nullptr) store_.rows().forget_expected(*table);
  }
}

void Hierarchy::move_row(std::uint32_t node, Branch& target) noexcept {
  const Place place = store_.slots().place_of(node);
  const Table& source = table_of(*place.block);
  if (&source.branch() == &target) return;
  store_.rows().move(place, store_.tables().get(source.archetype(), target));
}

void Hierarchy::apply_move(std::uint32_t node, Branch& target) noexcept {
  const std::uint32_t from = depth_at(node);
  const std::uint32_t to = target.rank;
  move_row(node, target);
  if (from == to) return;
  for (std::uint32_t below = node; below != Links::kNone; below = links_.next_depth_first(below, node)) {
    if (below != node) move_row(below, *links_.find_family(links_.parent(below))->branch);
    Links::Family* family = links_.find_family(below);
    if (family == nullptr) continue;
    const std::uint32_t rank = family->branch->rank - from + to;
    if (Branches::is_level(*family->branch)) {
      family->branch = &branches_.level(rank);
    } else {
      store_.tables().set_rank(*family->branch, rank);
    }
  }
}

bool Hierarchy::destroy(Entity entity, Children children) {
  store_.expect_unlocked("destroy", entity);
  const std::uint32_t root = index_of(entity);
  if (root == Links::kNone) return false;
  if (children == Children::orphan) orphan_children(root);
  links_.detach(root);
  for (std::uint32_t node = links_.first_leaf(root); node != root;) {
    const std::uint32_t parent = links_.parent(node);
    const std::uint32_t sibling = links_.next(node);
    links_.detach(node);
    destroy_node(node);
    node = sibling != Links::kNone ? links_.first_leaf(sibling) : parent;
  }
  destroy_node(root);
  return true;
}

void Hierarchy::destroy_node(std::uint32_t node) noexcept {
  if (const Links::Family* family = links_.find_family(node); family != nullptr) {
    branches_.close(*family->branch);
    links_.drop_family(node);
  }
  store_.destroy(store_.slots().handle_of(node));
}

void Hierarchy::orphan_children(std::uint32_t node) {
  Branch& root = branches_.root();
  std::uint32_t prepared = links_.first_child(node);
  detail::Rollback forget([&] {
    for (std::uint32_t child = links_.first_child(node); child != prepared; child = links_.next(child)) {
      forget_move(child, root);
    }
  });
  for (; prepared != Links::kNone; prepared = links_.next(prepared)) prepare_move(prepared, root);
  forget.dismiss();
  for (std::uint32_t child = links_.first_child(node); child != Links::kNone;
       child = links_.first_child(node)) {
    links_.detach(child);
    apply_move(child, root);
  }
}

Entity Hierarchy::parent(Entity entity) const {
  const std::uint32_t parent = links_.parent(index_of(entity));
  return parent != Links::kNone ? store_.slots().handle_of(parent) : Entity();
}

bool Hierarchy::is_ancestor(Entity ancestor, Entity of) const {
  return store_.alive(ancestor) && links_.is_ancestor(ancestor.index(), index_of(of));
}

std::uint32_t Hierarchy::depth(Entity entity) const {
  store_.expect_alive("depth", entity);
  return depth_at(entity.index());
}

std::string Hierarchy::check_invariants() const {
  for (const auto& complaint : {links_.check_invariants(), branches_.check_invariants()}) {
    if (!complaint.empty()) return complaint;
  }
  const Slots& slots = store_.slots();
  for (std::uint32_t node = 0; node < slots.size(); ++node) {
    const Entity entity = slots.handle_of(node);
    if (!slots.alive(entity)) {
      const bool linked = links_.parent(node) != Links::kNone || links_.find_family(node) != nullptr;
      if (linked) return "H1: slot " + std::to_string(node) + " is not live and still linked";
      continue;
    }
    const Branch& branch = table_of(*slots.place_of(node).block).branch();
    const std::uint32_t parent = links_.parent(node);
    const Links::Family* family = parent != Links::kNone ? links_.find_family(parent) : nullptr;
    const Branch* const expected = family != nullptr ? family->branch : &store_.tables().root();
    if (&branch != expected)
      return "H1: the row of entity " + to_string(entity) + " sits in the wrong branch";
    if (branch.rank != (parent != Links::kNone ? depth_at(parent) + 1 : 0)) {
      return "H2: the depth of entity " + to_string(entity) + " is not its number of ancestors";
    }
    if (!Branches::is_level(branch) && Branches::parent_of(branch) != parent) {
      return "R2: the branch of entity " + to_string(entity) + " is labelled with another parent";
    }
  }
  return "";
}

}  // namespace strata
