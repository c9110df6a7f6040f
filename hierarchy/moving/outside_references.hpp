// OutsideReferences: what happens to references from a part of a world to the rest.
#pragma once

#include <cstdint>

namespace strata {

/// What happens to references from a subtree to entities outside, in values and in pairs of relations, when the subtree
/// is taken out of its world.
enum class OutsideReferences : std::uint8_t {
  keep,    ///< Values keep the handles; a pair is added again at the insertion, if the other entity is alive.
  null,    ///< Handles in values become null; pairs are left out.
  refuse,  ///< The subtree is not taken out if it has a reference to a live entity outside.
};

}  // namespace strata
