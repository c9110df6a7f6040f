#include "questions.hpp"
#include "support/sizes.hpp"

namespace strata::bench {
namespace {

using Ask = void (*)(Suite&, std::size_t);

/// In the order of the report.
constexpr Ask kQuestions[] = {ask_iterate_2, ask_iterate_7comps_of_2, ask_frag_1024, ask_sparse_filter,
                              ask_two_pools};

void ask_all(Suite& suite) {
  for (const Ask ask : kQuestions) {
    for (const std::size_t n : kSizes) ask(suite, n);
  }
  for (const std::size_t n : {1, 10, 100, 1'000}) ask_small_world(suite, n);
  ask_frag_26x20(suite);
  ask_query_create(suite);
  ask_new_table_100q(suite);
  ask_many_archetypes(suite);
}

}  // namespace
}  // namespace strata::bench

int main(int argc, char** argv) {
  return strata::bench::run_suite(argc, argv, strata::bench::ask_all);
}
