// WriteClock: a counter that gives a time to each write of a tracked value (see Tracking). With these times, a query
// finds the values that were written after its last run.
#pragma once

#include <atomic>
#include <cstdint>

namespace strata::detail {

/// A counter that gives a time to each write of a tracked value, that is, of a component whose writes are recorded (see
/// Tracking). These times let a run (one execution of a query for changed values) tell new writes from old ones.
///
/// A write stores the present count of the clock (`now`) as its stamp. The stamp is kept for the row or for the whole
/// block (see Tracking). A run begins with `begin_run`, which adds one to the count and returns the old count. Writes
/// before the run have a stamp of at most this old count; later writes have a greater stamp. Exception: the writes that
/// a run makes itself may get the old count, so that the query's next run does not find them; see WriteStamper.
///
/// Threads: any number at a time.
class WriteClock {
 public:
  /// Returns: the time to store for a write that is made now; never 0.
  std::uint64_t now() const { return now_.load(std::memory_order_relaxed); }

  /// Advances the clock at the beginning of a run, that is, one execution of a query for changed values.
  /// Returns: the greatest time that a write before the run can have. Later writes have a greater time.
  std::uint64_t begin_run() { return now_.fetch_add(1, std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> now_{1};
};

}  // namespace strata::detail
