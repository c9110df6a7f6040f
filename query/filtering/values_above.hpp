// ValuesAbove: finds values of parents and ancestors for CascadeQuery::propagate and `changed_subtrees`. These visit
// parents just before their children, so the places of most parents are still known.
#pragma once

#include <cstdint>
#include <span>

#include "../matching/matcher.hpp"

namespace strata::detail {

/// Finds values of parents and ancestors while CascadeQuery::propagate or `changed_subtrees` visits entities depth by
/// depth. The parents were visited just before, and their rows are in the list `above`, so the parents need not be
/// looked up.
/// Contract: no structural change while this object is in use; the list `above` is neither changed nor freed.
class ValuesAbove {
 public:
  ValuesAbove(const Matcher& matcher, std::span<const VisitedRow> above, WalkMemo& walks)
      : matcher_(matcher), above_(above), walks_(walks) {}

  /// Finds the values that a `Parent` or `Up` term reads, for the entities `rows`, and writes one pointer for
  /// each to `values`; null if there is no value. `positions` has, for each entity, the position of its
  /// parent in the list `above`, or VisitedRow::kNone if the parent is not in the list and has to be looked
  /// up by the query's Relation.
  /// Errors: std::bad_alloc, when an `Up` term searches through many ancestors.
  void find(std::uint32_t term, std::span<const Entity> rows, const std::uint32_t* positions,
            const void** values);

 private:
  void find_missing(std::uint32_t term, std::span<const Entity> rows, const void** values);
  void find_values(ComponentId id, std::span<const std::uint32_t> positions, const void** values) const;

  const Matcher& matcher_;
  std::span<const VisitedRow> above_;
  WalkMemo& walks_;
};

}  // namespace strata::detail
