// Numbers: a tree with a number per node, for the questions that sum them up.
#pragma once

#include <cstdint>
#include <strata/strata.hpp>
#include <vector>

#include "families.hpp"
#include "shapes.hpp"
#include "subject.hpp"

namespace strata::bench {

struct Number {
  float value;
};

struct Total {
  float value;
};

/// Numbers so small and whole that a sum is the same in any order.
struct NumberData {
  explicit NumberData(const Subject& subject);

  Tree tree;
  Creation creation;
  std::uint32_t roots;
  std::vector<float> numbers;  ///< By node.
};

/// The same in a world: a number and a total per entity, the rows settled.
class NumberScene {
 public:
  NumberScene(Layout layout, const NumberData& data);

  World& world() { return world_; }
  const World& world() const { return world_; }

  /// Returns: the handles by node.
  const std::vector<Entity>& handles() const { return handles_; }

 private:
  World world_;
  std::vector<Entity> handles_;
};

}  // namespace strata::bench
