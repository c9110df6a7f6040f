// WriteClock: counts the runs that look for changes, so that a write can be said to be before or after one.
#pragma once

#include <atomic>
#include <cstdint>

namespace strata::detail {

/// Gives writes to tracked values their stamps, and runs the moment from which on writes are new to them.
///
/// A write is stamped with `now`. A run begins by taking the moment and putting the clock on: whatever was
/// written before has a stamp up to that moment, whatever is written from then on a later one.
///
/// Threads: any number at a time.
class WriteClock {
 public:
  /// Returns: the stamp of a write that is made now; never 0.
  std::uint64_t now() const { return now_.load(std::memory_order_relaxed); }

  /// Returns: the moment: the stamp of the last writes before the run.
  std::uint64_t begin_run() { return now_.fetch_add(1, std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> now_{1};
};

}  // namespace strata::detail
