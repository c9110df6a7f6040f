#include "questions.hpp"
#include "support/sizes.hpp"

namespace strata::bench {
namespace {

using Ask = void (*)(Suite&, std::size_t);

/// In the order of the report.
constexpr Ask kQuestions[] = {
    ask_create_0,
    ask_create_2,
    ask_create_2_bulk,
    ask_destroy_2,
    ask_destroy_pools,
    ask_churn,
    ask_get_random,
    ask_has_random,
    ask_add_remove_arch,
    ask_toggle_sparse,
    ask_toggle_sparse_two_passes,
    ask_toggle_sparse_tag,
    ask_cmd_buffer,
    ask_memory,
};

void ask_all(Suite& suite) {
  for (const Ask ask : kQuestions) {
    for (const std::size_t n : kSizes) ask(suite, n);
  }
}

}  // namespace
}  // namespace strata::bench

int main(int argc, char** argv) {
  return strata::bench::run_suite(argc, argv, strata::bench::ask_all);
}
