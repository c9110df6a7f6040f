// States: puts entities into states such as disabled, alone or with all entities below them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../../storage/commands.hpp"
#include "../events/change_notifier.hpp"
#include "state_flags.hpp"

namespace strata {

/// The reasons for which an entity is disabled; it is disabled if any of them is true. See World::disabled_by.
struct DisabledBy {
  bool itself = false;    ///< By World::disable.
  bool subtree = false;   ///< By World::disable_subtree of this entity.
  bool ancestor = false;  ///< By World::disable_subtree of an ancestor.

  explicit operator bool() const { return itself || subtree || ancestor; }
  friend bool operator==(const DisabledBy&, const DisabledBy&) = default;
};

namespace detail {

/// Puts entities into states, such as disabled, and takes them out again. An entity in a state has a public tag, such
/// as Disabled, and further tags for the reasons: it was put into the state alone, with all entities below it, or
/// because of an ancestor (see StateTags). Queries match archetypes with these tags only if they name the state. So an
/// entity in a state costs other queries nothing, and keeps its values. Changes of the hierarchy update the tags; see
/// StateShift and `archetype_below`.
///
/// Invariants:
///   D2. An entity has the public tag of a state exactly if it has at least one of the state's tags for reasons.
///   D3. An entity has the tag for being in a state because of an ancestor exactly if an ancestor is in that state with
///       its subtree.
///
/// Threads: any number of readers, or one writer.
class States {
 public:
  States(Store& store, const Links& links, ChangeNotifier& notifier)
      : store_(store), links_(links), notifier_(notifier) {}

  /// If `in` is true, puts an entity into a state, without the entities below it. If `in` is false, undoes that; the
  /// entity may still be in the state for another reason. `operation` is the operation's name for messages.
  /// Returns: whether anything has changed; false if the entity is stale, if `in` is true and this was done before, or
  /// if `in` is false and there is nothing to undo.
  /// Errors: std::bad_alloc; nothing has changed then. Exceptions of observers; the change is complete then.
  /// Contract: nothing is being iterated.
  STRATA_API bool set(State state, Entity entity, bool in, const char* operation);

  /// If `in` is true, puts an entity into a state with all entities below it. If `in` is false, undoes that; entities
  /// that are also in the state for another reason stay in it. `operation` is the operation's name for messages.
  /// Returns: false if the entity is stale, or if this is already in effect for this entity itself (if `in` is false:
  /// if it is not in effect); otherwise true. It does not matter whether an ancestor is in the state.
  /// Errors: std::bad_alloc; nothing has changed then. Exceptions of observers; the change is complete then.
  /// Contract: nothing is being iterated.
  /// Complexity: O(entities whose tags change).
  STRATA_API bool set_subtree(State state, Entity entity, bool in, const char* operation);

  /// Called after entities were created that are in states from the start, as loading a world does: calls
  /// `update_guard`, because no other function of this class was called for these entities.
  void placed() noexcept { update_guard(); }

  /// Carries out a recorded command that puts an entity into a state or takes it out.
  void apply(Entity entity, StateRequest request);

  /// Records in the store's ChangeGuard whether any entity is in a state with its subtree now (see
  /// ChangeGuard::mark_tree_listened). While this is so, the states of entities depend on their parents, so functions
  /// that change the hierarchy also update states. Called when the first entity may have entered such a state, or the
  /// last one may have left it.
  void update_guard() noexcept;

  /// Returns: a sentence about the first invariant that is violated; empty if all hold.
  /// Complexity: O(entities) if any entity was ever in a state; otherwise O(1).
  std::string check_invariants() const;

 private:
  class Selection;

  void change_subtree(Entity entity, StateFlags flags, Selection& below);
  void notify(const std::vector<Entity>& changed, State state) noexcept;

  Store& store_;
  const Links& links_;
  ChangeNotifier& notifier_;
};

}  // namespace detail
}  // namespace strata
