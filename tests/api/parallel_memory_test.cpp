// What is left of a world when there is no memory during a visit on several threads.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <utility>

#include "../support/thread_executor.hpp"
#include "parallel_passes.hpp"

namespace strata::test::parallel_memory_test {

using namespace parallel;

namespace {

/// The allocations of all threads that count them, of which one and all after it fail.
std::atomic<std::int64_t> allocations_left{0};
std::atomic<bool> memory_is_short{false};
thread_local bool counts_allocations = false;

/// Sets whether this thread's allocations count, while it lives.
class Counting {
 public:
  explicit Counting(bool counts) : before_(std::exchange(counts_allocations, counts)) {}
  Counting(const Counting&) = delete;
  Counting& operator=(const Counting&) = delete;
  ~Counting() { counts_allocations = before_; }

 private:
  bool before_;
};

void* allocate(std::size_t size, std::size_t alignment) {
  if (counts_allocations && memory_is_short && allocations_left.fetch_sub(1) <= 1) throw std::bad_alloc();
  void* const memory = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

}  // namespace strata::test::parallel_memory_test

namespace memory_test = strata::test::parallel_memory_test;
void* operator new(std::size_t size) {
  return memory_test::allocate(size, __STDCPP_DEFAULT_NEW_ALIGNMENT__);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return memory_test::allocate(
      size, std::max(static_cast<std::size_t>(alignment), std::size_t{__STDCPP_DEFAULT_NEW_ALIGNMENT__}));
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace strata::test::parallel_memory_test {

namespace {

/// Threads whose tasks count allocations. Starting the threads does not.
class CountingExecutor final : public Executor {
 public:
  CountingExecutor(std::size_t workers, std::uint32_t seed) : threads_(workers, {seed}) {}
  std::size_t worker_count() const noexcept override { return threads_.worker_count(); }
  std::size_t worker_index() const noexcept override { return threads_.worker_index(); }
  void parallel_for(std::size_t count, std::size_t grain, RangeFunction body) override {
    const Counting none(false);
    const auto counted = [&](std::size_t begin, std::size_t end) {
      const Counting all(true);
      body(begin, end);
    };
    threads_.parallel_for(count, grain, counted);
  }

 private:
  ThreadExecutor threads_;
};

/// Lets a pass fail at each of its allocations in turn, in a new scene each time.
/// Returns: how often it failed.
int fail_each_allocation(Pass pass, std::size_t workers) {
  InlineExecutor inline_executor;
  const Met nothing = [](Entity) {};
  Scene expected;
  pass(expected, inline_executor, 4, nothing);
  int failures = 0;
  for (int nth = 1;; ++nth) {
    Scene scene;
    CountingExecutor executor(workers, static_cast<std::uint32_t>(nth % 5));
    bool failed = false;
    allocations_left = nth;
    memory_is_short = true;
    try {
      const Counting counting(true);
      pass(scene, executor, 4, nothing);
    } catch (const std::bad_alloc&) {
      failed = true;
    }
    memory_is_short = false;
    scene.check_whole();
    if (failed) pass(scene, executor, 4, nothing);
    CHECK(scene.world.commands().empty());
    CHECK(scene.list() == expected.list());
    scene.check_whole();
    if (!failed) return failures;
    ++failures;
  }
}

}  // namespace

TEST_SUITE("api/parallel_memory") {
  TEST_CASE("each allocation of a visit by several threads fails in turn, and the world is whole") {
    int failed = 0;
    for (const Pass pass : kPasses) {
      for (const std::size_t workers : {1, 3}) {
        const int times = fail_each_allocation(pass, workers);
        CHECK(times > 3);
        failed += times;
      }
    }
    CHECK(failed > 300);
  }
  TEST_CASE("a query without memory for an archetype that got its first row visits each row once later") {
    struct First {
      int number;
    };
    struct Second {};
    for (int nth = 1; nth <= 3; ++nth) {
      CAPTURE(nth);
      World world;
      world.create(First{1});
      world.destroy(world.create(First{2}, Second{}));  // The archetype has no rows.
      auto query = world.query<const First>();
      world.create(First{3}, Second{});
      int visits = 0;
      allocations_left = nth;
      memory_is_short = true;
      try {
        const Counting counting(true);
        query.each([&](const First&) { ++visits; });
      } catch (const std::bad_alloc&) {
        CHECK(visits == 0);
      }
      memory_is_short = false;
      visits = 0;
      query.each([&](const First&) { ++visits; });
      CHECK(visits == 2);
    }
  }
}

}  // namespace strata::test::parallel_memory_test
