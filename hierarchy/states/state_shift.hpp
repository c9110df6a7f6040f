// StateShift: updates the states that entities inherit from ancestors (such as disabled) when entities get other
// parents.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "../../storage/mass_changes.hpp"
#include "../events/monitors.hpp"
#include "state_flags.hpp"

namespace strata::detail {

/// Returns: the table of this archetype in this branch (a set of tables); it is created if there is none. Code that
/// changes states calls this function instead of Tables::get: if Tables::get had more callers, the compiler would not
/// inline it any more where speed matters.
/// Errors: std::bad_alloc; nothing has changed then.
Table& table_of_state(Store& store, Archetype& archetype, Branch& branch);

/// An entity that gets another parent, or becomes a root.
struct NewParent {
  Entity child;
  std::uint32_t parent;  ///< Slot index; Links::kNone for none.
};

/// The part of re-parenting that concerns states, such as disabled: entities that enter or leave a subtree that is in a
/// state get other archetypes, so their rows move. The steps, in their order:
/// - `plan` lists these entities; `plan_tags` adds entities that get other tags for another reason in the same change
/// - `reserve_own` is called before the caller reserves rows for the new depths, and `reserve_moved` after that;
///   together they do everything that can fail
/// - `apply` moves the rows, when the entities have their new parents and depths
///
/// Contract: the store and the links outlive this object.
class StateShift {
 public:
  StateShift(Store& store, const Links& links)
      : store_(store), links_(links), steps_(store.memory()), changed_(store.memory()) {}

  /// Lists the entities whose states change if the entities in `moves` get other parents. Ignores moves whose child is
  /// a stale handle.
  /// Errors: std::bad_alloc.
  /// Complexity: O(n log n), where n is the number of moves plus the number of entities whose states change.
  void plan(std::span<const NewParent> moves);

  /// Plans that the entities `nodes`, which may be anywhere in the hierarchy, also get other tags. Used for entities
  /// that leave the tables of a relation (see TableChange). `find(context, archetype)` returns the archetype that such
  /// an entity gets instead of `archetype`.
  /// Errors: std::bad_alloc.
  /// Contract: `nodes` is sorted, and has no entity twice. The entities that get other parents are the children of
  /// `parent`, and `plan` was called for them.
  /// Complexity: O((entities below `parent` + n) * log n) for n elements of `nodes`.
  void plan_tags(std::span<const std::uint32_t> nodes, std::uint32_t parent, MassChanges::FindTarget find,
                 void* context);

  /// Returns: whether `plan` and `plan_tags` have found no entity that gets another archetype.
  bool empty() const { return steps_.empty(); }

  /// Reserves rows for the listed entities that get another archetype, but stay in their branch. (A branch is the set
  /// of tables for the children of one parent, or for all entities of one depth.) These entities are:
  /// - entities below a moved entity, if their branch has only the children of one parent: then at most the depth of
  ///   the branch changes
  /// - entities that neither move nor are below a moved entity
  /// Errors: std::bad_alloc; the caller must call Store::release_reservations then.
  void reserve_own();

  /// Reserves rows for those of the following entities that `plan` or `plan_tags` has listed:
  /// - `node`, which moves to the branch `target` (see `reserve_own`)
  /// - entities below `node` that are in a branch for all entities of one depth: they move to the branch for their new
  ///   depth, which `branches.level` returns
  /// Errors: std::bad_alloc; the caller must call Store::release_reservations then.
  /// Contract: the rows have not moved to their new depths yet.
  template <class Branches>
  void reserve_moved(std::uint32_t node, Branch& target, Branches& branches) {
    const std::uint32_t change = target.rank - branch_of(node).rank;
    for (const Step& step : steps_of(node)) {
      const Branch& branch = branch_of(step.node);
      if (step.node == node) {
        reserve(step, target);
      } else if (branch.lasts != 0) {
        reserve(step, branches.level(branch.rank + change));
      }
    }
  }

  /// Moves the rows of all listed entities to their new archetypes.
  /// Contract: the entities have their new parents, and their rows are in the branches (sets of tables) for which
  /// `reserve_own` and `reserve_moved` have reserved rows.
  void apply() noexcept;

  /// Returns: the entities that `plan` has found to enter or leave states, with these states, by ascending slot index;
  /// empty if the store has no listener that is notified of changes.
  std::span<const ChangedStates> changed() const { return changed_; }

 private:
  /// One entity whose row moves to the archetype `to`.
  struct Step {
    std::uint32_t node;
    /// The entity that gets another parent: `node` or an entity above `node`. Links::kNone if there is no such entity.
    std::uint32_t moved;
    Archetype* to;
  };

  void plan(std::uint32_t moved, StateSet inherited, std::span<const std::uint32_t> others);
  void add(std::uint32_t node, std::uint32_t moved, const StateFlags& before, StateSet changing);
  std::span<const Step> steps_of(std::uint32_t moved) const;
  void reserve(const Step& step, Branch& branch) {
    store_.rows().reserve(table_of_state(store_, *step.to, branch));
  }
  Branch& branch_of(std::uint32_t node) const {
    return table_of(*store_.slots().place_of(node).block).branch();
  }

  Store& store_;
  const Links& links_;
  std::pmr::vector<Step> steps_;  // Sorted by Step::moved.
  std::pmr::vector<ChangedStates> changed_;
};

}  // namespace strata::detail
