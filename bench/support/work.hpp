// Work: one way of doing what a bench asks for, as Google Benchmark will call it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace strata::bench {

/// What is wrong with a result, as a sentence; empty when it is right.
using Complaint = std::string;

/// One way of doing the work: strata's, or by hand.
///
/// A step does the whole of it for all items of the bench, so that the call through `std::function` costs
/// nothing beside it.
struct Work {
  std::function<void()> step;             ///< Timed.
  std::function<Complaint()> check = {};  ///< After each timed loop: compares its result with the limit's.
  std::function<void()> prepare = {};     ///< Before each step, not timed.
};

/// Calls `function.operator()<number>()` for all numbers below `count`, in order.
template <std::size_t count>
void for_numbers(auto function) {
  const auto call = [&function]<std::size_t... number>(std::index_sequence<number...>) {
    (function.template operator()<number>(), ...);
  };
  call(std::make_index_sequence<count>());
}

/// Returns: a query that a const function object can iterate.
template <class Query>
std::shared_ptr<Query> kept(Query query) {
  return std::make_shared<Query>(std::move(query));
}

/// A work on a state of its own, which each of the three functions is given.
Work work_on(auto state, auto step, auto check) {
  return {.step = [state, step] { step(*state); }, .check = [state, check] { return check(*state); }};
}
Work work_on(auto state, auto step, auto check, auto prepare) {
  Work work = work_on(state, step, check);
  work.prepare = [state, prepare] { prepare(*state); };
  return work;
}

/// The work of an object whose `step()` does all of it. Its `check()` and `prepare()` are used where it has them.
Work work_of(auto doer) {
  Work work{.step = [doer] { doer->step(); }};
  if constexpr (requires { doer->check(); }) work.check = [doer] { return doer->check(); };
  if constexpr (requires { doer->prepare(); }) work.prepare = [doer] { doer->prepare(); };
  return work;
}

/// The same of the question's data itself, where that does the work by hand.
template <class Data>
Work work_of_data(Data& data) {
  return work_of(std::shared_ptr<Data>(std::shared_ptr<Data>(), &data));
}

/// The same of a `Doer` that is made for it.
template <class Doer, class... Args>
Work work_by(Args&&... args) {
  return work_of(std::make_shared<Doer>(std::forward<Args>(args)...));
}

/// The same of a `Doer` that is made anew before each step.
template <class Doer, class... Args>
Work work_by_new(const Args&... args) {
  const auto doer = std::make_shared<std::optional<Doer>>();
  return {.step = [doer] { (*doer)->step(); },
          .check = [doer] { return (*doer)->check(); },
          .prepare = [doer, args...] { doer->emplace(args...); }};
}

/// A step is `sum()`, which is right if it returns `expected`.
Work summing(std::uint64_t expected, auto sum, const char* complaint = "the sum is wrong") {
  const auto last = std::make_shared<std::uint64_t>(0);
  return {.step = [last, sum] { *last = sum(); },
          .check = [last, expected, complaint] { return *last == expected ? "" : complaint; }};
}

}  // namespace strata::bench
