// ChildSetter: gives an entity a new list of children.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "../../core/outcome.hpp"
#include "../states/state_shift.hpp"
#include "family_rows.hpp"

namespace strata::detail {

/// Gives an entity a new list of children, in one change. First checks the list, then reserves all memory, and then
/// moves rows and links, which cannot fail.
///
/// Contract: the objects that the constructor receives outlive this object.
class ChildSetter {
 public:
  /// If `shift` is not null, `set` also uses it to update which entities are in a state, such as disabled, because of
  /// an ancestor.
  ChildSetter(Store& store, Links& links, FamilyRows& rows, StateShift* shift = nullptr)
      : store_(store),
        links_(links),
        rows_(rows),
        shift_(shift),
        order_(store.memory()),
        sorted_(store.memory()),
        moves_(store.memory()) {}

  /// Makes `children` the children of `parent`, in the given order. Children that `parent` had before and that are not
  /// in `children` become roots. Call `set` at most once for each ChildSetter.
  /// Returns: refused if `parent` or a child is stale, a child is given twice, or a child is `parent` or an ancestor of
  /// `parent`.
  /// Errors: std::bad_alloc; the links and values are unchanged then, but some rows may have moved.
  /// Complexity: O(n log n + d + s), where n is the number of children before the call plus the number after it, d is
  /// the depth of `parent`, and s is the number of entities in the subtrees of those children whose depth changes.
  Outcome set(Entity parent, std::span<const Entity> children);

 private:
  /// An entity that gets another parent, or none. `depth` is the entity's depth before the change. `layout` is the
  /// layout (in which tables the rows of children are stored) that the entity had inherited from its previous parent.
  struct Move {
    std::uint32_t node;
    std::uint32_t depth;
    Layout layout;
  };

  Outcome check(Entity parent, std::span<const Entity> children);
  void list_moves(std::uint32_t parent);
  void plan_states(std::uint32_t parent);
  Branch& prepare(std::uint32_t parent);
  void apply(std::uint32_t parent, Branch& target) noexcept;
  bool moves_nest() const;
  std::span<Move> newcomers() { return std::span(moves_).first(newcomers_); }
  std::span<Move> leavers() { return std::span(moves_).subspan(newcomers_); }

  Store& store_;
  Links& links_;
  FamilyRows& rows_;
  StateShift* shift_;
  std::pmr::vector<std::uint32_t> order_;   // The new children, as slot indices.
  std::pmr::vector<std::uint32_t> sorted_;  // The new children in ascending order of their slot indices.
  // The entities that move, in the order in which they move: first those that become children of the parent and were
  // not before, by descending depth; then the old children that become roots. So an entity that is below another moved
  // entity leaves the subtree of the other one before that subtree moves.
  std::pmr::vector<Move> moves_;
  std::size_t newcomers_ = 0;
};

}  // namespace strata::detail
