#include "model.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>

namespace strata::bench {
namespace {

using Rows = std::vector<std::size_t>;

std::size_t sum(const Rows& tasks) {
  return std::accumulate(tasks.begin(), tasks.end(), std::size_t{0});
}

double task_ns(const Costs& costs, std::size_t rows) {
  return costs.task_ns + costs.row_ns * static_cast<double>(rows);
}

/// Returns: when the last task ends, if the worker that is free first takes the next one.
double makespan_ns(const Rows& tasks, const Costs& costs, std::size_t workers) {
  std::priority_queue<double, std::vector<double>, std::greater<>> free_at;
  for (std::size_t worker = 0; worker < workers; ++worker) free_at.push(0);
  double end = 0;
  for (const std::size_t rows : tasks) {
    const double done = free_at.top() + task_ns(costs, rows);
    free_at.pop();
    free_at.push(done);
    end = std::max(end, done);
  }
  return end;
}

double stage_ns(const Rows& tasks, const Costs& costs, std::size_t workers) {
  const bool is_shared = workers > 1 && tasks.size() > 1;
  const double memory_ns = costs.row_bytes * static_cast<double>(sum(tasks)) / costs.bytes_per_ns;
  const double work_ns = makespan_ns(tasks, costs, is_shared ? workers : 1);
  return std::max(work_ns, memory_ns) + (is_shared ? costs.barrier_ns : 0);
}

}  // namespace

std::size_t Partition::rows() const {
  std::size_t rows = 0;
  for (const Rows& tasks : stages) rows += sum(tasks);
  return rows;
}

std::size_t Partition::tasks() const {
  std::size_t tasks = 0;
  for (const Rows& stage : stages) tasks += stage.size();
  return tasks;
}

std::size_t Partition::barriers() const {
  return static_cast<std::size_t>(
      std::count_if(stages.begin(), stages.end(), [](const Rows& tasks) { return tasks.size() > 1; }));
}

double predict_ns(const Partition& partition, const Costs& costs, std::size_t workers) {
  double total = 0;
  for (const Rows& tasks : partition.stages) total += stage_ns(tasks, costs, workers);
  return total;
}

}  // namespace strata::bench
