// FamilyMover: moves the rows of a parent's children to another set of tables.
#pragma once

#include <cstdint>

#include "../../storage/store.hpp"
#include "../links/links.hpp"
#include "branches.hpp"

namespace strata::detail {

/// Moves the rows of entities to other branches. A branch is a set of tables: the tables that the children of several
/// parents of one depth share, or the tables of one parent's children (see Branches).
class FamilyMover {
 public:
  FamilyMover(Store& store, Links& links, Branches& branches)
      : store_(store), links_(links), branches_(branches) {}

  /// Reserves a row for the entity with the slot index `node` in one of the tables of `target` (a set of tables): the
  /// table for the archetype of the entity. Does nothing if the entity's row is in that table already.
  /// Errors: std::bad_alloc; in that case, the caller must call Store::release_reservations.
  void reserve_row(std::uint32_t node, Branch& target);

  /// Moves the row of the entity `node` to one of the tables of `target` (a set of tables): the table for the archetype
  /// of the entity.
  /// Contract: `reserve_row` was called for `node` and `target`.
  /// Returns: whether the row has moved; false if it was in that table already.
  bool move_row(std::uint32_t node, Branch& target) noexcept;

  /// Moves the rows of all children of a parent to the tables of `target`, and records `target` as the set of tables
  /// for later children, too. Drops the set of tables in which the rows were, unless other parents share it.
  /// Contract: the parent has a set of tables for its children already (Links::Family::branch), even if it has no
  /// children at present.
  /// Errors: std::bad_alloc; nothing has changed then.
  void move(std::uint32_t parent, Branch& target);

 private:
  void reserve_rows(const Links::Family& family, Branch& target);
  bool move_as_run(const Links::Family& family, Branch& target);

  Store& store_;
  Links& links_;
  Branches& branches_;
};

}  // namespace strata::detail
