// Monitors: tell of entities that enter and leave the set of those that match some terms.
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

/// An entity that has entered or left states (see State).
struct ChangedStates {
  Entity entity;
  StateSet states;  ///< Those that it has entered or left.
};

/// A state of the world that differs from the present one in a few facts: the state before a change that has
/// happened, or after one that is about to happen.
struct OtherState {
  Entity entity = {};
  std::span<const ComponentId> present = {};    ///< Components that `entity` has in this state.
  std::span<const ComponentId> absent = {};     ///< Components that it does not have.
  std::span<const Moved> moved = {};            ///< Entities that have the parents that they had before.
  std::span<const ChangedStates> changed = {};  ///< Entities that are in other states, by rising index.
};

/// The functions that are told when entities enter or leave the set of entities that match terms. Nothing is
/// stored for an entity: whether it was in the set before a change, or will be after it, is found from the
/// present state and the facts that the change alters.
///
/// Complexity: a change of an entity is compared with the terms of each monitor that names one of its
/// components. If a term looks for the component above, so is the entity's subtree.
class Monitors {
 public:
  Monitors(Store& store, const Links& links, ObserverCount& count);
  Monitors(const Monitors&) = delete;
  Monitors& operator=(const Monitors&) = delete;
  ~Monitors();

  bool any() const { return !monitors_.empty(); }

  /// Returns: the observers of entities that enter (`enters`) or leave the set of those that match the terms.
  /// Errors: std::bad_alloc.
  ObserverList& list(std::span<const Term> terms, bool enters);

  /// Tells of entities that a change of components makes leave; called before a change that removes some.
  void before(const ComponentChange& change, FirstError& error);
  /// Tells of entities that a change of components has made leave, if it removed nothing, and enter.
  void after(const ComponentChange& change, FirstError& error);
  /// Tells of those of the entities that match: they enter, as they are new, or leave, as they are about to be
  /// destroyed.
  void tell_matching(std::span<const Entity> entities, bool enter, FirstError& error);
  /// Tells of entities that leave and enter because these have got other parents, all in one change.
  /// Contract: none of them is below another.
  /// `changed` are the entities that have entered or left states by that, by rising index, of which
  /// `states_changed` tells afterwards.
  void moved(std::span<const Moved> moves, std::span<const ChangedStates> changed, FirstError& error);
  /// Tells of an entity that leaves or enters because it has entered or left states.
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
  void tell(Monitor& monitor, Entity entity, bool enters, FirstError& error);

  Store& store_;
  const Links& links_;
  ObserverCount& count_;
  PlainList<Monitor*> monitors_;
};

}  // namespace strata::detail
