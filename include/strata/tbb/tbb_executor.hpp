// TbbExecutor: lets the library work on the threads of oneTBB. This header is for programs that use oneTBB; strata.hpp
// does not include it.
#pragma once

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include "../strata.hpp"

namespace strata {

/// An executor that works on the threads of oneTBB, in a task arena of its own.
///
/// Threads: any number of threads may call `parallel_for` at the same time, also from inside a `body`, the function
/// that `parallel_for` runs.
class TbbExecutor final : public Executor {
 public:
  /// Makes an executor with `workers` threads, the calling thread included; without an argument, oneTBB chooses the
  /// number.
  /// Contract: `workers` is from 1 to kMostWorkers, or tbb::task_arena::automatic.
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

  /// Returns: the index of the calling thread in its current task arena. Inside a `body` (the function that
  /// `parallel_for` runs), that is the arena of this executor.
  std::size_t worker_index() const noexcept override {
    return static_cast<std::size_t>(oneapi::tbb::this_task_arena::current_thread_index());
  }

 private:
  oneapi::tbb::task_arena arena_;
};

}  // namespace strata
