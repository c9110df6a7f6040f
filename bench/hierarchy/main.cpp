#include "questions.hpp"
#include "support/suite.hpp"

namespace strata::bench {

namespace {

void ask_all(Suite& suite) {
  using Ask = void (*)(Suite&, const Subject&);
  for (const Ask ask : {Ask{ask_update_affine}, Ask{ask_build}, Ask{ask_memory}}) {
    for (const CreationOrder order : {CreationOrder::breadth_first, CreationOrder::shuffled}) {
      for (const Shape shape : kShapes) {
        for (const std::uint32_t nodes : {10'000u, 100'000u, 1'000'000u}) ask(suite, {shape, nodes, order});
      }
    }
  }
}

}  // namespace
}  // namespace strata::bench

int main(int argc, char** argv) {
  return strata::bench::run_suite(argc, argv, strata::bench::ask_all);
}
