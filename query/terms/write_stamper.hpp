// WriteStamper: records the time of a query's writes to components that are tracked for changes.
#pragma once

#include <cstdint>

#include "../../core/compiler.hpp"
#include "../../core/rollback.hpp"
#include "../../storage/changes/write_stamps.hpp"
#include "../matching/matcher.hpp"
#include "terms.hpp"

namespace strata::detail {

/// Records the writes of a query to tracked components (see Tracking). Before the rows of a batch are visited, the
/// WriteStamper stores a time of the WriteClock (a counter) as the time of the last write to each value that the batch
/// hands out for writing. In a visit of changed entities, this is the time at which the visit began, until a nested
/// visit advances the clock. In all other cases, it is the current time.
///
/// A visiting function may itself visit changed entities (see ChangedView). This nested visit advances the clock. After
/// the function has returned, the WriteStamper then stores the new time for the values of the batch, because the
/// function may have written to them after the nested visit, and the next visit of changed entities has to find these
/// writes.
///
/// A visit of changed entities does not find the writes that the same query made in its previous visit of changed
/// entities. There is one exception: if another visit was nested in that previous visit, the query finds the previous
/// visit's writes to the batch during which the nested visit ran, and to all later batches.
class WriteStamper {
 public:
  /// `written` has a bit for each term, set if the term hands out a writable value whose writes are recorded (see
  /// Tracking). `moment` is the result of WriteClock::begin_run if the stamper is for a visit of changed entities,
  /// otherwise 0. `sharing` says whether several threads may visit rows of the same block.
  WriteStamper(const Matcher& matcher, const WriteClock& clock, std::uint32_t written,
               std::uint64_t moment = 0, StampSharing sharing = StampSharing::alone)
      : matcher_(&matcher), clock_(&clock), written_(written), sharing_(sharing), moment_(moment) {}

  /// Records the writes to the values that the batch hands out for writing, and then calls `visit(batch)`. If a nested
  /// visit has advanced the clock during the call of `visit`, records the writes once more, with the new time.
  template <class Visit>
  void visit(const Batch& batch, Visit&& visit) const {
    const std::uint64_t before = begin(batch);
    const Rollback after([&] { end(batch, before); });
    visit(batch);
  }

  /// Stores the time `current()` as the time of the last write to each tracked value that the batch hands out for
  /// writing. Call it before the rows are visited.
  /// Returns: this time, which the caller passes to `end`.
  std::uint64_t begin(const Batch& batch) const noexcept {
    const std::uint64_t before = current();
    if (written_ != 0) stamp(batch, before);
    return before;
  }
  /// Records the writes once more if the clock has advanced since `begin`, which returned `before`. Call it
  /// after the rows were visited.
  void end(const Batch& batch, std::uint64_t before) const noexcept {
    if (written_ != 0 && current() != before) stamp(batch, current());
  }

 private:
  /// Returns: the time to record for a write that is made now. In a visit of changed entities, this is `moment_`, the
  /// time at which the visit began, so that the query's next visit of changed entities does not find the write. In
  /// other visits, and after a nested visit has advanced the clock, this is the clock's time.
  std::uint64_t current() const {
    const std::uint64_t now = clock_->now();
    return moment_ != 0 && now == moment_ + 1 ? moment_ : now;
  }
  STRATA_API void stamp(const Batch& batch, std::uint64_t stamp) const noexcept;
  void stamp_each(const Batch& batch, ComponentId id, std::uint64_t stamp,
                  void* const* values) const noexcept;
  void stamp_related(const Batch& batch, ComponentId id, std::uint64_t stamp) const noexcept;

  const Matcher* matcher_;
  const WriteClock* clock_;
  std::uint32_t written_;
  StampSharing sharing_;
  std::uint64_t moment_;
};

/// Whether a term gives visiting functions a writable value of a component that is tracked (see Tracking).
template <class Term>
inline constexpr bool writes_tracked =
    !std::is_const_v<Term> && tracking_of<std::remove_const_t<Term>> != Tracking::none;
template <class T>
inline constexpr bool writes_tracked<Maybe<T>> = writes_tracked<T>;
template <class T>
inline constexpr bool writes_tracked<Parent<T>> = writes_tracked<T>;

/// Returns: a bit for each term, by position, set if the term gives visiting functions a writable value of a
/// component that is tracked (see Tracking).
template <class... Terms>
constexpr std::uint32_t tracked_writes() {
  std::uint32_t written = 0;
  std::uint32_t term = 0;
  ((written |= std::uint32_t{writes_tracked<Terms>} << term++), ...);
  return written;
}

}  // namespace strata::detail
