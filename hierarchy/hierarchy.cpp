#include "hierarchy.hpp"

#include <algorithm>
#include <utility>

#include "creation/forest_builder.hpp"
#include "engines.hpp"
#include "events/change_notifier.hpp"
#include "families/selection_teardown.hpp"

namespace strata::detail {

Hierarchy::Hierarchy(Store& store, LayoutPolicy policy)
    : store_(store),
      links_(store.memory()),
      notifier_(std::in_place, store, links_),
      engines_(std::in_place, store, links_, policy) {}

Hierarchy::~Hierarchy() = default;

Outcome Hierarchy::build(const Forest& forest, Entity above, std::span<Entity> entities) {
  if (store_.tree_listened()) return build_observed(forest, above, entities);
  const Store::Change change(store_, "build_hierarchy", above);
  return build_forest(forest, above, entities);
}

/// Does the work of `build`, for a caller that has already begun the structural change (Store::Change).
Outcome Hierarchy::build_forest(const Forest& forest, Entity above, std::span<Entity> entities) {
  Defragmenter& defragmenter = engines_->defragmenter;
  const bool in_order = defragmenter.in_order();
  Outcome built = ForestBuilder(store_, links_, engines_->rows).build(forest, above, entities);
  if (built && in_order && !above) defragmenter.mark_built_levels_ordered(entities.size());
  return built;
}

void Hierarchy::instantiate(Entity root, Entity above, std::span<Entity> roots,
                            std::span<const Override> overrides) {
  if (store_.tree_listened()) return instantiate_observed(root, above, roots, overrides);
  const Store::Change change(store_, "instantiate", root);
  copy_subtree(root, above, roots, overrides);
}

/// Does the work of `instantiate`, for a caller that has already begun the structural change (Store::Change).
void Hierarchy::copy_subtree(Entity root, Entity above, std::span<Entity> roots,
                             std::span<const Override> overrides) {
  engines_->instantiator.copy(root, above, roots, overrides);
}

NewRow Hierarchy::append_below(std::uint32_t parent, Archetype& archetype, Entity reserved) {
  Table& table = store_.tables().get(archetype, engines_->rows.branch_for_child(parent));
  // If a later step fails, an empty table must not keep the block that was allocated for the new row. The reason: when
  // the parent is destroyed, tables that only its children use are dropped, and a dropped table must have no blocks.
  Rollback release([&] {
    if (table.empty()) store_.rows().release_reservations(table);
  });
  store_.make_room_for_row(table, reserved);
  const std::uint32_t child = reserved ? reserved.index() : store_.slots().next_index();
  links_.reserve(std::max(parent, child));
  release.dismiss();
  const NewRow row = store_.append_row(table, reserved);
  links_.attach(child, parent);
  return row;
}

void Hierarchy::detach(std::uint32_t node) noexcept {
  const std::uint32_t parent = links_.parent(node);
  if (parent == Links::kNone) return;
  links_.detach(node);
  engines_->rows.child_left(parent);
}

void Hierarchy::destroy_linked(std::uint32_t node, ChildPolicy children) {
  if (children == ChildPolicy::orphan) orphan_children(node);
  detach(node);
  engines_->teardown.destroy(node);
}

std::size_t Hierarchy::destroy_selected(RowSelection& selection) {
  return engines_->relations.any() ? destroy_selected_related(selection) : destroy_rows(selection);
}

/// Destroys the entities of a selection and all entities below them, as `destroy_selected` does, but does not remove
/// their pairs (links between two entities, beside the parent).
/// Returns: the number of entities destroyed.
std::size_t Hierarchy::destroy_rows(RowSelection& selection) {
  return SelectionTeardown(store_, links_, engines_->rows).destroy(selection);
}

std::size_t Hierarchy::destroy_children(Entity parent) {
  if (store_.tree_listened()) return destroy_children_observed(parent);
  const Store::Change change(store_, "destroy_children", parent);
  return destroy_below(parent);
}

/// Does the work of `destroy_children`, for a caller that has already begun the structural change (Store::Change).
std::size_t Hierarchy::destroy_below(Entity parent) {
  std::size_t destroyed = 0;
  for (std::uint32_t child = links_.first_child(index_of(parent)); child != Links::kNone; ++destroyed) {
    const std::uint32_t next = links_.next(child);
    detach(child);
    engines_->teardown.destroy(child);
    child = next;
  }
  return destroyed;
}

std::size_t Hierarchy::clear() {
  if (store_.tree_listened()) return clear_observed();
  const Store::Change change(store_, "clear", Entity());
  return destroy_all();
}

/// Does the work of `clear`, for a caller that has already begun the structural change (Store::Change).
std::size_t Hierarchy::destroy_all() {
  const std::uint32_t before = store_.slots().in_use();
  engines_->teardown.destroy_all();
  return before - store_.slots().in_use();
}

std::vector<Entity> Hierarchy::list_children(Entity parent) const {
  const ChildRange range = children(parent);
  return {range.begin(), range.end()};
}

void Hierarchy::set_child_order(Entity parent, std::span<const Entity> order) {
  const bool reorders = !std::equal(order.begin(), order.end(), children(parent).begin());
  std::vector<std::uint32_t> nodes;
  nodes.reserve(order.size());
  for (const Entity child : order) nodes.push_back(child.index());
  links_.reorder(parent.index(), nodes);
  for (const std::uint32_t node : nodes) store_.rows().changes().touch(*store_.slots().place_of(node).block);
  if (reorders && store_.listened()) notifier_->reordered(parent);
}

void Hierarchy::set_layout(Entity entity, Layout layout) {
  const Store::Change change(store_, "set_layout", entity);
  store_.require_alive("set_layout", entity);
  engines_->rows.set_layout(entity.index(), layout);
}

Layout Hierarchy::layout_below(Entity entity) const {
  store_.require_alive("layout_below", entity);
  return engines_->rows.layout_below(entity.index());
}

bool Hierarchy::defragment(std::size_t budget) {
  const Store::Change change(store_, "defragment", Entity());
  return engines_->defragmenter.defragment(budget);
}

Entity Hierarchy::parent(Entity entity) const {
  return handle_of(links_.parent(index_of(entity)));
}

Entity Hierarchy::next_sibling(Entity entity) const {
  return handle_of(links_.next(index_of(entity)));
}

Entity Hierarchy::previous_sibling(Entity entity) const {
  return handle_of(links_.previous(index_of(entity)));
}

std::vector<Entity> Hierarchy::roots() const {
  store_.guard().require_whole();
  return list_roots(store_.archetypes());
}

bool Hierarchy::is_ancestor(Entity ancestor, Entity of) const {
  return store_.alive(ancestor) && links_.is_ancestor(ancestor.index(), index_of(of));
}

std::uint32_t Hierarchy::depth(Entity entity) const {
  store_.require_alive("depth", entity);
  return engines_->rows.depth_of(entity.index());
}

/// Returns: an empty Dependents: the list of all entities that one change destroys. All calls return the same object,
/// so that its memory is reused; only one change at a time needs it.
Dependents& Hierarchy::empty_dependents() {
  engines_->dependents.clear();
  return engines_->dependents;
}

RelationSet& Hierarchy::relations() {
  return engines_->relations;
}

const RelationSet& Hierarchy::relations() const {
  return engines_->relations;
}

const Relation& Hierarchy::parents() const {
  return engines_->parents;
}

EntityNames& Hierarchy::names() {
  return engines_->names;
}
const EntityNames& Hierarchy::names() const {
  return engines_->names;
}

Defragmenter& Hierarchy::defragmenter() {
  return engines_->defragmenter;
}

FamilyRows& Hierarchy::rows() {
  return engines_->rows;
}
const FamilyRows& Hierarchy::rows() const {
  return engines_->rows;
}

BulkCreation Hierarchy::bulk_creation() {
  return {store_, links_, engines_->rows};
}

MemoryUse Hierarchy::memory_use() const {
  const FamilyRows& rows = engines_->rows;
  return links_.memory_use() + rows.memory_use() + rows.branches().memory_use() + names().memory_use() +
         engines_->relations.memory_use();
}

void Hierarchy::shrink() noexcept {
  links_.shrink();
  engines_->rows.shrink();
  engines_->names.shrink();
  engines_->relations.shrink();
  engines_->dependents.shrink();
}

std::string Hierarchy::check_invariants() const {
  for (const auto& complaint :
       {links_.check_invariants(), engines_->rows.branches().check_invariants(),
        engines_->parents.check_invariants(), names().check_invariants(), relations().check_invariants()}) {
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
    const Branch* const expected = parent != Links::kNone
                                       ? engines_->rows.branches().find(links_.find_family(parent))
                                       : &store_.tables().root();
    if (&branch != expected)
      return "H1: the row of entity " + to_string(entity) + " sits in the wrong branch";
    if (branch.rank != (parent != Links::kNone ? engines_->rows.depth_of(parent) + 1 : 0)) {
      return "H2: the depth of entity " + to_string(entity) + " is not its number of ancestors";
    }
    if (!Branches::is_level(branch) && Branches::parent_of(branch.label) != parent) {
      return "R2: the branch of entity " + to_string(entity) + " is labelled with another parent";
    }
  }
  return "";
}

}  // namespace strata::detail
