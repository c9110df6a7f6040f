#include "../../core/task_run.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "../support/failing_memory.hpp"
#include "../support/refusal.hpp"
#include "../support/thread_executor.hpp"

namespace strata::test::task_run_test {

using detail::run_tasks;

namespace {

std::pmr::memory_resource* heap() {
  return std::pmr::new_delete_resource();
}

/// Calls a function in the place of parallel_for.
class OwnExecutor final : public Executor {
 public:
  using Function = std::function<void(std::size_t count, RangeFunction body)>;
  OwnExecutor(std::size_t workers, std::size_t index, Function function)
      : workers_(workers), index_(index), function_(std::move(function)) {}
  std::size_t worker_count() const noexcept override { return workers_; }
  std::size_t worker_index() const noexcept override { return index_; }
  void parallel_for(std::size_t count, std::size_t, RangeFunction body) override { function_(count, body); }

 private:
  std::size_t workers_;
  std::size_t index_;
  Function function_;
};

void whole(std::size_t count, RangeFunction body) {
  body(0, count);
}

/// Runs 10 tasks on an executor that is not as it should be.
/// Returns: the sentence of the contract that it breaks; what it let be done is in `counts`.
std::string refusal_of(Executor& executor, std::vector<int>* counts = nullptr) {
  std::vector<std::atomic<int>> done(10);
  auto task = [&](std::size_t index) { ++done[index]; };
  const std::string sentence = refusal([&] { run_tasks(executor, 10, 2, heap(), task); });
  for (std::size_t i = 0; counts != nullptr && i < done.size(); ++i) counts->push_back(done[i]);
  return sentence;
}

}  // namespace

TEST_SUITE("core/task_run") {
  TEST_CASE("each task is done once, by one thread or by several threads, in whatever order") {
    for (const std::size_t workers : {1, 2, 3, 8}) {
      for (const std::uint32_t seed : {0, 1, 2}) {
        for (const std::size_t count : {0, 1, 7, 512, 513, 2000}) {
          ThreadExecutor executor(workers, {seed});
          std::vector<int> done(count, 0);
          std::atomic<bool> numbered = true;
          auto task = [&](std::size_t index) {
            ++done[index];
            if (executor.worker_index() >= workers) numbered = false;
          };
          run_tasks(executor, count, 16, heap(), task);
          CHECK((done == std::vector<int>(count, 1)));
          CHECK(numbered);
        }
      }
    }
  }

  TEST_CASE("the inline executor does everything in order on the calling thread") {
    InlineExecutor executor;
    std::vector<std::size_t> order;
    auto task = [&](std::size_t index) { order.push_back(index); };
    run_tasks(executor, 4, 1, heap(), task);
    CHECK((order == std::vector<std::size_t>{0, 1, 2, 3}));
    CHECK(executor.worker_count() == 1);
    CHECK(executor.worker_index() == 0);
    const auto never = [](std::size_t, std::size_t) { FAIL("an empty range was handed out"); };
    executor.parallel_for(0, 1, never);
  }

  TEST_CASE("of several threads' exceptions, the first by position is passed on, and all before it is done") {
    for (std::uint32_t seed = 1; seed < 40; ++seed) {
      ThreadExecutor executor(3, {seed});
      std::vector<std::atomic<int>> done(200);
      auto task = [&](std::size_t index) {
        if (index % 50 == 40) throw std::runtime_error(std::to_string(index));
        ++done[index];
      };
      std::string thrown;
      try {
        run_tasks(executor, 200, 4, heap(), task);
      } catch (const std::runtime_error& error) {
        thrown = error.what();
      }
      CHECK(thrown == "40");
      for (std::size_t i = 0; i < 40; ++i) CHECK(done[i] == 1);
    }
  }

  TEST_CASE("of several threads' exceptions, a later one of a later task is not passed on") {
    OwnExecutor executor(2, 0, [](std::size_t, RangeFunction body) {
      std::thread other([body] { body(1, 2); });
      body(0, 1);
      other.join();
    });
    std::atomic<bool> begun = false;
    std::atomic<bool> thrown = false;
    auto task = [&](std::size_t index) {
      (index == 0 ? thrown : begun) = true;
      while (!(index == 0 ? begun : thrown)) std::this_thread::yield();
      if (index == 1) std::this_thread::sleep_for(std::chrono::milliseconds(5));
      throw std::runtime_error(std::to_string(index));
    };
    CHECK_THROWS_WITH(run_tasks(executor, 2, 1, heap(), task), "0");
  }

  TEST_CASE("tasks after one that has thrown are left out") {
    InlineExecutor executor;
    std::size_t last = 0;
    auto task = [&](std::size_t index) {
      last = index;
      if (index == 3) throw std::runtime_error("three");
    };
    CHECK_THROWS_WITH(run_tasks(executor, 10, 1, heap(), task), "three");
    CHECK(last == 3);
  }

  TEST_CASE(
      "an executor with no worker or 10,000 workers, and a grain of 0, are refused before anything is done") {
    for (const std::size_t workers : {std::size_t{0}, std::size_t{10'000}}) {
      OwnExecutor executor(workers, 0, whole);
      std::vector<int> counts;
      CHECK(says(refusal_of(executor, &counts), "worker_count() is from 1 to 1024"));
      CHECK((counts == std::vector<int>(10, 0)));
    }
    InlineExecutor executor;
    auto task = [](std::size_t) { FAIL("a task was done"); };
    CHECK(says(refusal([&] { run_tasks(executor, 10, 0, heap(), task); }), "it is 1 or more"));
  }

  TEST_CASE("an executor that hands out a number twice is refused, and no task is done twice") {
    OwnExecutor executor(2, 0, [](std::size_t, RangeFunction body) {
      std::thread other([&] { body(0, 6); });
      body(4, 10);
      other.join();
    });
    std::vector<int> counts;
    CHECK(says(refusal_of(executor, &counts), "a number twice"));
    for (const int count : counts) CHECK(count <= 1);
  }

  TEST_CASE("an executor that leaves out numbers, or hands out others, is refused") {
    OwnExecutor never(2, 0, [](std::size_t, RangeFunction) {});
    CHECK(says(refusal_of(never), "did not hand out all numbers"));
    OwnExecutor some(2, 0, [](std::size_t, RangeFunction body) { body(0, 9); });
    CHECK(says(refusal_of(some), "did not hand out all numbers"));
    OwnExecutor more(2, 0, [](std::size_t count, RangeFunction body) { body(0, count + 1); });
    CHECK(says(refusal_of(more), "not within the numbers"));
    OwnExecutor backwards(2, 0, [](std::size_t count, RangeFunction body) { body(count, 0); });
    CHECK(says(refusal_of(backwards), "not within the numbers"));
  }

  TEST_CASE("an executor that runs on a foreign thread is refused") {
    OwnExecutor executor(2, 2, whole);
    std::vector<int> counts;
    CHECK(says(refusal_of(executor, &counts), "none of its workers"));
    CHECK((counts == std::vector<int>(10, 0)));
  }

  TEST_CASE("an executor that returns while threads are at work is waited for, and refused") {
    std::vector<std::thread> threads;
    std::atomic<bool> begun = false;
    OwnExecutor executor(2, 0, [&](std::size_t count, RangeFunction body) {
      threads.emplace_back([body, count] { body(0, count); });
      while (!begun) std::this_thread::yield();
    });
    std::atomic<int> done = 0;
    auto task = [&](std::size_t) {
      begun = true;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      ++done;
    };
    CHECK(says(refusal([&] { run_tasks(executor, 10, 1, heap(), task); }), "before the last call had ended"));
    CHECK(done > 0);
    for (std::thread& thread : threads) thread.join();
  }

  TEST_CASE("an executor that keeps its function is refused when it calls it later, also by other threads") {
    std::vector<RangeFunction> kept;
    OwnExecutor executor(2, 0, [&](std::size_t count, RangeFunction body) {
      body(0, count);
      kept.push_back(body);
    });
    {
      std::vector<int> done(10, 0);
      auto task = [&](std::size_t index) { ++done[index]; };
      run_tasks(executor, 10, 1, heap(), task);
      CHECK((done == std::vector<int>(10, 1)));
    }
    std::vector<std::string> sentences(3);
    std::vector<std::thread> threads;
    for (std::string& sentence : sentences) {
      threads.emplace_back([&] { sentence = refusal([&] { kept.front()(0, 10); }); });
    }
    for (std::thread& thread : threads) thread.join();
    for (const std::string& sentence : sentences) CHECK(says(sentence, "after parallel_for had returned"));
  }

  TEST_CASE("threads that begin while the executor returns either work before the end or are refused") {
    for (int round = 0; round < 50; ++round) {
      std::thread other;
      std::string late;
      OwnExecutor executor(2, 0, [&](std::size_t count, RangeFunction body) {
        other = std::thread([&late, body, count] { late = refusal([&] { body(count / 2, count); }); });
        body(0, count / 2);
        if (round % 2 == 0) std::this_thread::yield();
      });
      std::atomic<int> done = 0;
      auto task = [&](std::size_t) { ++done; };
      const std::string sentence = refusal([&] { run_tasks(executor, 10, 1, heap(), task); });
      const int done_at_end = done;
      other.join();
      CHECK(done == done_at_end);
      CHECK((done == 10) == late.empty());
      CHECK((done == 10 || says(sentence, "did not hand out all numbers")));
      CHECK((late.empty() || says(late, "after parallel_for had returned")));
    }
  }

  TEST_CASE("what the executor throws passes through") {
    OwnExecutor executor(2, 0, [](std::size_t, RangeFunction body) {
      body(0, 2);
      throw std::runtime_error("no threads");
    });
    auto task = [](std::size_t) {};
    CHECK_THROWS_WITH(run_tasks(executor, 10, 1, heap(), task), "no threads");
  }

  TEST_CASE("if there is no memory for many tasks, none is done") {
    FailingMemory memory;
    memory.fail_at(1);
    InlineExecutor executor;
    int done = 0;
    auto task = [&](std::size_t) { ++done; };
    CHECK_THROWS_AS(run_tasks(executor, 10'000, 1, &memory, task), std::bad_alloc);
    CHECK(done == 0);
    run_tasks(executor, 100, 1, &memory, task);
    CHECK(done == 100);
  }
}

}  // namespace strata::test::task_run_test
