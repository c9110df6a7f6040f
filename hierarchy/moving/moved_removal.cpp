#include "moved_removal.hpp"

#include <algorithm>

#include "../families/family_rows.hpp"

namespace strata::detail {

void MovedRemoval::prepare() {
  for (const RowRun& run : transfer_.rows()) selection_.add(run);
  selection_.arrange();
  for (const EntityTransfer::Members& members : transfer_.members()) {
    std::vector<Entity>& leaving = leaving_.emplace_back();
    for (const std::uint32_t position : members.positions) leaving.push_back(transfer_.entities()[position]);
    std::sort(leaving.begin(), leaving.end(), [&](Entity a, Entity b) {
      return members.pool->position_of(a) > members.pool->position_of(b);
    });
  }
}

void MovedRemoval::remove(bool has_rows) noexcept {
  const std::span<const Entity> entities = transfer_.entities();
  for (const Entity root : entities.first(transfer_.root_count())) {
    const std::uint32_t parent = parts_.links.parent(root.index());
    if (parent == Links::kNone) continue;
    parts_.links.detach(root.index());
    parts_.rows.child_left(parent);
  }
  if (parts_.relations.any()) {
    for (const Entity entity : entities) parts_.relations.remove_pairs_of(entity);
  }
  remove_members();
  for (const Entity entity : entities) parts_.store.side().erase(entity);
  has_rows ? move_rows() : remove_rows();
  for (std::size_t i = entities.size(); i-- > 0;) parts_.store.slots().release(entities[i].index());
  for (std::size_t i = entities.size(); i-- > 0;) parts_.rows.forget(entities[i].index());
  parts_.relations.destroy_dead();  // Destructors of the values of pairs must not find the entities.
}

/// Removes the entities from their pools (sparse sets) after their values were moved away. A removal moves the pool's
/// last member, which must still have its value, into the gap. So the entities are removed in descending order of their
/// positions in the pool: then the last member is always the removed entity itself, or one that stays in this world.
void MovedRemoval::remove_members() noexcept {
  for (std::size_t i = 0; i < leaving_.size(); ++i) {
    for (const Entity entity : leaving_[i]) transfer_.members()[i].pool->erase_moved(entity);
  }
}

/// Moves the values of each row to the destination world and then removes the row, one row after the other: a removal
/// moves the last row of the table into the gap, and that row must still have its values.
void MovedRemoval::move_rows() noexcept {
  const ChangeGuard::Moving here(parts_.store.guard());
  const ChangeGuard::Moving there(transfer_.to().store.guard());
  for (std::size_t i = transfer_.entities().size(); i-- > 0;) {
    transfer_.take_row(i);
    parts_.store.rows().close_holes(parts_.store.slots().place_of(transfer_.entities()[i].index()), 1);
  }
}

void MovedRemoval::remove_rows() noexcept {
  Rows& rows = parts_.store.rows();
  for (const RowSelection::Part& part : selection_.parts()) {
    if (part.count == part.table->row_count()) {
      rows.retract(*part.table, part.count);
      continue;
    }
    selection_.for_each_run_backwards(part, [&](Place first, std::uint32_t count) {
      count == first.block->capacity ? rows.retract_block(*first.block) : rows.close_holes(first, count);
    });
  }
}

}  // namespace strata::detail
