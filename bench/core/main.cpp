#include "questions.hpp"

int main(int argc, char** argv) {
  return strata::bench::run_suite(argc, argv, [](strata::bench::Suite& suite) {
    ask_creation(suite);
    ask_destruction(suite);
    ask_look_ups(suite);
    ask_changes(suite);
    ask_observers(suite);
    ask_requirements(suite);
  });
}
