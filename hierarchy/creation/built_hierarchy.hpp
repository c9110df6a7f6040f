// BuiltHierarchy: what building a whole forest came to.
#pragma once

#include <cstdint>
#include <vector>

#include "../../core/entity.hpp"
#include "../../core/outcome.hpp"

namespace strata {

/// The parent index of a root.
inline constexpr std::uint32_t kNoParent = 0xFFFF'FFFF;

/// What building a forest came to.
struct BuiltHierarchy {
  Outcome outcome;               ///< Refused, with a sentence that names the nodes: nothing was created.
  std::vector<Entity> entities;  ///< The entity of each node.
};

}  // namespace strata
