// ThreadPool: an executor of threads that wait for work, as a job system has them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <strata/strata.hpp>
#include <thread>
#include <vector>

#if defined(__linux__)
#include <pthread.h>
#include <sched.h>
#endif

namespace strata::bench {

/// An executor with a fixed number of workers, the calling thread among them. Threads that wait look for work again and
/// again before they sleep: a frame has many short parallel passes.
class ThreadPool final : public Executor {
 public:
  explicit ThreadPool(std::size_t workers) {
    if (workers > 1) pin(0);
    for (std::size_t worker = 1; worker < workers; ++worker)
      threads_.emplace_back([this, worker] { serve(worker); });
  }
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  ~ThreadPool() override {
    body_ = nullptr;
    begin_run();
    for (std::thread& thread : threads_) thread.join();
  }

  std::size_t worker_count() const noexcept override { return threads_.size() + 1; }
  std::size_t worker_index() const noexcept override { return index(); }

  void parallel_for(std::size_t count, std::size_t grain, RangeFunction body) override {
    body_ = &body;
    count_ = count;
    grain_ = grain;
    next_.store(0, std::memory_order_relaxed);
    busy_.store(threads_.size(), std::memory_order_relaxed);
    begin_run();
    work();
    while (busy_.load(std::memory_order_acquire) != 0) continue;
  }

 private:
  /// Lets the calling thread run on the processor with this number alone, if there is one: two busy workers would
  /// otherwise share a processor now and then.
  static void pin([[maybe_unused]] std::size_t processor) {
#if defined(__linux__)
    cpu_set_t processors;
    CPU_ZERO(&processors);
    CPU_SET(processor, &processors);
    pthread_setaffinity_np(pthread_self(), sizeof(processors), &processors);
#endif
  }

  static std::size_t& index() {
    static thread_local std::size_t index = 0;
    return index;
  }

  void begin_run() {
    run_.fetch_add(1, std::memory_order_release);
    run_.notify_all();
  }

  void work() {
    for (;;) {
      const std::size_t begin = next_.fetch_add(grain_, std::memory_order_relaxed);
      if (begin >= count_) return;
      (*body_)(begin, begin + (grain_ < count_ - begin ? grain_ : count_ - begin));
    }
  }

  void serve(std::size_t worker) {
    constexpr int kLooks = 400'000;
    index() = worker;
    pin(worker);
    for (std::uint32_t seen = 0;; ++seen) {
      for (int i = 0; i < kLooks && run_.load(std::memory_order_acquire) == seen; ++i) continue;
      run_.wait(seen, std::memory_order_acquire);
      if (body_ == nullptr) return;
      work();
      busy_.fetch_sub(1, std::memory_order_release);
    }
  }

  std::atomic<std::uint32_t> run_{0};
  const RangeFunction* body_ = nullptr;  // Null: the threads end.
  std::size_t count_ = 0;
  std::size_t grain_ = 1;
  std::atomic<std::size_t> next_{0};
  std::atomic<std::size_t> busy_{0};  // Threads that have not done their part of the run.
  std::vector<std::thread> threads_;  // Last: they use the members above.
};

}  // namespace strata::bench
