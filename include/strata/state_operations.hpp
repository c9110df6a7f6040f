// StateOperations: the operations of a World that disable and enable entities.
#pragma once

#include "../../hierarchy/states/states.hpp"
#include "tree_operations.hpp"

namespace strata {

/// The operations of a World that disable and enable entities: a base class of World, which says what holds for all
/// of them.
///
/// A disabled entity leaves all queries that do not name the tag Disabled, as `With<Disabled>` or `Maybe<Disabled>`
/// do, and keeps its values, its parent and its children. Nothing else changes: values are found by `get`, terms such
/// as Parent<T> and Up<T> find those of disabled entities above, and pools hold them. An entity may be disabled
/// alone, with its subtree and because of ancestors at the same time: it is enabled when all of these have ended.
///
/// What is created below a subtree that was disabled as a whole, or moved there, is disabled with it, and what moves
/// out is enabled. Copies by `instantiate` are disabled if their original was disabled itself, alone or with its
/// subtree.
class StateOperations : public TreeOperations {
 public:
  /// `disable` disables an entity alone: those below it stay enabled. `enable` ends that.
  /// Returns: false if the entity is stale, or was disabled alone (enabled) before.
  /// Invalidates: pointers to the entity's components in tables.
  /// Complexity: O(components of the entity).
  bool disable(Entity entity) { return parts_->states.disable(entity, true); }
  bool enable(Entity entity) { return parts_->states.disable(entity, false); }

  /// `disable_subtree` disables an entity with all entities below it. `enable_subtree` ends that; what is disabled
  /// for another reason stays disabled.
  /// Returns: false if the entity is stale, or was disabled (enabled) with its subtree before.
  /// Invalidates: pointers to components in tables of these entities, and of others in the same tables.
  /// Complexity: O(entities that are disabled or enabled), and O(their components).
  bool disable_subtree(Entity entity) { return parts_->states.disable_subtree(entity, true); }
  bool enable_subtree(Entity entity) { return parts_->states.disable_subtree(entity, false); }

  /// Returns: whether the entity is disabled, by itself or because of an ancestor; false for a stale entity.
  /// Complexity: O(1).
  [[nodiscard]] STRATA_API bool disabled(Entity entity) const;
  /// Returns: why the entity is disabled; nothing is set if it is not, or is stale.
  /// Complexity: O(1).
  [[nodiscard]] STRATA_API DisabledBy disabled_by(Entity entity) const;

 protected:
  using TreeOperations::TreeOperations;
};

}  // namespace strata
