// FirstFailure: the exception of the first of several tasks that throws, by number.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>

namespace strata::detail {

/// Does numbered tasks, of which any number may be done at a time, and keeps the exception of the first one, by number,
/// that throws. Tasks after that one are left out from then on. So if all tasks are passed to `attempt`, and those that
/// depend on each other in the order of their numbers, the exception is the one that a single thread would have met.
/// Threads: `attempt` any number at a time.
class FirstFailure {
 public:
  /// Calls `task(context, index)`, unless a task before it has thrown.
  void attempt(void (*task)(void* context, std::size_t index), void* context, std::size_t index) noexcept;

  /// The same for `task(index)`.
  template <class Task>
  void attempt(Task& task, std::size_t index) noexcept {
    attempt([](void* of, std::size_t number) { (*static_cast<Task*>(of))(number); }, &task, index);
  }

  /// Throws the exception of the first task that has thrown, if there is one.
  /// Contract: all tasks have ended.
  void rethrow() const;

 private:
  std::atomic<std::size_t> stop_{~std::size_t{0}};  // The first task that has thrown.
  std::mutex throwing_;                             // Guards `exception_`, and writing `stop_`.
  std::exception_ptr exception_;                    // Of task `stop_`.
};

}  // namespace strata::detail
