#include "family_mover.hpp"

#include <span>

#include "../../core/rollback.hpp"

namespace strata::detail {
void FamilyMover::reserve_row(std::uint32_t node, Branch& target) {
  const Table& source = table_of(*store_.slots().place_of(node).block);
  if (&source.branch() != &target) store_.rows().reserve(store_.tables().get(source.archetype(), target));
}

bool FamilyMover::move_row(std::uint32_t node, Branch& target) noexcept {
  const Place place = store_.slots().place_of(node);
  const Table& source = table_of(*place.block);
  if (&source.branch() == &target) return false;
  store_.rows().move(place, store_.tables().get(source.archetype(), target));
  return true;
}

/// Reserves rows in `target` (a set of tables) for all children of a parent. For successive children in one table,
/// reserves the rows together.
/// Errors: std::bad_alloc; in that case, the caller must call Store::release_reservations.
void FamilyMover::reserve_rows(const Links::Family& family, Branch& target) {
  Table* source = nullptr;
  std::uint32_t count = 0;
  const auto reserve = [&] {
    if (count != 0) store_.rows().reserve(store_.tables().get(source->archetype(), target), count);
    count = 0;
  };
  for (std::uint32_t child = family.first; child != Links::kNone; child = links_.next(child)) {
    Table& table = table_of(*store_.slots().place_of(child).block);
    if (&table != source) reserve();
    source = &table;
    ++count;
  }
  reserve();
}

/// Moves the rows of a parent's children, all together, to the table in `target` (a set of tables) for the first
/// child's archetype. Does so only if the rows are adjacent in one block and that table is empty.
/// Returns: whether the rows have moved; if not, nothing has changed.
/// Errors: std::bad_alloc; no row has moved then.
bool FamilyMover::move_as_run(const Links::Family& family, Branch& target) {
  const Place first = store_.slots().place_of(family.first);
  const BlockFormat& format = *first.block->format;
  const std::uint32_t count = family.count;
  if (count > first.block->count - first.row || count > format.full_capacity()) return false;
  const std::span<const Entity> rows = entities_of({first.block, first.row, count});
  const std::uint32_t parent = links_.parent(family.first);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i + kNodesAhead < rows.size()) links_.prefetch(rows[i + kNodesAhead].index());
    if (links_.parent(rows[i].index()) != parent) return false;
  }
  Table& table = store_.tables().get(table_of(*first.block).archetype(), target);
  if (!table.empty()) return false;
  store_.rows().ensure_room(table, count);
  store_.rows().move_run(first, count, table);
  return true;
}

void FamilyMover::move(std::uint32_t parent, Branch& target) {
  Links::Family& family = *links_.find_family(parent);
  if (family.count != 0 && move_as_run(family, target)) {
    branches_.close(*branches_.find(&family));
    family.branch = target.number;
    return;
  }
  Rollback forget([&] { store_.release_reservations(); });
  reserve_rows(family, target);
  forget.dismiss();
  for (std::uint32_t child = family.first; child != Links::kNone; child = links_.next(child)) {
    move_row(child, target);
  }
  branches_.close(*branches_.find(&family));
  family.branch = target.number;
}

}  // namespace strata::detail
