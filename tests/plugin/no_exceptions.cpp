// A program that is compiled without exceptions and without run-time type information, as the library in it.
// Usage: no_exceptions [broken]
//   (nothing)  uses a world in most ways; prints what did not go as it should
//   broken     breaks a contract, which prints the sentence and aborts
#include <cstdio>
#include <string_view>

#include "use_world.hpp"

int main(int argc, char** argv) {
  strata::World world;
  if (argc > 1 && std::string_view(argv[1]) == "broken") {
    world.get<Mass>(world.create(Position{})).kilograms = 1;
    return 0;
  }
  for (int turn = 0; turn < 3; ++turn) {
    const std::string complaint = use(world);
    if (complaint.empty()) continue;
    std::fprintf(stderr, "turn %d: %s\n", turn, complaint.c_str());
    return 1;
  }
  return 0;
}
