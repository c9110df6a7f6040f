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
  Entity parent_before;  ///< Null if it had none.
  std::uint32_t depth_before;
};

/// An entity that has entered or left states, such as disabled.
struct ChangedStates {
  Entity entity;
  StateSet states;  ///< The states that it has entered or left.
};

/// Describes the world as it was before a change that has happened, or as it will be after a change that is about to
/// happen. Lists only the facts in which that other world differs from the present one.
struct OtherState {
  Entity entity = {};
  std::span<const ComponentId> present = {};    ///< Components that `entity` has then.
  std::span<const ComponentId> absent = {};     ///< Components that it does not have then.
  std::span<const Moved> moved = {};            ///< Entities that had another parent then.
  std::span<const ChangedStates> changed = {};  ///< Entities that are in other states, by ascending index.
};

/// The functions that are notified when entities enter or leave the set of entities that match terms (conditions of a
/// query). Nothing is stored for each entity: whether it was in the set before a change, or will be in it after the
/// change, is computed from its present components and the facts that the change alters (see OtherState).
///
/// Complexity: a change of an entity is compared with the terms of each monitor that names one of its components. If a
/// term looks for the component on ancestors, the entities below are compared, too.
class Monitors {
 public:
  Monitors(Store& store, const Links& links, ObserverCount& count);
  Monitors(const Monitors&) = delete;
  Monitors& operator=(const Monitors&) = delete;
  ~Monitors();

  bool any() const { return !monitors_.empty(); }

  /// Returns: the observers that are notified when an entity begins to match the terms, if `enters` is true; otherwise,
  /// when an entity ceases to match them.
  /// Errors: std::bad_alloc.
  ObserverList& list(std::span<const Term> terms, bool enters);

  /// Ends all observers.
  void end_all() noexcept;

  /// Reports the entities that will cease to match observed terms because of a change of components. Called before a
  /// change that removes components.
  void before(const ComponentChange& change, FirstError& error);
  /// Reports the entities that have begun to match observed terms because of a change of components. If the change
  /// removed nothing, also reports those that have ceased to match; otherwise `before` has reported them.
  void after(const ComponentChange& change, FirstError& error);
  /// Reports that these entities begin to match observed terms, because they are new (`enter` is true), or cease to
  /// match them, because they are about to be destroyed.
  void notify_matching(std::span<const Entity> entities, bool enter, FirstError& error);
  /// Reports the entities that begin or cease to match observed terms because the entities in `moves` have got other
  /// parents, all in one change. `changed` lists the entities that have entered or left states, such as disabled, by
  /// the same change. The caller passes each of them to `states_changed` afterwards, so this function does not report
  /// the effect of states.
  /// Contract: no moved entity is below another moved entity. `changed` is sorted by ascending slot index.
  void moved(std::span<const Moved> moves, std::span<const ChangedStates> changed, FirstError& error);
  /// Reports an entity that begins or ceases to match observed terms because it has entered or left states, such as
  /// disabled.
  void states_changed(const ChangedStates& change, FirstError& error);

  /// Returns: whether an entity matches terms now.
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
