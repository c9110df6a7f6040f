// BuiltHierarchy: the result of World::build_hierarchy, which creates many entities with their parents at
// once.
#pragma once

#include <cstdint>
#include <vector>

#include "../../core/entity.hpp"
#include "../../core/outcome.hpp"

namespace strata {

/// Stands for "no parent" in the parent indices that World::build_hierarchy receives.
inline constexpr std::uint32_t kNoParent = 0xFFFF'FFFF;

/// The result of World::build_hierarchy: the new entities or, if none were created, the reason. A node is an entity to
/// create. No entity is created if the parents of the nodes do not form a forest, or if the number of values of some
/// component differs from the number of nodes.
struct BuiltHierarchy {
  Outcome outcome;               ///< Success, or a refusal with a message that says why nothing was created.
  std::vector<Entity> entities;  ///< The entity of each node, in the order of the nodes.
};

}  // namespace strata
