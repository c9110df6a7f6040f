#include "teardown.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace strata::detail {
namespace {

/// A pass over so many nodes costs less than following links to one node, because each link waits for memory.
constexpr std::size_t kNodesForOneFollowed = 16;
/// So few nodes fit into the caches in any order.
constexpr std::size_t kFewNodes = 1024;

}  // namespace

void Teardown::destroy(std::uint32_t root) noexcept {
  if (links_.first_child(root) == Links::kNone) return destroy_node(root);
  const std::size_t most = most_by_links();
  std::size_t below = 0;
  const std::uint32_t deepest = links_.unroll(root, [&](std::uint32_t leaving) {
    store_.slots().prefetch(leaving);
    below += links_.child_count(leaving);
    return below <= most;
  });
  if (deepest == Links::kNone) return destroy_marked(root);
  if (may_empty_a_table(root, below)) {
    announce_below(root);
    if (mass_.announced().rows() == below) {
      mass_.destroy_whole_tables([&](std::uint32_t leaving) { rows_.forget(leaving); });
      return destroy_node(root);
    }
    mass_.announced().unchain();
    keep_whole_tables(root);
  }
  destroy_unrolled(deepest);
}

/// Returns: the number of nodes up to which links are followed. A larger subtree is found by a pass over all
/// nodes.
std::size_t Teardown::most_by_links() const {
  const std::size_t nodes = links_.size();
  const bool many_lists = store_.archetypes().rank_lists() > nodes;
  if (many_lists) return std::numeric_limits<std::size_t>::max();
  return std::max(kFewNodes, nodes / kNodesForOneFollowed);
}

/// Returns: whether one of the tables of an unrolled subtree, without its root, has no more rows than the
/// subtree has nodes. Usually none has, and no row needs to be announced.
bool Teardown::may_empty_a_table(std::uint32_t root, std::size_t below) const noexcept {
  for (std::uint32_t node = links_.next(root); node != Links::kNone; node = links_.next(node)) {
    if (table_of(*store_.slots().place_of(node).block).row_count() <= below) return true;
  }
  return false;
}

/// Announces the rows of all nodes of an unrolled subtree except the root's.
void Teardown::announce_below(std::uint32_t root) noexcept {
  for (std::uint32_t node = links_.next(root); node != Links::kNone; node = links_.next(node)) {
    mass_.announced().reserve(table_of(*store_.slots().place_of(node).block));
  }
}

/// Withdraws the announcements except for tables that lose all of their rows. Rows of other tables are
/// removed as if they were never announced.
void Teardown::keep_whole_tables(std::uint32_t root) noexcept {
  for (std::uint32_t node = links_.next(root); node != Links::kNone; node = links_.next(node)) {
    Table& table = table_of(*store_.slots().place_of(node).block);
    if (!PendingTableClears::all_leave(table)) PendingTableClears::forget(table);
  }
}

/// Destroys the nodes of an unrolled subtree, from `node` on along the list. Siblings are mostly contiguous,
/// so nodes in descending rows are destroyed as one run. Removes the links of all nodes, also of those that
/// were destroyed with their table.
void Teardown::destroy_unrolled(std::uint32_t node) noexcept {
  while (node != Links::kNone) {
    if (!store_.slots().is_live(node)) {
      rows_.forget(std::exchange(node, links_.previous(node)));
      continue;
    }
    Place first = store_.slots().place_of(node);
    std::uint32_t count = 1;
    std::uint32_t next = links_.previous(node);
    for (; next != Links::kNone && first.row != 0; ++count, next = links_.previous(next)) {
      const Place before = store_.slots().place_of(next);
      if (before.block != first.block || before.row + 1 != first.row) break;
      first = before;
    }
    if (count == 1 && !PendingTableClears::all_leave(table_of(*first.block))) {
      destroy_node(node);
    } else {
      destroy_run(node, first, count);
    }
    node = next;
  }
}

/// Destroys `count` nodes of an unrolled subtree, from `node` on. The last of them has the row `first`.
void Teardown::destroy_run(std::uint32_t node, Place first, std::uint32_t count) noexcept {
  mass_.destroy_run(first, count);
  for (; count != 0; --count) {
    rows_.forget(std::exchange(node, links_.previous(node)));
  }
}

/// Destroys a live node without children.
void Teardown::destroy_node(std::uint32_t node) noexcept {
  const Slots& slots = store_.slots();
  store_.destroy(slots.handle_of(node), slots.place_of(node));
  rows_.forget(node);
}

void Teardown::destroy_marked(std::uint32_t root) noexcept {
  const NodeMarks& marks = links_.mark_subtree(root);
  const std::uint32_t size = links_.size();
  mass_.destroy_rows_if([&](Entity entity) { return marks.is_marked(entity.index()); });
  // In descending order, so that new entities reuse the slots in ascending order.
  for (std::uint32_t node = size; node-- > 0;) {
    if (marks.is_marked(node)) store_.slots().release(node);
  }
  links_.clear_marked([&](const Links::Family& family) { rows_.close_branch(family); });
}

}  // namespace strata::detail
