// WriteStamper: stamps the values that a query hands out for writing.
#pragma once

#include <cstdint>

#include "../../core/rollback.hpp"
#include "../matching/matcher.hpp"
#include "terms.hpp"

namespace strata::detail {

/// Records the writes of a query to tracked components (see Tracking): it stamps the values that a batch
/// hands out for writing with the current time of the WriteClock, before the rows are visited. If a visit of
/// changed entities (see ChangedView) is nested in the visit of the batch, the batch is stamped once more at
/// the end. So values written after the nested visit are new to the next one.
///
/// A visit of changed entities does not see its own writes at its next start. An exception: if another such
/// visit is nested in it, it does see its writes from the batch of the nested visit on.
class WriteStamper {
 public:
  /// `written` has a bit for each term, set if it hands out a tracked component for writing. `moment` is the
  /// result of WriteClock::begin_run for a visit of changed entities, and 0 for any other visit.
  WriteStamper(const Matcher& matcher, const WriteClock& clock, std::uint32_t written,
               std::uint64_t moment = 0)
      : matcher_(&matcher), clock_(&clock), written_(written), moment_(moment) {}

  /// Stamps the values of a batch that `visit` may write, and calls `visit(batch)`.
  template <class Visit>
  void visit(const Batch& batch, Visit&& visit) const {
    const std::uint64_t before = begin(batch);
    const Rollback after([&] { end(batch, before); });
    visit(batch);
  }

  /// Stamps the values that the visit of a batch may write. Call it before the visit.
  /// Returns: the argument `before` for `end`.
  std::uint64_t begin(const Batch& batch) const noexcept {
    const std::uint64_t before = current();
    if (written_ != 0) stamp(batch, before);
    return before;
  }
  /// Stamps the values once more if the time has changed since `begin`. Call it after the visit.
  void end(const Batch& batch, std::uint64_t before) const noexcept {
    if (written_ != 0 && current() != before) stamp(batch, current());
  }

 private:
  /// Returns: the stamp for a write that is made now.
  std::uint64_t current() const {
    const std::uint64_t now = clock_->now();
    return moment_ != 0 && now == moment_ + 1 ? moment_ : now;
  }
  void stamp(const Batch& batch, std::uint64_t stamp) const noexcept;
  void stamp_each(const Batch& batch, ComponentId id, std::uint64_t stamp) const noexcept;
  void stamp_related(const Batch& batch, ComponentId id, std::uint64_t stamp) const noexcept;

  const Matcher* matcher_;
  const WriteClock* clock_;
  std::uint32_t written_;
  std::uint64_t moment_;
};

/// Whether a term hands out values of a tracked component for writing.
template <class Term>
inline constexpr bool writes_tracked =
    !std::is_const_v<Term> && tracking_of<std::remove_const_t<Term>> != Tracking::none;
template <class T>
inline constexpr bool writes_tracked<Maybe<T>> = writes_tracked<T>;
template <class T>
inline constexpr bool writes_tracked<Parent<T>> = writes_tracked<T>;

/// Returns: a bit for each term, by position: set if it hands out values of a tracked component for writing.
template <class... Terms>
constexpr std::uint32_t tracked_writes() {
  std::uint32_t written = 0;
  std::uint32_t term = 0;
  ((written |= std::uint32_t{writes_tracked<Terms>} << term++), ...);
  return written;
}

}  // namespace strata::detail
