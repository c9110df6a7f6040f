// FamilyMover: moves the rows of a family to another branch.
#pragma once

#include <cstdint>

#include "../../storage/store.hpp"
#include "../links/links.hpp"
#include "branches.hpp"

namespace strata::detail {

/// Moves the rows of families (the children of one parent) from tables that they share with other families to
/// tables of their own, or back.
class FamilyMover {
 public:
  FamilyMover(Store& store, Links& links, Branches& branches)
      : store_(store), links_(links), branches_(branches) {}

  /// Reserves a row for a node in the branch `target`, unless its row is there already.
  /// Errors: std::bad_alloc; the caller must call Store::release_reservations then.
  void reserve_row(std::uint32_t node, Branch& target);

  /// Moves the row of a node to the branch `target`.
  /// Contract: the row was reserved by `reserve_row`.
  /// Returns: false if the row was there already.
  bool move_row(std::uint32_t node, Branch& target) noexcept;

  /// Moves the rows of all children of a parent to `target`, which becomes the branch of the family. Drops
  /// the family's previous branch, unless it is that of a level.
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
