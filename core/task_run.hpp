// run_tasks: runs numbered tasks on an executor, each exactly once. Even if the executor breaks its contract, no
// task runs twice.
#pragma once

#include <cstddef>
#include <memory_resource>
#include <type_traits>

#include "compiler.hpp"
#include "executor.hpp"

namespace strata::detail {

/// Returns: the number of workers of an executor.
/// Contract: the number is from 1 to Executor::kMostWorkers.
STRATA_API std::size_t count_workers(const Executor& executor);

/// Calls `task(context, index)` once for each index below `count`, on the workers of an executor, and returns when all
/// calls have ended. The executor receives `grain` as a hint of how many tasks to hand out at a time. `memory` is only
/// used by the calling thread.
///
/// If a task throws, tasks with a higher index are left out unless they have begun already, and tasks with a lower
/// index are all done. So the exception that this function throws is always the one that a single thread would have
/// met.
///
/// Errors: std::bad_alloc, before the first task; the exception of the task with the lowest index that throws; what the
/// executor itself throws.
/// Contract: the executor fulfils the contract of Executor; grain > 0. If the executor breaks its contract, no task is
/// done twice, and the tasks that were begun have ended when the contract handler is called. If the executor calls its
/// RangeFunction after this function has returned, the call reports a broken contract and does nothing else.
STRATA_API void run_tasks(Executor& executor, std::size_t count, std::size_t grain,
                          std::pmr::memory_resource* memory, void (*task)(void* context, std::size_t index),
                          void* context);

/// Does what the other run_tasks does, for a `task` that is called as `task(index)`.
template <class Task>
void run_tasks(Executor& executor, std::size_t count, std::size_t grain, std::pmr::memory_resource* memory,
               Task& task) {
  run_tasks(
      executor, count, grain, memory, [](void* of, std::size_t index) { (*static_cast<Task*>(of))(index); },
      const_cast<std::remove_const_t<Task>*>(address_of(task)));
}

}  // namespace strata::detail
