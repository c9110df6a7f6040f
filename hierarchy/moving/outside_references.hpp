// OutsideReferences: what happens to references from a part of a world to the rest.
#pragma once

#include <cstdint>

namespace strata {

/// What happens to the references from a subtree to entities outside of it when the subtree is taken out of its world.
/// References are handles in values, and pairs of relations.
enum class OutsideReferences : std::uint8_t {
  keep,    ///< Values keep the handles; inserting adds a pair again if the other entity is alive.
  null,    ///< Handles in values become null; pairs are left out.
  refuse,  ///< The subtree is not taken out if it has a reference to a live entity outside.
};

}  // namespace strata
