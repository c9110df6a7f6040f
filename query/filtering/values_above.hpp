// ValuesAbove: what entities relate to, for those of which it is known what led to them.
#pragma once

#include <cstdint>
#include <span>

#include "../matching/matcher.hpp"

namespace strata::detail {

/// Finds values of related terms where what led to an entity is in a list, with its place: it need not be
/// looked up.
/// Contract: no structural change while it is in use; the list stays meanwhile.
class ValuesAbove {
 public:
  ValuesAbove(const Matcher& matcher, std::span<const Reached> above, WalkMemo& walks)
      : matcher_(matcher), above_(above), walks_(walks) {}

  /// Finds the values of a term for rows, each of which has its position in the list, or Reached::kNone if
  /// nothing led to it.
  /// Errors: std::bad_alloc, where a walk is remembered.
  void find(std::uint32_t term, std::span<const Entity> rows, const std::uint32_t* positions,
            const void** values);

 private:
  void find_missing(std::uint32_t term, std::span<const Entity> rows, const void** values);
  void find_values(ComponentId id, std::span<const std::uint32_t> positions, const void** values) const;

  const Matcher& matcher_;
  std::span<const Reached> above_;
  WalkMemo& walks_;
};

}  // namespace strata::detail
