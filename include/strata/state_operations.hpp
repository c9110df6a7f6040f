// StateOperations: the operations of a World that disable and enable entities and their components.
#pragma once

#include "../../hierarchy/states/states.hpp"
#include "../../storage/toggles.hpp"
#include "tree_operations.hpp"

namespace strata {

/// The base class of World with the operations that disable and enable entities, or single components of them. The
/// comment on World has the rules for all operations.
///
/// A query leaves out disabled entities unless one of its terms names the tag Disabled, as `With<Disabled>` and
/// `Maybe<Disabled>` do. A disabled entity keeps its values, its parent and its children. Nothing else changes: `get`
/// finds the values, the query terms Parent<T> and Up<T> also read values of disabled parents and ancestors, and the
/// pools (sparse sets) of the entity's components still contain the entity. An entity may be disabled for three reasons
/// at the same time: alone (`disable`), with its subtree (`disable_subtree`), and because an ancestor was disabled with
/// its subtree. It is enabled when no reason is left.
///
/// Entities that are created below a subtree that was disabled as a whole, or moved there, are disabled with it. For
/// entities that move out of the subtree, this reason ends. Copies by `instantiate` are disabled if `disable` or
/// `disable_subtree` was called for their original and has not been undone.
///
/// A component that can be toggled (see can_toggle) can be switched off and on for an entity without moving the
/// entity's row. While the component is switched off, queries, and the observers of `on_enter` and `on_leave`, treat
/// the entity as one without the component: `T` and `With<T>` leave the entity out, `Maybe<T>` hands out null,
/// `Without<T>` matches, and an `AnyOf` matches only if the entity has another one of its components. Nothing else
/// changes: `get`, `has` and pools reach the value, and terms for parents or ancestors, such as `Parent<T>`, `Up<T>`
/// and `With<Up<T>>`, find it. A component that is removed and added again is switched on. A copy by `instantiate` has
/// the same components switched off as its original, and `set_storage` switches nothing on or off. Queries cost more
/// only while a component is switched off for some entity.
class StateOperations : public TreeOperations {
 public:
  /// `disable` disables an entity alone: entities below it stay enabled. `enable` undoes this.
  /// Returns: false if the entity is stale, or was already disabled alone (for `enable`: was not disabled alone).
  /// Invalidates: pointers to components in tables of the entity, and of other entities in its old and its new table.
  /// Complexity: O(components of the entity).
  bool disable(Entity entity) { return parts_->states.set(kDisabled, entity, true, "disable"); }
  bool enable(Entity entity) { return parts_->states.set(kDisabled, entity, false, "enable"); }

  /// `disable_subtree` disables an entity with all entities below it. `enable_subtree` undoes this; entities that are
  /// disabled for another reason, too, stay disabled.
  /// Returns: false if the entity is stale, or if `disable_subtree` is already in effect for this entity itself (for
  /// `enable_subtree`: if it is not in effect). It does not matter whether an ancestor is disabled.
  /// Invalidates: pointers to components in tables of these entities, and of other entities in the tables that these
  /// leave or enter.
  /// Complexity: O(entities that are disabled or enabled + their components).
  bool disable_subtree(Entity entity) {
    return parts_->states.set_subtree(kDisabled, entity, true, "disable_subtree");
  }
  bool enable_subtree(Entity entity) {
    return parts_->states.set_subtree(kDisabled, entity, false, "enable_subtree");
  }

  /// Returns: whether the entity is disabled, by itself or because of an ancestor; false for a stale entity.
  /// Complexity: O(1).
  [[nodiscard]] STRATA_API bool disabled(Entity entity) const;
  /// Returns: why the entity is disabled; no member of the result is true if the entity is not disabled, or is stale.
  /// Complexity: O(1).
  [[nodiscard]] STRATA_API DisabledBy disabled_by(Entity entity) const;

  /// `disable<T>` switches a component off for an entity, and `enable<T>` switches it on again. No row moves.
  /// Returns: false if the entity is stale or does not have the component, or if the call changes nothing because the
  /// component is already switched off (`disable`) or on (`enable`).
  /// Contract: the component can be toggled (see can_toggle); no query iterates.
  /// Complexity: O(1), plus O(archetypes) for the first call that switches the component off in this world.
  template <Component T>
  bool disable(Entity entity, CallSite at = {}) {
    detail::require_toggle<T>();
    return detail::toggle_component(parts_->store, entity, parts_->store.registry().id_of<T>(), false, at);
  }
  template <Component T>
  bool enable(Entity entity, CallSite at = {}) {
    detail::require_toggle<T>();
    return detail::toggle_component(parts_->store, entity, parts_->store.registry().id_of<T>(), true, at);
  }
  bool disable(Entity entity, ComponentId id) {
    return detail::toggle_component(parts_->store, entity, id, false);
  }
  bool enable(Entity entity, ComponentId id) {
    return detail::toggle_component(parts_->store, entity, id, true);
  }

  /// Returns: whether the entity has the component and the component is not switched off (by `disable<T>`) for this
  /// entity; false for a stale entity. It does not matter whether the entity itself is disabled.
  /// Complexity: O(1).
  template <Component T>
  [[nodiscard]] bool enabled(Entity entity) const {
    return enabled(entity, parts_->store.registry().template find_or_unknown<T>());
  }
  [[nodiscard]] STRATA_API bool enabled(Entity entity, ComponentId id) const;

 protected:
  using TreeOperations::TreeOperations;

 private:
  static constexpr detail::State kDisabled = detail::State::disabled;
};

}  // namespace strata
