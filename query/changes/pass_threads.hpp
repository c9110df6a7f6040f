// PassThreads: the threads on which a pass visits rows that it has listed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory_resource>

#include "../../core/compiler.hpp"
#include "../../core/executor.hpp"
#include "../../core/task_run.hpp"

namespace strata::detail {

/// The default number of rows of a query that one worker takes at a time. With so many, taking them costs little
/// compared with visiting them, even if a visit only adds two numbers.
inline constexpr std::size_t kParallelGrain = 2048;

STRATA_API void require_grain(std::size_t grain);

/// An executor and the number of rows that one of its workers takes at a time; or no executor, for passes on the
/// calling thread alone.
class PassThreads {
 public:
  PassThreads() = default;
  /// Contract: grain > 0; the executor outlives the pass.
  PassThreads(Executor& executor, std::size_t grain) : executor_(&executor), grain_(grain) {
    require_grain(grain);
  }

  /// Returns: whether passes may use several threads.
  bool any() const { return executor_ != nullptr; }
  /// Contract: `any()`.
  Executor& executor() const { return *executor_; }
  std::size_t grain() const { return grain_; }
  /// Returns: whether this number of rows is worth several threads; false for few rows.
  /// Contract: the executor fulfils the contract of Executor.
  bool divides(std::size_t rows) const {
    return executor_ != nullptr && count_workers(*executor_) > 1 && rows >= 2 * grain_;
  }

  /// Divides the range from 0 to `rows` into parts, and calls `part(begin, end)` for each, on several threads if
  /// `divides(rows)`. Returns when all calls have ended. Errors and contract: see run_tasks.
  template <class Part>
  void divide(std::size_t rows, Part& part) const {
    if (!divides(rows)) return part(0, rows);
    auto task = [&](std::size_t index) { part(index * grain_, std::min((index + 1) * grain_, rows)); };
    run_tasks(*executor_, (rows + grain_ - 1) / grain_, 1, std::pmr::new_delete_resource(), task);
  }

 private:
  Executor* executor_ = nullptr;  // Null: none.
  std::size_t grain_ = kParallelGrain;
};

}  // namespace strata::detail
