#include "questions.hpp"
#include "support/sizes.hpp"

namespace strata::bench {
namespace {

using Ask = void (*)(Suite&, std::size_t);

/// In the order of the report.
constexpr Ask kQuestions[] = {ask_sort_random, ask_sort_almost, ask_sort_moved, ask_sort_like,
                              ask_sort_by_depth};

/// The smallest is for the tests; between the others lie the sizes of the caches.
constexpr std::size_t kPoolSizes[] = {kSizes[0], 10'000, 100'000, 1'000'000};

void ask_all(Suite& suite) {
  for (const Ask ask : kQuestions) {
    for (const std::size_t n : kPoolSizes) ask(suite, n);
  }
}

}  // namespace
}  // namespace strata::bench

int main(int argc, char** argv) {
  return strata::bench::run_suite(argc, argv, strata::bench::ask_all);
}
