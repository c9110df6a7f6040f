#include <strata/strata.hpp>

#include <iostream>
#include <string>
#include <thread>
#include <vector>

struct Position { float x; };
struct Frozen {};

int g_broken = 0;

/// Called where a contract is broken. A game would write file and line of the call to its log.
[[noreturn]] void count_and_throw(const strata::ContractFailure& failure) {
  ++g_broken;
  throw strata::ContractViolation(failure.message);
}

template <class Function>
void try_out(const char* what, Function function) {
  try {
    function();
    std::cout << what << ": allowed\n";
  } catch (const strata::ContractViolation& broken) {
    std::cout << what << ": " << broken.what() << '\n';
  }
}

int main() {
  strata::World world;
  strata::set_contract_handler(count_and_throw);
  const strata::Entity rock = world.create(Position{1});
  const strata::Entity gone = world.create(Position{2});
  world.destroy(gone);

  // What may be absent is asked for; what has to be there is required.
  std::cout << "find: " << (world.find<Position>(gone) ? "there" : "not there") << '\n';
  std::cout << "destroy again: " << (world.destroy(gone) ? "destroyed" : "was gone") << '\n';
  try_out("get of what is gone", [&] { world.get<Position>(gone).x = 0; });

  // While a query visits, values are written and changes are recorded. Changes themselves are refused.
  auto positions = world.query<strata::Entity, Position>();
  try_out("set in a visit", [&] {
    positions.each([&](strata::Entity entity, Position&) { world.set(entity, Position{3}); });
  });
  try_out("add in a visit", [&] {
    positions.each([&](strata::Entity entity, Position&) { world.add<Frozen>(entity); });
  });
  positions.each([&](strata::Entity entity, Position&) { world.commands().add<Frozen>(entity); });
  std::cout << "after the visit: " << (world.has<Frozen>(rock) ? "frozen" : "not frozen") << '\n';

  // Several threads may read a const World, each with a query of its own.
  const strata::World& reader = world;
  std::vector<float> sums(4);
  std::vector<std::thread> threads;
  for (float& sum : sums) {
    threads.emplace_back([&reader, &sum] {
      reader.query<const Position>().each([&](const Position& position) { sum += position.x; });
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::cout << "each thread read " << sums[0] << "; contracts broken: " << g_broken << '\n';
}
