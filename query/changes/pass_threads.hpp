// PassThreads: the threads that visit the rows of a list: those of an executor, or only the calling thread.
#pragma once

#include <cstddef>
#include <memory_resource>

#include "../../core/compiler.hpp"
#include "../../core/executor.hpp"
#include "../../core/task_run.hpp"

namespace strata::detail {

/// The default number of rows of a query that one worker takes at a time. The number is so large that taking rows costs
/// little compared with visiting them, even if the visiting function only adds two numbers.
inline constexpr std::size_t kParallelGrain = 2048;

/// Work for several threads is divided into at most this number of groups (of rows or of tasks) for each worker. With
/// this number, a group is a small part of the work, so no worker waits long until another one has finished the last
/// group.
inline constexpr std::size_t kGroupsPerWorker = 16;

STRATA_API void require_grain(std::size_t grain);

/// The threads of a pass (one visit of a list of rows): the workers of an executor, or only the calling thread if there
/// is no executor. `grain` is the number of rows that one worker takes at a time.
class PassThreads {
 public:
  PassThreads() = default;
  /// Contract: grain > 0; the executor outlives this object.
  PassThreads(Executor& executor, std::size_t grain) : executor_(&executor), grain_(grain) {
    require_grain(grain);
  }

  /// Returns: whether there is an executor. If not, only the calling thread visits rows.
  bool any() const { return executor_ != nullptr; }
  /// Contract: `any()` is true.
  Executor& executor() const { return *executor_; }
  std::size_t grain() const { return grain_; }
  /// Returns: whether `divide` uses several threads for this number of rows. It does if the executor has more than one
  /// worker and there are at least 2 * `grain()` rows.
  /// Contract: the executor fulfils the contract of Executor.
  bool divides(std::size_t rows) const {
    return executor_ != nullptr && count_workers(*executor_) > 1 && rows >= 2 * grain_;
  }

  /// Returns: the number of parts into which `divide` divides this number of rows; 1 if `divides(rows)` is false. A
  /// part has about `grain()` rows. With many rows, parts are larger: there are at most kGroupsPerWorker parts for each
  /// worker, because workers that often take a new part wait for each other.
  STRATA_API std::size_t count_parts(std::size_t rows) const;

  /// Divides the row numbers from 0 up to `rows` into parts, and calls `part(index, begin, end)` for each part, on
  /// several threads if `divides(rows)`. Parts are numbered in the order of the rows. Returns when all calls have
  /// ended.
  /// Errors and contract: those of the function run_tasks, which runs the calls.
  template <class Part>
  void divide(std::size_t rows, Part& part) const {
    divide(rows, count_parts(rows), part);
  }
  /// The same with a number of parts that `count_parts(rows)` has returned before. The executor may have another number
  /// of workers in the meantime.
  template <class Part>
  void divide(std::size_t rows, std::size_t count, Part& part) const {
    if (count == 1) return part(0, 0, rows);
    auto task = [&](std::size_t index) { part(index, index * rows / count, (index + 1) * rows / count); };
    run_tasks(*executor_, count, 1, std::pmr::new_delete_resource(), task);
  }

 private:
  Executor* executor_ = nullptr;  // Null: only the calling thread visits rows.
  std::size_t grain_ = kParallelGrain;
};

}  // namespace strata::detail
