#include "model.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <strata/strata.hpp>

namespace strata::bench {
namespace {

using Shares = std::vector<Share>;

std::size_t rows_of(const Shares& shares) {
  return std::accumulate(shares.begin(), shares.end(), std::size_t{0},
                         [](std::size_t rows, const Share& share) { return rows + share.rows; });
}

/// Returns: what the executor hands out: neighbouring shares together, if they are many for the workers.
Shares groups_of(const Shares& shares, std::size_t workers) {
  const std::size_t count = std::min(shares.size(), workers * detail::kGroupsPerWorker);
  Shares groups(count);
  for (std::size_t i = 0; i < shares.size(); ++i) {
    Share& group = groups[((i + 1) * count - 1) / shares.size()];
    group.rows += shares[i].rows;
    group.tasks += shares[i].tasks;
  }
  return groups;
}

double share_ns(const Costs& costs, const Share& share) {
  return costs.task_ns * static_cast<double>(share.tasks) + costs.row_ns * static_cast<double>(share.rows);
}

/// Returns: when the last share ends, if the worker that is free first takes the next one.
double makespan_ns(const Shares& shares, const Costs& costs, std::size_t workers) {
  std::priority_queue<double, std::vector<double>, std::greater<>> free_at;
  for (std::size_t worker = 0; worker < workers; ++worker) free_at.push(0);
  double end = 0;
  for (const Share& share : shares) {
    const double done = free_at.top() + share_ns(costs, share);
    free_at.pop();
    free_at.push(done);
    end = std::max(end, done);
  }
  return end;
}

double stage_ns(const Shares& shares, const Costs& costs, std::size_t workers) {
  const bool is_shared = workers > 1 && shares.size() > 1;
  const double memory_ns = costs.row_bytes * static_cast<double>(rows_of(shares)) / costs.bytes_per_ns;
  const double work_ns =
      makespan_ns(is_shared ? groups_of(shares, workers) : shares, costs, is_shared ? workers : 1);
  return std::max(work_ns, memory_ns) + (is_shared ? costs.barrier_ns : 0);
}

}  // namespace

std::size_t Partition::rows() const {
  std::size_t rows = 0;
  for (const Shares& shares : stages) rows += rows_of(shares);
  return rows;
}

std::size_t Partition::tasks() const {
  std::size_t tasks = 0;
  for (const Shares& shares : stages) {
    for (const Share& share : shares) tasks += share.tasks;
  }
  return tasks;
}

std::size_t Partition::barriers() const {
  return static_cast<std::size_t>(
      std::count_if(stages.begin(), stages.end(), [](const Shares& shares) { return shares.size() > 1; }));
}

double predict_ns(const Partition& partition, const Costs& costs, std::size_t workers) {
  double total = 0;
  for (const Shares& shares : partition.stages) total += stage_ns(shares, costs, workers);
  return total;
}

}  // namespace strata::bench
