// Work: one way of doing what a bench asks for, as Google Benchmark will call it.
#pragma once

#include <functional>
#include <string>

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

}  // namespace strata::bench
