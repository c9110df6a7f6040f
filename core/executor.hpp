// Executor: the interface through which the library runs work on the threads of a program.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include "compiler.hpp"

namespace strata {

/// A function that receives ranges of numbers, for Executor::parallel_for: `body(begin, end)` works on the numbers from
/// `begin` up to, but not including, `end`. A RangeFunction refers to the function that it was made from, and does not
/// copy it. If it was made from a std::shared_ptr, it shares the ownership of the function; otherwise, the function has
/// to outlive it. The RangeFunctions that the library passes to an executor share the ownership. These RangeFunctions
/// throw nothing, except if the executor calls one after parallel_for has returned: such a late call does no work and
/// only reports a broken contract.
/// Threads: any number at a time, each with another range.
class RangeFunction {
 public:
  template <class Function>
  requires(!std::is_same_v<std::remove_const_t<Function>, RangeFunction>) RangeFunction(Function& function)
      : function_(detail::address_of(function)),
        call_([](const void* of, std::size_t begin, std::size_t end) {
          (*static_cast<Function*>(const_cast<void*>(of)))(begin, end);
        }) {}
  /// Shares the ownership of the function: each copy of the RangeFunction keeps the function alive.
  template <class Function>
  explicit RangeFunction(std::shared_ptr<Function> function) : RangeFunction(*function) {
    owner_ = std::move(function);
  }

  void operator()(std::size_t begin, std::size_t end) const { call_(function_, begin, end); }

 private:
  const void* function_;
  void (*call_)(const void* function, std::size_t begin, std::size_t end);
  std::shared_ptr<const void> owner_;  // Null, or keeps the function alive.
};

/// The interface to the threads of a program, such as those of an engine's job system. The library starts no thread by
/// itself: calls that work in parallel take an executor. An implementation defines the three functions below by means
/// of the program's threads.
///
/// The results of parallel calls depend neither on the number of workers, nor on which worker takes which range, nor on
/// timing. If the functions of an executor do not do what their comments say, a contract of the call that uses the
/// executor is broken; the message to the contract handler names the error.
class Executor {
 public:
  /// The most workers that an executor may have.
  static constexpr std::size_t kMostWorkers = 1024;

  Executor() = default;
  Executor(const Executor&) = default;
  Executor& operator=(const Executor&) = default;
  virtual ~Executor() = default;

  /// Divides the numbers from 0 up to, but not including, `count` into ranges, and calls `body` on a worker for each
  /// range. Each number is in exactly one range. Ranges may have any length; a range of about `grain` numbers is long
  /// enough to be worth a worker's time. Returns after the last call of `body` has ended. A worker may call
  /// `parallel_for` inside `body`.
  virtual void parallel_for(std::size_t count, std::size_t grain, RangeFunction body) = 0;

  /// Returns: the number of workers, from 1 to kMostWorkers, the calling thread included if it calls `body`, too. The
  /// number stays the same during a `parallel_for`.
  virtual std::size_t worker_count() const noexcept = 0;

  /// Returns: the number of the worker that calls this function inside a `body`: less than `worker_count()`, and
  /// different for all threads that work on the same `parallel_for` at the same time.
  virtual std::size_t worker_index() const noexcept = 0;
};

/// An executor with one worker, the calling thread: everything is done in order.
class STRATA_API InlineExecutor final : public Executor {
 public:
  void parallel_for(std::size_t count, std::size_t grain, RangeFunction body) override;
  std::size_t worker_count() const noexcept override;
  std::size_t worker_index() const noexcept override;
};

}  // namespace strata
