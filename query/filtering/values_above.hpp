// ValuesAbove: related values of entities whose ancestor was already visited.
#pragma once

#include <cstdint>
#include <span>

#include "../matching/matcher.hpp"

namespace strata::detail {

/// Finds the values of related terms when the related entities are in a list with their places, so that no
/// place is looked up.
/// Contract: no structural change while it is in use; the list stays in place.
class ValuesAbove {
 public:
  ValuesAbove(const Matcher& matcher, std::span<const VisitedRow> above, WalkMemo& walks)
      : matcher_(matcher), above_(above), walks_(walks) {}

  /// Finds the values of a term for rows. `positions` has the position of each row's related entity in the
  /// list, or VisitedRow::kNone if it is not in the list.
  /// Errors: std::bad_alloc, when the result of a walk is stored.
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
