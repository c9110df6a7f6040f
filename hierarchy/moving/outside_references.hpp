// OutsideReferences: what happens to references to entities outside of a subtree when the subtree is taken out of its
// world.
#pragma once

#include <cstdint>

namespace strata {

/// What happens to the references from a subtree to entities outside of it when the subtree is taken out of its world.
/// References are handles in values, and pairs of relations.
enum class OutsideReferences : std::uint8_t {
  /// Values keep the handles. When the subtree is inserted into a world, a pair is added again if its target was alive
  /// in that world before the insertion.
  keep,
  null,    ///< Handles in values become null; pairs are left out.
  refuse,  ///< The subtree is not taken out if it has a reference to a live entity outside.
};

}  // namespace strata
