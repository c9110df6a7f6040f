// TbbExecutor: the threads of oneTBB as an executor. A header of its own, for programs that use oneTBB.
#pragma once

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include "../strata.hpp"

namespace strata {

/// An executor that works on the threads of oneTBB, in an arena of its own.
///
/// Threads: `parallel_for` by any number of threads at a time, also inside one.
class TbbExecutor final : public Executor {
 public:
  /// Works with `workers` threads, the calling one included; without an argument, oneTBB chooses their number.
  /// Contract: workers is at most kMostWorkers, and greater than 0 or tbb::task_arena::automatic.
  explicit TbbExecutor(int workers = oneapi::tbb::task_arena::automatic) : arena_(workers) {
    arena_.initialize();
  }

  void parallel_for(std::size_t count, std::size_t grain, RangeFunction body) override {
    using Range = oneapi::tbb::blocked_range<std::size_t>;
    arena_.execute([&] {
      oneapi::tbb::parallel_for(
          Range(0, count, grain), [&](const Range& range) { body(range.begin(), range.end()); },
          oneapi::tbb::simple_partitioner());
    });
  }

  std::size_t worker_count() const noexcept override {
    return static_cast<std::size_t>(arena_.max_concurrency());
  }

  /// Returns: the index of the calling thread in its arena, which is this executor's inside a `body`.
  std::size_t worker_index() const noexcept override {
    return static_cast<std::size_t>(oneapi::tbb::this_task_arena::current_thread_index());
  }

 private:
  oneapi::tbb::task_arena arena_;
};

}  // namespace strata
