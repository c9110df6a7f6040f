// VisitCount: counts the visits of a query that are in progress. VisitState: the VisitCount of a Matcher, and the
// result of its last search for the archetype of a block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "../../core/contract.hpp"

namespace strata::detail {

class BlockFormat;

/// Counts the visits of one query that are in progress. It is a member of the query and is not copied: a copy of the
/// query is not being visited.
///
/// A visit uses the lists of its query until it ends. So a query that is destroyed, moved or assigned to during one of
/// its visits breaks a contract. The functions that check this are noexcept: if the contract handler throws, the
/// process ends with the message.
class VisitCount {
 public:
  VisitCount() = default;
  VisitCount(const VisitCount&) noexcept {}
  VisitCount(VisitCount&& other) noexcept { other.require_none(); }
  VisitCount& operator=(const VisitCount&) noexcept {
    require_none();
    return *this;
  }
  VisitCount& operator=(VisitCount&& other) noexcept {
    other.require_none();
    require_none();
    return *this;
  }
  ~VisitCount() { require_none(); }

  /// Returns: whether a visit is in progress.
  bool any() const noexcept { return count_ != 0; }

  /// While an object of this class exists, a visit is in progress.
  class Scope {
   public:
    explicit Scope(VisitCount& visits) : visits_(visits) { ++visits_.count_; }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    ~Scope() { --visits_.count_; }

   private:
    VisitCount& visits_;
  };

 private:
  void require_none() const noexcept {
    STRATA_EXPECTS(
        count_ == 0,
        "a query is destroyed, moved or assigned to while it iterates: keep it until the iteration "
        "has ended");
  }

  std::uint32_t count_ = 0;
};

/// A member of a Matcher that describes the visits of this one matcher. In a copy of the matcher, it has its initial
/// value.
struct VisitState {
  VisitState() = default;
  VisitState(const VisitState&) noexcept {}
  VisitState(VisitState&& other) noexcept : visits(std::move(other.visits)) { other.recent = {}; }
  VisitState& operator=(const VisitState& other) noexcept {
    visits = other.visits;
    recent = {};
    return *this;
  }
  /// Clears `recent` in both objects. The matcher of this object frees the memory to which its own `recent` refers, and
  /// takes over the memory to which `other.recent` refers.
  VisitState& operator=(VisitState&& other) noexcept {
    visits = std::move(other.visits);
    recent = {};
    other.recent = {};
    return *this;
  }
  ~VisitState() = default;

  VisitCount visits;

  /// The result of the last search for the matching archetype that a block belongs to: the archetype's index in
  /// Matcher::matches (`match`), and the numbers from which the addresses of its columns are computed
  /// (Matcher::prefixes). The result is reused for blocks of the same format, that is, of the same archetype.
  struct Recent {
    const BlockFormat* format = nullptr;
    const std::uint32_t* prefixes = nullptr;  ///< Null: the archetype does not match.
    std::size_t match = 0;
  } recent;
};

}  // namespace strata::detail
