// run_tasks: does numbered tasks on an executor, each exactly once, whatever the executor does.
#pragma once

#include <cstddef>
#include <memory_resource>
#include <type_traits>

#include "compiler.hpp"
#include "executor.hpp"

namespace strata::detail {

/// Returns: the number of workers of an executor.
/// Contract: it is from 1 to Executor::kMostWorkers.
STRATA_API std::size_t count_workers(const Executor& executor);

/// Calls `task(context, index)` once for each index below `count`, on the workers of an executor, and returns when all
/// calls have ended. The executor hands out `grain` tasks at a time. `memory` is only used by this thread.
///
/// Tasks after one that throws are left out unless they were begun before. Those before it are all done: so the
/// exception is the one that a single thread would have met, whichever worker came first.
///
/// Errors: std::bad_alloc, before the first task; that of the first task, by index, that throws; what the executor
/// itself throws.
/// Contract: the executor keeps to what Executor says; grain > 0. If the executor does not, no task is done twice, and
/// those that were begun have ended when the contract's handler is called. Calls of the executor after the return do
/// nothing but break a contract themselves.
STRATA_API void run_tasks(Executor& executor, std::size_t count, std::size_t grain,
                          std::pmr::memory_resource* memory, void (*task)(void* context, std::size_t index),
                          void* context);

/// The same for `task(index)`.
template <class Task>
void run_tasks(Executor& executor, std::size_t count, std::size_t grain, std::pmr::memory_resource* memory,
               Task& task) {
  run_tasks(
      executor, count, grain, memory, [](void* of, std::size_t index) { (*static_cast<Task*>(of))(index); },
      const_cast<std::remove_const_t<Task>*>(address_of(task)));
}

}  // namespace strata::detail
