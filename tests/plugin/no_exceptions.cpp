// A program that is compiled without exceptions, without run-time type information, or without both, as the library in
// it. Usage: no_exceptions [broken | handled]
//   (nothing)  uses a world in most ways; prints what did not go as it should
//   broken     breaks a contract: with exceptions, catches what is thrown and prints the sentence; else the library
//              prints it and aborts
//   handled    breaks a contract with a handler of its own, which prints the sentence and ends the program
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "use_world.hpp"

namespace {

// Returns: the damage of the pool's first member. Leaves the loop early, which ends the iteration.
int first_damage(strata::World& world) {
  for (auto [fire] : world.query<const Burning>()) return fire.damage;
  return 0;
}

// Sorts in the ways that catch exceptions where there are any.
void use_sorting(strata::World& world) {
  for (const int damage : {2, 3, 1}) world.create(Burning{damage});
  const auto pool = [&] { return world.pool<Burning>(); };
  pool().sort([](const Burning& a, const Burning& b) { return a.damage < b.damage; },
              strata::sorting::InPlace<>());
  expect(first_damage(world) == 1, "sort in place");
  pool().sort([](const Burning& a, const Burning& b) { return a.damage > b.damage; },
              strata::sorting::BySwaps<>());
  expect(first_damage(world) == 3, "sort by swaps");
  pool().clear();
}

void use_trees(strata::World& world) {
  const std::size_t before = world.size();
  const strata::Entity root = world.create(Position{1, 2});
  for (int i = 0; i < 100; ++i) world.create(strata::child_of(root), Position{3, 4}, Mass{1});
  const strata::Entity copy = world.instantiate(root);
  expect(world.size() == before + 202, "instantiate");
  expect(world.defragment(), "defragment");
  expect(!world.set_parent(root, *world.children(root).begin()), "a refused cycle");
  world.destroy(root);
  world.destroy(copy);
  expect(world.shrink(), "shrink");
  expect(bool(world.validate()), "validate");
}

void report(const strata::ContractFailure& failure) {
  std::fprintf(stderr, "handler: %s\n", failure.message);
  std::exit(3);
}

int break_contract(strata::World& world) {
  const auto broken = [&] { world.get<Mass>(world.create(Position{})).kilograms = 1; };
#if defined(__cpp_exceptions)
  try {
    broken();
  } catch (const strata::ContractViolation& violation) {
    std::fprintf(stderr, "caught: %s\n", violation.what());
    return 3;
  }
#else
  broken();
#endif
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  strata::World world;
  if (argc > 1) {
    if (std::string_view(argv[1]) == "handled") strata::set_contract_handler(report);
    return break_contract(world);
  }
  for (int turn = 0; turn < 3; ++turn) {
    std::string complaint = use(world);
    if (complaint.empty()) {
      use_sorting(world);
      use_trees(world);
      complaint = g_complaint;
    }
    if (complaint.empty()) continue;
    std::fprintf(stderr, "turn %d: %s\n", turn, complaint.c_str());
    return 1;
  }
  return 0;
}
