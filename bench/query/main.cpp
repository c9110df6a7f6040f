#include "questions.hpp"

int main(int argc, char** argv) {
  return strata::bench::run_suite(argc, argv, [](strata::bench::Suite& suite) {
    ask_iteration(suite);
    ask_side_store(suite);
    ask_small_world(suite);
    ask_new_table_100q(suite);
    ask_archetypes(suite);
    ask_toggles(suite);
    ask_systems(suite);
  });
}
