// Model: how long the tasks of a parallel visit take on a number of workers, by a simple model.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <queue>
#include <strata/strata.hpp>
#include <vector>

namespace strata::bench {

/// What one worker does without waiting: a task, or the tasks of a part (see detail::WorkList).
struct Share {
  std::size_t rows = 0;
  std::size_t tasks = 0;

  Share& operator+=(const Share& other) {
    rows += other.rows;
    tasks += other.tasks;
    return *this;
  }
};
using Shares = std::vector<Share>;

inline Share sum_of(const Shares& shares) {
  Share sum;
  for (const Share& share : shares) sum += share;
  return sum;
}

/// How the rows of a visit are divided: its shares, stage by stage.
struct Partition {
  std::vector<Shares> stages;

  Share sum() const {
    Share sum;
    for (const Shares& shares : stages) sum += sum_of(shares);
    return sum;
  }
  std::size_t rows() const { return sum().rows; }
  std::size_t tasks() const { return sum().tasks; }
  /// Returns: the number of stages with several shares. Each of them ends with a barrier if there are several workers.
  std::size_t barriers() const {
    const auto is_shared = [](const Shares& shares) { return shares.size() > 1; };
    return static_cast<std::size_t>(std::count_if(stages.begin(), stages.end(), is_shared));
  }
};

/// What the parts of a visit cost.
struct Costs {
  double row_ns = 1;          ///< A row, on one worker.
  double task_ns = 0;         ///< Taking a task.
  double barrier_ns = 0;      ///< Handing a stage to the other workers, and waiting for them.
  double row_bytes = 0;       ///< What a row reads and writes.
  double bytes_per_ns = 1e9;  ///< What memory delivers to all workers together: GB/s.
};

/// Returns: what the executor hands out: neighbouring shares together, if they are many for the workers.
inline Shares groups_of(const Shares& shares, std::size_t workers) {
  const std::size_t count = std::min(shares.size(), workers * detail::kGroupsPerWorker);
  Shares groups(count);
  for (std::size_t i = 0; i < shares.size(); ++i) groups[((i + 1) * count - 1) / shares.size()] += shares[i];
  return groups;
}

/// Returns: when the last share ends, if the worker that is free first takes the next one.
inline double makespan_ns(const Shares& shares, const Costs& costs, std::size_t workers) {
  std::priority_queue<double, std::vector<double>, std::greater<>> free_at;
  for (std::size_t worker = 0; worker < workers; ++worker) free_at.push(0);
  double end = 0;
  for (const auto& [rows, tasks] : shares) {
    const double done =
        free_at.top() + costs.task_ns * static_cast<double>(tasks) + costs.row_ns * static_cast<double>(rows);
    free_at.pop();
    free_at.push(done);
    end = std::max(end, done);
  }
  return end;
}

/// Returns: how long the visit takes, in nanoseconds.
///
/// The model: the shares of a stage are taken in groups of neighbours, each by the worker that is free first. A share takes the time of
/// its rows, and that of beginning each of its tasks. A stage ends with its last share, but not before memory has
/// delivered its bytes. A stage of one share is done by the calling thread, and one worker does everything in order;
/// neither pays for a barrier.
/// Contract: workers > 0.
inline double predict_ns(const Partition& partition, const Costs& costs, std::size_t workers) {
  double total = 0;
  for (const Shares& shares : partition.stages) {
    const bool is_shared = workers > 1 && shares.size() > 1;
    const double work_ns =
        is_shared ? makespan_ns(groups_of(shares, workers), costs, workers) : makespan_ns(shares, costs, 1);
    const double memory_ns = costs.row_bytes * static_cast<double>(sum_of(shares).rows) / costs.bytes_per_ns;
    total += std::max(work_ns, memory_ns) + (is_shared ? costs.barrier_ns : 0);
  }
  return total;
}

}  // namespace strata::bench
