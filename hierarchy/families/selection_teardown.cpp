#include "selection_teardown.hpp"

#include <algorithm>

namespace strata::detail {

std::size_t SelectionTeardown::destroy(RowSelection& selection) {
  selection.arrange();
  if (links_.size() != 0) {
    list_linked(selection);
    for (const std::uint32_t top : tops_) add_below(selection, top);
    if (!tops_.empty()) selection.arrange();
  }
  std::ranges::stable_sort(selection.parts(), [](const RowSelection::Part& a, const RowSelection::Part& b) {
    return a.table->rank() > b.table->rank();
  });
  release_entities(selection);
  detach_from_survivors();
  erase_rows(selection);
  for (const std::uint32_t node : linked_) rows_.forget(node);
  return selection.size();
}

/// Appends to `linked_` the slot index of each selected entity that has a parent or a record of children
/// (Links::Family), and to `tops_` those of selected entities that have children. Called before the entities below them
/// are selected.
void SelectionTeardown::list_linked(RowSelection& selection) {
  for (const RowSelection::Part& part : selection.parts()) {
    selection.for_each_run(part, [&](Place first, std::uint32_t count) {
      for (const Entity entity : entities_of({first.block, first.row, count})) {
        const std::uint32_t node = entity.index();
        if (!links_.is_linked(node)) continue;
        linked_.push_back(node);
        if (links_.first_child(node) != Links::kNone) tops_.push_back(node);
      }
    });
  }
}

/// Selects all entities below `top`. If one of them was selected already, leaves out the entities below it: they have
/// been or will be selected in another call, for that entity.
void SelectionTeardown::add_below(RowSelection& selection, std::uint32_t top) {
  std::uint32_t node = links_.next_depth_first(top, top);
  while (node != Links::kNone) {
    if (selection.add(store_.slots().place_of(node))) {
      linked_.push_back(node);
      node = links_.next_depth_first(node, top);
    } else {
      node = links_.next_after_subtree(node, top);
    }
  }
}

/// Removes the selected entities from all pools (sparse sets of components) and makes their handles stale.
void SelectionTeardown::release_entities(RowSelection& selection) noexcept {
  for (const RowSelection::Part& part : selection.parts()) {
    selection.for_each_run_backwards(part, [&](Place first, std::uint32_t count) {
      const std::span<const Entity> entities = entities_of({first.block, first.row, count});
      for (const Entity entity : entities) store_.side().erase(entity);
      for (std::uint32_t i = count; i-- > 0;) store_.slots().release(entities[i].index());
    });
  }
}

void SelectionTeardown::detach_from_survivors() noexcept {
  for (const std::uint32_t node : linked_) {
    const std::uint32_t parent = links_.parent(node);
    if (parent == Links::kNone || !store_.slots().is_live(parent)) continue;
    links_.detach(node);
    rows_.child_left(parent);
  }
}

void SelectionTeardown::erase_rows(RowSelection& selection) noexcept {
  Rows& rows = store_.rows();
  for (const RowSelection::Part& part : selection.parts()) {
    if (part.count == part.table->row_count()) {
      rows.clear(*part.table);
      continue;
    }
    selection.for_each_run_backwards(part,
                                     [&](Place first, std::uint32_t count) { rows.erase(first, count); });
  }
}

}  // namespace strata::detail
