// FirstFailure: runs numbered tasks, and keeps the exception of the lowest-numbered task that throws.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>

namespace strata::detail {

/// Runs numbered tasks, several of which may run at the same time. Of the exceptions that tasks throw, it keeps
/// the one of the lowest-numbered task. After a task has thrown, it does not begin tasks with a higher number. So
/// if all tasks are passed to `attempt`, and tasks that depend on each other are passed in the order of their
/// numbers, the exception that is kept in the end is the one that a single thread would have met first.
/// Threads: any number may call `attempt` at a time.
class FirstFailure {
 public:
  /// Calls `task(context, index)`, unless a task with a lower number has thrown. If the call throws, keeps the
  /// exception for `rethrow`, unless a task with a lower number has thrown meanwhile.
  void attempt(void (*task)(void* context, std::size_t index), void* context, std::size_t index) noexcept;

  /// Does what the other `attempt` does, for a function object that is called as `task(index)`.
  template <class Task>
  void attempt(Task& task, std::size_t index) noexcept {
    attempt([](void* of, std::size_t number) { (*static_cast<Task*>(of))(number); }, &task, index);
  }

  /// Throws the exception that is kept, if there is one.
  /// Contract: all tasks have ended.
  void rethrow() const;

 private:
  std::atomic<std::size_t> stop_{~std::size_t{0}};  // The lowest number of a task that has thrown.
  std::mutex throwing_;                             // Guards `exception_`, and writing `stop_`.
  std::exception_ptr exception_;                    // The exception of task `stop_`.
};

}  // namespace strata::detail
