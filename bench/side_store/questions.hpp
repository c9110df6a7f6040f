// Questions: what the side-store benches ask, one function per question.
#pragma once

#include <cstddef>

#include "support/suite.hpp"

namespace strata::bench {

/// How long does it take to sort a pool by values in random order, in each way?
void ask_sort_random(Suite& suite, std::size_t n);

/// How long does it take if one value in a hundred is a few places away from its own?
void ask_sort_almost(Suite& suite, std::size_t n);

/// How long does it take if a hundred values belong anywhere else, at once and in steps?
void ask_sort_moved(Suite& suite, std::size_t n);

/// How long does it take to bring a pool into the order of another?
void ask_sort_like(Suite& suite, std::size_t n);

/// How long does it take to put ancestors before their descendants?
void ask_sort_by_depth(Suite& suite, std::size_t n);

}  // namespace strata::bench
