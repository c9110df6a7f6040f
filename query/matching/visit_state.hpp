// VisitState: what a Matcher remembers about its visits in progress.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../core/contract.hpp"

namespace strata::detail {

class BlockFormat;

/// A member of a Matcher that describes the visits of this one matcher. It is not copied: in a copy of the matcher, it
/// has its initial value.
///
/// A visit uses the lists of its matcher until it ends. So a matcher that is destroyed, moved or assigned to during one
/// of its visits breaks a contract. The functions that check this are noexcept: if the contract handler throws, the
/// process ends with the message.
struct VisitState {
  VisitState() = default;
  VisitState(const VisitState&) noexcept {}
  VisitState(VisitState&& other) noexcept { other.leave(); }
  VisitState& operator=(const VisitState&) noexcept {
    require_no_visit();
    recent = {};
    return *this;
  }
  VisitState& operator=(VisitState&& other) noexcept {
    other.leave();
    const VisitState& left = other;
    return *this = left;
  }
  ~VisitState() { require_no_visit(); }

  std::uint32_t visits = 0;  ///< Number of visits in progress.

  /// The result of the last search for the matching archetype that a block belongs to: the archetype's index in
  /// Matcher::matches (`match`), and the numbers from which the addresses of its columns are computed
  /// (Matcher::prefixes). The result is reused for blocks of the same format, that is, of the same archetype.
  struct Recent {
    const BlockFormat* format = nullptr;
    const std::uint32_t* prefixes = nullptr;  ///< Null: the archetype does not match.
    std::size_t match = 0;
  } recent;

 private:
  /// Called when the matcher is moved to another object. The memory to which `recent` refers goes to that object, so
  /// `recent` is cleared here.
  void leave() noexcept {
    require_no_visit();
    recent = {};
  }
  void require_no_visit() const noexcept {
    STRATA_EXPECTS(
        visits == 0,
        "a query is destroyed, moved or assigned to while it iterates: keep it until the iteration "
        "has ended");
  }
};

}  // namespace strata::detail
