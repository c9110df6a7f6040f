// Model: how long the tasks of a parallel visit take on a number of workers, by a simple model.
#pragma once

#include <cstddef>
#include <vector>

namespace strata::bench {

/// What one worker does without waiting: a task, or the tasks of a part (see detail::WorkList).
struct Share {
  std::size_t rows = 0;
  std::size_t tasks = 0;
};

/// How the rows of a visit are divided: its shares, stage by stage.
struct Partition {
  std::vector<std::vector<Share>> stages;

  std::size_t rows() const;
  std::size_t tasks() const;
  /// Returns: the number of stages with several shares. Each of them ends with a barrier if there are several workers.
  std::size_t barriers() const;
};

/// What the parts of a visit cost.
struct Costs {
  double row_ns = 1;          ///< A row, on one worker.
  double task_ns = 0;         ///< Taking a task.
  double barrier_ns = 0;      ///< Handing a stage to the other workers, and waiting for them.
  double row_bytes = 0;       ///< What a row reads and writes.
  double bytes_per_ns = 1e9;  ///< What memory delivers to all workers together: GB/s.
};

/// Returns: how long the visit takes, in nanoseconds.
///
/// The model: the shares of a stage are taken in groups of neighbours, each by the worker that is free first. A share takes the time of
/// its rows, and that of beginning each of its tasks. A stage ends with its last share, but not before memory has
/// delivered its bytes. A stage of one share is done by the calling thread, and one worker does everything in order;
/// neither pays for a barrier.
/// Contract: workers > 0.
double predict_ns(const Partition& partition, const Costs& costs, std::size_t workers);

}  // namespace strata::bench
