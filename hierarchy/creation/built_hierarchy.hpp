// BuiltHierarchy: the result of building a whole forest.
#pragma once

#include <cstdint>
#include <vector>

#include "../../core/entity.hpp"
#include "../../core/outcome.hpp"

namespace strata {

/// Marks a root in the parent indices of World::build_hierarchy.
inline constexpr std::uint32_t kNoParent = 0xFFFF'FFFF;

/// The result of World::build_hierarchy: the new entities, or why none were created.
struct BuiltHierarchy {
  Outcome outcome;               ///< Refused with a sentence that names the nodes; nothing was created then.
  std::vector<Entity> entities;  ///< The entity of each node.
};

}  // namespace strata
