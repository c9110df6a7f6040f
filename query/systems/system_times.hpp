// SystemTimes: how long the systems of a schedule took in the last runs of the schedule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace strata::detail {

/// The times of systems in the last runs of a schedule, measured by a clock of the program.
///
/// Threads: any number of threads may call `now` and `set` at the same time, each `set` for another system. The other
/// functions may only be called while no other thread uses the object.
class SystemTimes {
 public:
  using Clock = std::function<double()>;

  /// Keeps the times of the last `runs` runs.
  SystemTimes(Clock clock, std::uint32_t runs) : clock_(std::move(clock)), runs_(runs) {}

  /// Makes room for this number of systems. For runs before this call, the times of the new systems are 0.
  void resize(std::size_t systems);
  /// Begins a run. If the times of `runs` runs (see the constructor) are kept already, forgets those of the oldest run.
  void begin_run();
  double now() const { return clock_(); }
  /// Sets how long a system took in this run. Without a call, its time is 0.
  void set(std::size_t system, double seconds) { times_[system * runs_ + present_] = seconds; }

  /// Returns: the number of runs whose times are kept.
  std::uint32_t runs() const { return measured_; }
  /// Return the time of a system in the run that began last, and the mean and the longest of its times in all kept
  /// runs. A run in which the system was not measured counts as 0 seconds.
  double last(std::size_t system) const { return times_[system * runs_ + present_]; }
  double mean(std::size_t system) const;
  double longest(std::size_t system) const;

 private:
  Clock clock_;
  std::uint32_t runs_;          // The most runs that are kept.
  std::uint32_t measured_ = 0;  // The number of runs that are kept.
  std::uint32_t present_ = 0;   // The position of the last run among a system's times.
  std::vector<double> times_;   // By system, then by run.
};

}  // namespace strata::detail
