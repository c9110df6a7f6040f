// PassThreads: the threads that visit the rows of a list: those of an executor, or only the calling thread.
#pragma once

#include <cstddef>
#include <memory_resource>

#include "../../core/compiler.hpp"
#include "../../core/executor.hpp"
#include "../../core/task_run.hpp"

namespace strata::detail {

/// The default number of rows of a query that one worker takes at a time. With so many, taking them costs little
/// compared with visiting them, even if a visit only adds two numbers.
inline constexpr std::size_t kParallelGrain = 2048;

/// Work that several threads do at the same time is divided into at most this number of groups for each worker: with so
/// many, groups are small, and no worker waits long for the last group.
inline constexpr std::size_t kGroupsPerWorker = 16;

STRATA_API void require_grain(std::size_t grain);

/// An executor and the number of rows that one of its workers takes at a time; or no executor, for passes on the
/// calling thread alone. A pass is one visit of a list of rows.
class PassThreads {
 public:
  PassThreads() = default;
  /// Contract: grain > 0; the executor outlives the pass.
  PassThreads(Executor& executor, std::size_t grain) : executor_(&executor), grain_(grain) {
    require_grain(grain);
  }

  /// Returns: whether passes may use several threads.
  bool any() const { return executor_ != nullptr; }
  /// Contract: `any()` is true.
  Executor& executor() const { return *executor_; }
  std::size_t grain() const { return grain_; }
  /// Returns: whether this number of rows is worth several threads; false for few rows.
  /// Contract: the executor fulfils the contract of Executor.
  bool divides(std::size_t rows) const {
    return executor_ != nullptr && count_workers(*executor_) > 1 && rows >= 2 * grain_;
  }

  /// Returns: into how many parts `divide` divides this number of rows: parts of `grain()` rows, but at most
  /// kGroupsPerWorker for each worker, because workers that often take a new part wait for each other.
  STRATA_API std::size_t count_parts(std::size_t rows) const;

  /// Divides the numbers below `rows` into parts, and calls `part(index, begin, end)` for each part, on several threads
  /// if `divides(rows)`. Parts are numbered in the order of the rows. Returns when all calls have ended.
  /// Errors and contract: those of the function run_tasks, which runs the calls.
  template <class Part>
  void divide(std::size_t rows, Part& part) const {
    const std::size_t count = count_parts(rows);
    if (count == 1) return part(0, 0, rows);
    auto task = [&](std::size_t index) { part(index, index * rows / count, (index + 1) * rows / count); };
    run_tasks(*executor_, count, 1, std::pmr::new_delete_resource(), task);
  }

 private:
  Executor* executor_ = nullptr;  // Null: none.
  std::size_t grain_ = kParallelGrain;
};

}  // namespace strata::detail
