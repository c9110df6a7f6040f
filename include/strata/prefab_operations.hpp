// PrefabOperations: the operations of a World that make prefabs, which are templates for copies.
#pragma once

#include "state_operations.hpp"

namespace strata {

/// The operations of a World that make prefabs: a base class of World, which says what holds for all of them.
///
/// A prefab is an entity that is a template for `instantiate`, with all entities below it. It leaves all queries that
/// do not name the tag Prefab, as `With<Prefab>` or `Maybe<Prefab>` do. What is created below it or moved there leaves
/// them, too, and what moves out comes back. Nothing else changes: values are found by `get`, and pools hold them. A
/// prefab may be disabled at the same time, and queries then have to name both tags.
///
/// A copy of a prefab, made by `instantiate`, is no prefab, unless its parent is a part of one. Entities below it that
/// were made prefabs on their own stay prefabs in copies.
class PrefabOperations : public StateOperations {
 public:
  /// `make_prefab` makes an entity a prefab, with all entities below it. `unmake_prefab` ends that; what is below
  /// another prefab stays a part of that one.
  /// Returns: false if the entity is stale, or was made a prefab before (was not).
  /// Invalidates: pointers to components in tables of these entities, and of others in the same tables.
  /// Complexity: O(entities that become prefabs or cease to be), and O(their components).
  bool make_prefab(Entity entity) {
    return parts_->states.set_subtree(detail::State::prefab, entity, true, "make_prefab");
  }
  bool unmake_prefab(Entity entity) {
    return parts_->states.set_subtree(detail::State::prefab, entity, false, "unmake_prefab");
  }

  /// Returns: whether the entity is a prefab or a part of one; false for a stale entity.
  /// Complexity: O(1).
  [[nodiscard]] STRATA_API bool is_prefab(Entity entity) const;

 protected:
  using StateOperations::StateOperations;
};

}  // namespace strata
