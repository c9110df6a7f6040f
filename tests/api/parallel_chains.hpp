// What tests of visits by several threads work on: a forest of chains, and an executor that does not work.
#pragma once

#include <strata/strata.hpp>

#include <cstddef>

namespace strata::test::parallel_test {

struct Position {
  int value = 0;
};
struct World3 {
  int value = 0;
};

/// A forest of `roots` chains, each with `depth` entities.
inline void make_chains(World& world, int roots, int depth) {
  for (int root = 0; root < roots; ++root) {
    Entity above = world.create(Position{root}, World3{});
    for (int level = 1; level < depth; ++level) above = world.create(child_of(above), Position{1}, World3{});
  }
}

/// An executor that does not work: it says that it has a number of workers, and never calls anything.
class Idle final : public Executor {
 public:
  explicit Idle(std::size_t workers) : workers_(workers) {}
  std::size_t worker_count() const noexcept override { return workers_; }
  std::size_t worker_index() const noexcept override { return 0; }
  void parallel_for(std::size_t, std::size_t, RangeFunction) override { ++calls; }
  int calls = 0;

 private:
  std::size_t workers_;
};

}  // namespace strata::test::parallel_test
