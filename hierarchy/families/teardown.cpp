#include "teardown.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace strata::detail {
namespace {

/// Looping over this many entities in the order of memory takes less time than following the links to one entity,
/// because following links waits for memory.
constexpr std::size_t kNodesForOneFollowed = 16;
/// The links of this many entities fit into the caches, so following them is fast.
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
  deepest != Links::kNone ? destroy_unrolled(deepest) : destroy_marked(root);
}

void Teardown::destroy_all() noexcept {
  mass_.destroy_all();
  links_.clear_all([&](const Links::Family& family) { rows_.close_branch(family); });
}

/// Returns: how many descendants an entity may have so that they are found by following links. If it has more, they are
/// found by a loop over all entities of the world. That loop also goes through all lists of tables (one for each
/// archetype and depth). If the world has more such lists than entities, the loop takes too long, so links are followed
/// for any number of descendants.
std::size_t Teardown::most_by_links() const {
  const std::size_t nodes = links_.size();
  const bool many_lists = store_.archetypes().rank_lists() > nodes;
  if (many_lists) return std::numeric_limits<std::size_t>::max();
  return std::max(kFewNodes, nodes / kNodesForOneFollowed);
}

/// Destroys the entities of a list that Links::unroll has made, from `node` on. In that list, children come before
/// their parents. Rows of siblings are mostly adjacent; entities with adjacent rows are destroyed together.
void Teardown::destroy_unrolled(std::uint32_t node) noexcept {
  while (node != Links::kNone) {
    Place first = store_.slots().place_of(node);
    std::uint32_t count = 1;
    std::uint32_t next = links_.previous(node);
    for (; next != Links::kNone && first.row != 0; ++count, next = links_.previous(next)) {
      const Place before = store_.slots().place_of(next);
      if (before.block != first.block || before.row + 1 != first.row) break;
      first = before;
    }
    if (count == 1) {
      destroy_node(node);
    } else {
      destroy_run(node, first, count);
    }
    node = next;
  }
}

/// Destroys the next `count` entities of a list that Links::unroll has made, from `node` on. Their rows are adjacent,
/// in descending order, so the row of the last of these entities is `first`.
void Teardown::destroy_run(std::uint32_t node, Place first, std::uint32_t count) noexcept {
  mass_.destroy_run(first, count);
  for (; count != 0; --count) {
    rows_.forget(std::exchange(node, links_.previous(node)));
  }
}

/// Destroys the live entity with slot index `node`, which has no children left, and clears its links. If its former
/// children had tables of their own, drops these tables.
void Teardown::destroy_node(std::uint32_t node) noexcept {
  const Slots& slots = store_.slots();
  store_.destroy(slots.handle_of(node), slots.place_of(node));
  rows_.forget(node);
}

void Teardown::destroy_marked(std::uint32_t root) noexcept {
  const NodeMarks& marks = links_.mark_subtree(root);
  const std::uint32_t size = links_.size();
  const auto leaves = [&](Entity entity) { return marks.is_marked(entity.index()); };
  store_.side().erase_if(leaves);
  // Free the slots in descending order. The slot that was freed last is reused first, so new entities get
  // these slots in ascending order. The slots are freed before the rows are removed: removing rows may move those of
  // other entities, and user code that runs then must not find entities whose rows are gone.
  for (std::uint32_t node = size; node-- > 0;) {
    if (marks.is_marked(node)) store_.slots().release(node);
  }
  mass_.erase_rows_if(leaves);
  links_.clear_marked([&](const Links::Family& family) { rows_.close_branch(family); });
}

}  // namespace strata::detail
