// OutsideReferences: what becomes of references from a part of a world to the rest.
#pragma once

#include <cstdint>

namespace strata {

/// What becomes of references from a subtree to entities outside, in values and as pairs of relations, when it is taken
/// out of its world.
enum class OutsideReferences : std::uint8_t {
  keep,  ///< Values keep the handles; pairs are added again where the other entity is alive when it is inserted.
  null,    ///< Handles in values become null; pairs are left out.
  refuse,  ///< The subtree is not taken out if there is one to an entity that is alive.
};

}  // namespace strata
