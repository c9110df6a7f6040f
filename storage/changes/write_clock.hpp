// WriteClock: counts the runs that look for changes, so that writes can be ordered before or after a run.
#pragma once

#include <atomic>
#include <cstdint>

namespace strata::detail {

/// A counter that stamps writes to tracked values, so that a run (one execution of a query for changed
/// values) can tell new writes from old ones.
///
/// A write is stamped with `now`. A run begins by taking the current count as its moment and advancing the
/// clock. So earlier writes have a stamp up to that moment, and later writes have a greater one.
///
/// Threads: any number at a time.
class WriteClock {
 public:
  /// Returns: the stamp of a write that is made now; never 0.
  std::uint64_t now() const { return now_.load(std::memory_order_relaxed); }

  /// Advances the clock, for a run that begins.
  /// Returns: the moment of the run: the largest stamp of the writes before it.
  std::uint64_t begin_run() { return now_.fetch_add(1, std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> now_{1};
};

}  // namespace strata::detail
