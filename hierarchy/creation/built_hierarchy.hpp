// BuiltHierarchy: the result of World::build_hierarchy, which creates many entities with their parents at
// once.
#pragma once

#include <cstdint>
#include <vector>

#include "../../core/entity.hpp"
#include "../../core/outcome.hpp"

namespace strata {

/// The parent index of a node without a parent, in the argument of World::build_hierarchy.
inline constexpr std::uint32_t kNoParent = 0xFFFF'FFFF;

/// The result of World::build_hierarchy: the new entities, or a refusal that says why none were created: the parents do
/// not form a forest, or there is not one value for each node.
struct BuiltHierarchy {
  Outcome outcome;               ///< If refused, nothing was created; its sentence names the invalid nodes.
  std::vector<Entity> entities;  ///< The entity of each node, in the order of the nodes.
};

}  // namespace strata
