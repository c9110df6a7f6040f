#include "teardown.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace strata {
namespace {

/// A pass over all nodes costs less than following links to one of so many, which are waited for one by one.
constexpr std::size_t kNodesForOneFollowed = 16;
/// Fewer nodes are in the caches, whatever their order.
constexpr std::size_t kFewNodes = 1024;

}  // namespace

void Teardown::destroy(std::uint32_t root) noexcept {
  if (links_.first_child(root) == Links::kNone) {
    store_.destroy(store_.slots().handle_of(root));
    rows_.forget(root);
    return;
  }
  const std::size_t most = most_by_links();
  std::size_t below = 0;
  std::size_t known = 0;
  const std::uint32_t deepest = links_.unroll(root, [&](std::uint32_t leaving) {
    known += links_.child_count(leaving);
    if (known > most) return false;
    if (leaving == root) return true;
    store_.expect_leaving(store_.slots().place_of(leaving));
    ++below;
    return true;
  });
  if (deepest == Links::kNone) {
    store_.forget_leaving();
    return destroy_marked(root);
  }
  if (store_.rows_of_leaving_tables() == below) {
    store_.destroy_leaving_tables([&](std::uint32_t leaving) { rows_.forget(leaving); });
    destroy_run(root, Links::kNone);
  } else {
    store_.forget_leaving_tables();
    destroy_unrolled(deepest, root);
  }
}

/// Returns: how many nodes are found by their links before all nodes are passed over instead.
std::size_t Teardown::most_by_links() const {
  const std::size_t nodes = links_.size();
  const bool many_lists = store_.archetypes().rank_lists() > nodes;
  if (many_lists) return std::numeric_limits<std::size_t>::max();
  return std::max(kFewNodes, nodes / kNodesForOneFollowed);
}

void Teardown::destroy_unrolled(std::uint32_t node, std::uint32_t root) noexcept {
  while (node != root) node = destroy_run(node, root);
  destroy_run(root, Links::kNone);
}

/// Destroys a node of an unrolled subtree, and those after it in the chain, up to `end`, whose rows come before
/// its own one by one: siblings mostly lie side by side. Forgets them, whether or not they went with their table.
/// Returns: the node that comes next.
std::uint32_t Teardown::destroy_run(std::uint32_t node, std::uint32_t end) noexcept {
  std::uint32_t count = 1;
  std::uint32_t next = links_.previous(node);
  if (store_.slots().is_live(node)) {
    Place first = store_.slots().place_of(node);
    for (; next != end && first.row != 0; ++count, next = links_.previous(next)) {
      const Place before = store_.slots().place_of(next);
      if (before.block != first.block || before.row + 1 != first.row) break;
      first = before;
    }
    store_.destroy_leaving(first, count);
  }
  for (; count != 0; --count) {
    const std::uint32_t gone = std::exchange(node, links_.previous(node));
    if (store_.slots().is_live(gone)) store_.slots().release(gone);
    rows_.forget(gone);
  }
  return next;
}

void Teardown::destroy_marked(std::uint32_t root) noexcept {
  const NodeMarks& marks = links_.mark_subtree(root);
  const std::uint32_t size = links_.size();
  store_.destroy_rows_if([&](Entity entity) { return marks.is_marked(entity.index()); });
  // From the back, so that new entities take the slots in their order.
  for (std::uint32_t node = size; node-- > 0;) {
    if (marks.is_marked(node)) store_.slots().release(node);
  }
  links_.clear_marked([&](const Links::Family& family) { rows_.close_branch(family); });
}

}  // namespace strata
