#include "questions.hpp"

int main(int argc, char** argv) {
  return strata::bench::run_suite(argc, argv, [](strata::bench::Suite& suite) {
    ask_updates(suite);
    ask_for_trees(suite, {strata::bench::ask_defragmentation});
    ask_dirty(suite);
    ask_building(suite);
    ask_destroying(suite);
    ask_walks(suite);
    ask_spawn_units(suite);
    ask_events(suite);
    ask_names(suite);
    ask_relations(suite);
    ask_states(suite);
    ask_prefabs(suite);
    ask_checkpoints(suite);
    ask_saving(suite);
    ask_moving(suite);
    ask_threads(suite);
  });
}
