// SystemTimer: decides from the time that has passed how many times a system runs in one run of its schedule.
#pragma once

#include <cstdint>

namespace strata::detail {

/// Counts the time that passes, and says how often a system runs in a run of the schedule: once in each run; once
/// whenever an interval has passed; or once for each step of a fixed length, up to a greatest number of steps at once.
class SystemTimer {
 public:
  /// What a system does in one run of its schedule.
  struct Due {
    std::uint32_t runs;  ///< The number of times that the system runs.
    /// The time that the system receives in each of these runs as Elapsed. That is the length of a step, if the system
    /// runs in steps; otherwise the time since it last ran.
    double seconds;
  };

  SystemTimer() = default;
  static SystemTimer every(double seconds) { return {seconds, 0}; }
  static SystemTimer in_steps(double seconds, std::uint32_t most) { return {seconds, most}; }

  /// Sets the length of a step and the greatest number of steps in one run of the schedule. The time that has passed
  /// since the last step counts as a part of the next step.
  void set_steps(double seconds, std::uint32_t most) {
    interval_ = seconds;
    most_ = most;
  }

  bool is_plain() const { return interval_ == 0; }

  /// Adds `seconds`, the time that has passed since the last call. Time that is not a whole step or interval counts in
  /// later calls. If more steps have passed than may run at once (see `in_steps`), the others are left out for good.
  /// The time since the system last ran grows until `ran` is called.
  /// Returns: what the system does now.
  Due advance(double seconds);

  /// Called after the system has run: sets the time since the system last ran to 0.
  void ran() { since_ = 0; }

 private:
  SystemTimer(double interval, std::uint32_t most) : interval_(interval), most_(most) {}

  double interval_ = 0;     // The length of an interval or step; 0: the system runs each time.
  std::uint32_t most_ = 0;  // The most steps at once; 0: not in steps.
  double waiting_ = 0;      // The time since the last interval or step ended.
  double since_ = 0;        // The time since the system last ran.
};

}  // namespace strata::detail
