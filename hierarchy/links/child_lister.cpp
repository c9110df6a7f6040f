#include "child_lister.hpp"

#include <array>

#include "../../core/compiler.hpp"

namespace strata::detail {
namespace {

/// The loop over the rows of siblings prefetches the links of the entity that comes this many rows later. Other loops
/// use the distance kNodesAhead (12). Here that is too short: a memory access takes longer than the work for 12 rows.
constexpr std::size_t kListedRowsAhead = 24;

}  // namespace

void ChildLister::append(std::span<const VisitedRow> above, std::vector<VisitedRow>& children) const {
  // For up to 64 entities at a time, one loop finds the entities that have children, and a second loop prefetches the
  // records of their children. The memory accesses in each loop are independent, so they do not wait for each other.
  std::array<std::uint32_t, 64> parents;  // Positions in `above`.
  const auto size = static_cast<std::uint32_t>(above.size());
  Siblings siblings;
  for (std::uint32_t next = 0; next != size;) {
    std::uint32_t count = 0;
    for (; next != size && count != parents.size(); ++next) {
      if (next + kNodesAhead < size) links_.prefetch(above[next + kNodesAhead].entity.index());
      // Whether an entity has children cannot be predicted, so the loop has no branch (jump) that depends on it.
      parents[count] = next;
      count += links_.has_family(above[next].entity.index()) ? 1 : 0;
    }
    const std::span<const std::uint32_t> with_family(parents.data(), count);
    prefetch_children(above, with_family, siblings.scattered);
    siblings.scattered = false;
    for (const std::uint32_t i : with_family) append_family(i, above[i].entity.index(), siblings, children);
  }
}

/// Prefetches the record of children (Links::Family) of each entity `above[i]`, for all i in `positions`. If
/// `scattered` is true, also prefetches the links and slot of the entity's first child. `scattered` says that an
/// earlier child was not at the expected row (see Siblings), so the slots of the next children will probably be needed,
/// too.
void ChildLister::prefetch_children(std::span<const VisitedRow> above,
                                    std::span<const std::uint32_t> positions, bool scattered) const {
  for (const std::uint32_t i : positions) prefetch_to_read(links_.find_family(above[i].entity.index()));
  if (!scattered) return;
  for (const std::uint32_t i : positions) {
    const std::uint32_t child = links_.first_child(above[i].entity.index());
    if (child == Links::kNone) continue;
    links_.prefetch(child);
    store_.slots().prefetch(child);
  }
}

/// Appends the children of the entity with slot index `parent`, which has the position `above` in the list of parents.
/// Rows are mostly in the order in which children are appended. So each child is expected in the row after that of the
/// child that was appended before it, by this call or by the call for an earlier parent. The slot of a child is read
/// only if the child is not in that row. `siblings` keeps the expected row from one call to the next.
void ChildLister::append_family(std::uint32_t above, std::uint32_t parent, Siblings& siblings,
                                std::vector<VisitedRow>& children) const {
  Siblings at = siblings;
  const auto follows = [&](std::uint32_t child) {
    return at.row < at.count && at.entities[at.row].index() == child;
  };
  for (std::uint32_t child = links_.first_child(parent); child != Links::kNone;) {
    if (!follows(child)) {
      const Place place = store_.slots().place_of(child);
      at = {place.block, place.block->format->entities(*place.block), place.row, place.block->count, true};
    }
    do {
      if (at.row + kListedRowsAhead < at.count)
        links_.prefetch(at.entities[at.row + kListedRowsAhead].index());
      children.push_back({at.entities[at.row], at.block, at.row, above});
      child = links_.next(child);
      ++at.row;
    } while (follows(child));
  }
  siblings = at;
}

}  // namespace strata::detail
