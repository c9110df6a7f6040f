#include "each_2.hpp"
#include "support/suite.hpp"

int main(int argc, char** argv) {
  return strata::bench::run_suite(argc, argv, strata::bench::ask_each_2);
}
