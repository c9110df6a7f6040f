// An executor of threads for tests: ranges of random lengths, in random order, with random delays.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "../../core/executor.hpp"

namespace strata::test {

/// How a ThreadExecutor disturbs the work.
struct Disturbance {
  std::uint32_t seed = 0;  ///< 0: ranges of the grain, in order, without delays.
};

/// An executor with a fixed number of workers, the calling thread among them: it starts threads in each parallel_for
/// and joins them. With a seed, ranges have random lengths, are taken in a random order, and workers wait at random.
class ThreadExecutor final : public Executor {
 public:
  explicit ThreadExecutor(std::size_t workers, Disturbance disturbance = {})
      : workers_(workers), random_(disturbance.seed), disturbs_(disturbance.seed != 0) {}

  std::size_t worker_count() const noexcept override { return workers_; }
  std::size_t worker_index() const noexcept override { return index_of_thread(); }
  /// Returns: how often parallel_for was called.
  std::size_t runs() const { return runs_; }

  void parallel_for(std::size_t count, std::size_t grain, RangeFunction body) override {
    ++runs_;
    const std::vector<Range> ranges = divide(count, grain);
    std::atomic<std::size_t> next{0};
    const auto work = [&](std::size_t worker, std::uint32_t seed) {
      const std::size_t outer = std::exchange(index_of_thread(), worker);
      std::mt19937 random(seed);
      for (std::size_t i = next++; i < ranges.size(); i = next++) {
        if (disturbs_) delay(random());
        body(ranges[i].begin, ranges[i].end);
      }
      index_of_thread() = outer;
    };
    std::vector<std::thread> threads;
    for (std::size_t worker = 1; worker < workers_; ++worker) threads.emplace_back(work, worker, random_());
    work(0, random_());
    for (std::thread& thread : threads) thread.join();
  }

 private:
  struct Range {
    std::size_t begin;
    std::size_t end;
  };

  static std::size_t& index_of_thread() {
    static thread_local std::size_t index = 0;
    return index;
  }

  static void delay(std::uint32_t random) {
    if (random % 4 == 0) std::this_thread::yield();
    if (random % 16 == 0) std::this_thread::sleep_for(std::chrono::microseconds(random % 256));
  }

  std::vector<Range> divide(std::size_t count, std::size_t grain) {
    std::vector<Range> ranges;
    for (std::size_t begin = 0; begin < count;) {
      const std::size_t length = disturbs_ ? 1 + random_() % (2 * grain) : grain;
      const std::size_t end = begin + std::min(length, count - begin);
      ranges.push_back({begin, end});
      begin = end;
    }
    if (disturbs_) std::shuffle(ranges.begin(), ranges.end(), random_);
    return ranges;
  }

  std::size_t workers_;
  std::mt19937 random_;
  bool disturbs_;
  std::size_t runs_ = 0;
};

}  // namespace strata::test
