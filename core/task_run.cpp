#include "task_run.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "contract.hpp"
#include "first_failure.hpp"
#include "rollback.hpp"
#include "use_guard.hpp"

namespace strata::detail {
namespace {

/// What an executor did wrong; kFaults has a sentence for each.
enum class Fault : std::uint8_t { none, outside, foreign, twice, late, never };
constexpr std::array<const char*, 6> kFaults = {
    "",
    "the executor handed out a range that is not within the numbers it was given: parallel_for(count, ...) "
    "passes ranges "
    "of the numbers below count",
    "the executor called a function on a thread that is none of its workers: worker_index() has to be less "
    "than "
    "worker_count() on every thread that parallel_for uses",
    "the executor handed out a number twice: parallel_for passes each number below count in exactly one "
    "range",
    "the executor returned from parallel_for before the last call had ended: parallel_for waits for all "
    "calls",
    "the executor did not hand out all numbers: parallel_for passes each number below count in exactly one "
    "range",
};

class TaskRun;

/// The function that an executor calls for each range. It passes the ranges on to a TaskRun (one call of run_tasks)
/// until that run ends. All copies of the RangeFunction that the executor makes share the ownership of this object. So
/// a call after the end of the run finds that `close` was called, and reads no freed memory.
/// Threads: any number may call it at a time.
class RunEntrance {
 public:
  explicit RunEntrance(TaskRun& run) : run_(run) {}

  /// Does the tasks with the indices in [begin, end).
  /// Contract: `close` was not called.
  void operator()(std::size_t begin, std::size_t end);

  /// From now on, a call of operator() breaks its contract. Waits until the calls that have begun have ended.
  /// Returns: whether such a call was still under way when `close` was called.
  bool close() noexcept {
    if (state_.fetch_or(kClosed, std::memory_order_acquire) == 0) return false;
    while (state_.load(std::memory_order_acquire) != kClosed) std::this_thread::yield();
    return true;
  }

 private:
  static constexpr std::uint32_t kClosed = 1u << 31;

  TaskRun& run_;
  std::atomic<std::uint32_t> state_{0};  // The number of calls under way; plus kClosed after `close`.
};

/// One call of run_tasks. Remembers which tasks were begun, so that none is done twice.
/// Threads: any number may call `take` at a time.
class TaskRun {
 public:
  using Task = void (*)(void* context, std::size_t index);

  TaskRun(Executor& executor, std::size_t count, std::pmr::memory_resource* memory, Task task, void* context)
      : executor_(executor),
        count_(count),
        workers_(count_workers(executor)),
        task_(task),
        context_(context),
        many_(count > kFew ? count : 0, std::pmr::polymorphic_allocator<std::atomic<bool>>(memory)),
        begun_(count > kFew ? many_.data() : few_.data()),
        left_(count) {}
  TaskRun(const TaskRun&) = delete;
  TaskRun& operator=(const TaskRun&) = delete;

  void run(std::size_t grain) {
    const auto entrance = std::make_shared<RunEntrance>(*this);
    {
      const Rollback at_end([&] {  // Runs even if the executor throws.
        if (entrance->close()) record(Fault::late);
      });
      executor_.parallel_for(count_, grain, RangeFunction(entrance));
    }
    if (left_.load(std::memory_order_acquire) != 0) record(Fault::never);
    const Fault fault = fault_.load(std::memory_order_relaxed);
    STRATA_EXPECTS(fault == Fault::none, kFaults[static_cast<std::size_t>(fault)]);
    failure_.rethrow();
  }

  /// Does the tasks with the indices in [begin, end), a range that the executor has handed out. If these are no indices
  /// of tasks, or this thread is no worker of the executor, does no task and records the fault.
  void take(std::size_t begin, std::size_t end) noexcept {
    if (begin > end || end > count_) {
      record(Fault::outside);
    } else if (executor_.worker_index() >= workers_) {
      record(Fault::foreign);
    } else {
      const WorkScope work(work_);
      for (std::size_t index = begin; index < end; ++index) do_task(index);
    }
  }

 private:
  static constexpr std::size_t kFew = 512;

  void do_task(std::size_t index) noexcept {
    if (begun_[index].exchange(true, std::memory_order_relaxed)) return record(Fault::twice);
    const bool is_left_out = fault_.load(std::memory_order_relaxed) != Fault::none;
    if (!is_left_out) failure_.attempt(task_, context_, index);
    left_.fetch_sub(1, std::memory_order_release);
  }

  /// Stores what the executor did wrong, unless a fault was stored before.
  void record(Fault fault) noexcept {
    Fault none = Fault::none;
    fault_.compare_exchange_strong(none, fault, std::memory_order_relaxed);
  }

  Executor& executor_;
  STRATA_NO_UNIQUE_ADDRESS const Work work_ = begin_work();  // The thread for which the tasks are done.
  const std::size_t count_;
  const std::size_t workers_;
  Task task_;
  void* context_;
  std::array<std::atomic<bool>, kFew> few_{};  // By task: whether it was begun.
  std::pmr::vector<std::atomic<bool>> many_;   // Used instead of `few_` for more than kFew tasks.
  std::atomic<bool>* begun_;                   // Points to the elements of `few_` or `many_`.
  std::atomic<std::size_t> left_;              // The number of tasks that are not done.
  std::atomic<Fault> fault_{Fault::none};      // The first fault that was noticed.
  FirstFailure failure_;
};

void RunEntrance::operator()(std::size_t begin, std::size_t end) {
  const bool is_open = (state_.fetch_add(1, std::memory_order_acquire) & kClosed) == 0;
  if (is_open) run_.take(begin, end);
  state_.fetch_sub(1, std::memory_order_release);
  STRATA_EXPECTS(is_open,
                 "the executor called a function after parallel_for had returned: parallel_for returns after "
                 "the last call has ended, and keeps no function");
}

}  // namespace

std::size_t count_workers(const Executor& executor) {
  const std::size_t workers = executor.worker_count();
  STRATA_EXPECTS(workers != 0 && workers <= Executor::kMostWorkers,
                 "the executor says that it has " + std::to_string(workers) +
                     " workers: worker_count() is from 1 to " + std::to_string(Executor::kMostWorkers));
  return workers;
}

void run_tasks(Executor& executor, std::size_t count, std::size_t grain, std::pmr::memory_resource* memory,
               void (*task)(void* context, std::size_t index), void* context) {
  STRATA_EXPECTS(grain != 0,
                 "a parallel call got a grain of 0: it is 1 or more, the number of rows or tasks that are "
                 "worth a worker's time");
  if (count == 0) return;
  TaskRun(executor, count, memory, task, context).run(grain);
}

}  // namespace strata::detail
