// Monitors: report the entities that enter and leave the set of entities that match the terms of a query.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>

#include "../../core/observer_list.hpp"
#include "../../query/matching/runtime_term.hpp"
#include "../../storage/observing/change_listener.hpp"
#include "../../storage/store.hpp"
#include "../links/links.hpp"

namespace strata::detail {

/// An entity that has got another parent.
struct Moved {
  Entity child;
  Entity parent_before;  ///< Null if the child had no parent.
  std::uint32_t depth_before;
};

/// An entity that has entered or left states, such as disabled.
struct ChangedStates {
  Entity entity;
  StateSet states;  ///< The states that it has entered (if it is in them now) or left (if it is not).
};

/// Describes another state of the world: the state before a change that has happened, or after a change that is about
/// to happen. Lists only the facts in which the other state differs from the present one.
struct OtherState {
  Entity entity = {};
  std::span<const ComponentId> present = {};    ///< Components that `entity` has in the other state.
  std::span<const ComponentId> absent = {};     ///< Components that `entity` lacks in the other state.
  std::span<const Moved> moved = {};            ///< Entities that have another parent in the other state.
  std::span<const ChangedStates> changed = {};  ///< Entities with other states (such as disabled), by index.
};

/// The functions that are notified when entities enter or leave the set of entities that match terms (conditions of a
/// query). Nothing is stored for each entity: whether an entity was in the set before a change, or will be in the set
/// after the change, is computed from the entity's present components and the facts that the change alters (see
/// OtherState).
///
/// Complexity: a change of the components of an entity is compared with each observed list of terms. A term that names
/// a changed component may look for it on the entity itself, on the parent or on all ancestors. Accordingly, the
/// changed entity, its children or all entities below it are tested again.
class Monitors {
 public:
  Monitors(Store& store, const Links& links, ObserverCount& count);
  Monitors(const Monitors&) = delete;
  Monitors& operator=(const Monitors&) = delete;
  ~Monitors();

  bool any() const { return !monitors_.empty(); }

  /// Returns: the list of the observers for these terms, which is created if there is none. They are notified when an
  /// entity begins to match the terms (if `enters` is true), or when an entity ceases to match them (if it is false).
  /// Errors: std::bad_alloc; nothing has changed then.
  ObserverList& list(std::span<const Term> terms, bool enters);

  /// Ends all observers: none of them is called any more (see ObserverList::end_all).
  void end_all() noexcept;

  /// Called before a change that removes components: reports the entities that will cease to match observed terms
  /// (those passed to `list`) by the change. Here and below, `error` keeps the first exception that an observer throws.
  void before(const ComponentChange& change, FirstError& error);
  /// Reports the entities that have begun to match observed terms because of a change of components. If the change
  /// removed no component, also reports the entities that have ceased to match; otherwise `before` has reported them.
  void after(const ComponentChange& change, FirstError& error);
  /// If `enter` is true, `entities` are new: reports which of them begin to match observed terms. If `enter` is false,
  /// `entities` are about to be destroyed: reports which of them cease to match observed terms.
  void notify_matching(std::span<const Entity> entities, bool enter, FirstError& error);
  /// Reports the entities that begin or cease to match observed terms because the entities in `moves` have got other
  /// parents, all in one change. `changed` lists the entities that have entered or left states, such as disabled, by
  /// the same change. This function tests the terms as if all entities still had their states from before the change.
  /// So the caller passes each element of `changed` to `states_changed` afterwards.
  /// Contract: no moved entity is below another moved entity. `changed` is sorted by ascending slot index.
  void moved(std::span<const Moved> moves, std::span<const ChangedStates> changed, FirstError& error);
  /// Reports an entity that begins or ceases to match observed terms because it has entered or left states, such as
  /// disabled.
  void states_changed(const ChangedStates& change, FirstError& error);

  /// Returns: whether an entity matches all of `terms` in the present state of the world. The private `matches` answers
  /// this for another state, such as the one before a change.
  bool matches(std::span<const Term> terms, Entity entity) const { return matches(terms, entity, {}); }

 private:
  struct Monitor;

  bool matches(std::span<const Term> terms, Entity entity, const OtherState& state) const;
  bool fulfils(const Term& term, std::span<const Term> terms, Entity entity, const OtherState& state) const;
  bool holds(Entity entity, ComponentId id, const OtherState& state) const;
  bool holds_on(Entity entity, ComponentId id, const OtherState& state) const;
  StateSet states_of(Entity entity, const OtherState& state) const;
  StateSet named_states(std::span<const Term> terms) const;
  Entity parent_of(Entity entity, const OtherState& state) const;
  bool holds_above(Entity entity, ComponentId id, bool any_ancestor, const OtherState& state) const;
  template <class Visit>
  void compare(const ComponentChange& change, Visit visit);
  void notify(Monitor& monitor, Entity entity, bool enters, FirstError& error);

  Store& store_;
  const Links& links_;
  ObserverCount& count_;
  PlainList<Monitor*> monitors_;
};

}  // namespace strata::detail
