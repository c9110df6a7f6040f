// Builds a forest below an entity or not, and returns its entities.
#pragma once

#include <utility>
#include <vector>

#include "../../hierarchy/creation/built_hierarchy.hpp"
#include "../../hierarchy/creation/forest.hpp"
#include "../../hierarchy/hierarchy.hpp"

namespace strata::test {

inline BuiltHierarchy build_forest(detail::Hierarchy& hierarchy, const detail::Forest& forest,
                                   Entity above = Entity()) {
  std::vector<Entity> entities(forest.parents.size());
  Outcome outcome = hierarchy.build(forest, above, entities);
  return {std::move(outcome), std::move(entities)};
}

}  // namespace strata::test
