#include "questions.hpp"
#include "support/suite.hpp"

namespace strata::bench {

namespace {

using Ask = void (*)(Suite&, const Subject&);

/// In the order of the report.
constexpr Ask kQuestions[] = {
    ask_update_affine, ask_update_pos,     ask_update_after_edits, ask_settling,      ask_dirty_1pct,
    ask_dirty_one,     ask_build,          ask_build_hierarchy,    ask_delete_tree,   ask_delete_leaves,
    ask_reparent_leaf, ask_reparent_inner, ask_children_sum,       ask_ancestors_sum, ask_memory,
};

void ask_all(Suite& suite) {
  for (const Ask ask : kQuestions) {
    for (const Shape shape : kShapes) {
      for (const std::uint32_t nodes : {10'000u, 100'000u, 1'000'000u}) ask(suite, {shape, nodes});
    }
  }
  ask_spawn_units(suite);
}

}  // namespace
}  // namespace strata::bench

int main(int argc, char** argv) {
  return strata::bench::run_suite(argc, argv, strata::bench::ask_all);
}
