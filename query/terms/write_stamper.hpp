// WriteStamper: stamps the values that a query hands out for writing.
#pragma once

#include <cstdint>

#include "../../core/rollback.hpp"
#include "../matching/matcher.hpp"
#include "terms.hpp"

namespace strata::detail {

/// Stamps the tracked components of a batch before its rows are visited. If a nested run looks for changes
/// during the visit, the batch is stamped once more at the end. So values written after the nested run are
/// new to its next run.
///
/// A run that looks for changes does not see its own writes in its next run. An exception: if such a run is
/// nested in it, it does see its writes from the batch of that nested run on.
class WriteStamper {
 public:
  /// `written` has a bit for each term that hands out a tracked component for writing. `moment` is the
  /// time at which a run that looks for changes began, and 0 for any other run.
  WriteStamper(const Matcher& matcher, const WriteClock& clock, std::uint32_t written,
               std::uint64_t moment = 0)
      : matcher_(&matcher), clock_(&clock), written_(written), moment_(moment) {}

  /// Calls `visit(batch)` and stamps the values that it may write.
  template <class Visit>
  void visit(const Batch& batch, Visit&& visit) const {
    const std::uint64_t before = begin(batch);
    const Rollback after([&] { end(batch, before); });
    visit(batch);
  }

  /// Stamps the values that the visit of a batch may write.
  /// Returns: the argument for `end`.
  std::uint64_t begin(const Batch& batch) const noexcept {
    const std::uint64_t before = current();
    if (written_ != 0) stamp(batch, before);
    return before;
  }
  void end(const Batch& batch, std::uint64_t before) const noexcept {
    if (written_ != 0 && current() != before) stamp(batch, current());
  }

 private:
  /// Returns: the stamp for a write at this time.
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

/// A bit for each term that hands out values of a tracked component for writing.
template <class... Terms>
constexpr std::uint32_t tracked_writes() {
  std::uint32_t written = 0;
  std::uint32_t term = 0;
  ((written |= std::uint32_t{writes_tracked<Terms>} << term++), ...);
  return written;
}

}  // namespace strata::detail
