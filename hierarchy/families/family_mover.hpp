// FamilyMover: moves the rows of a family to another branch.
#pragma once

#include <cstdint>

#include "../../storage/store.hpp"
#include "../links/links.hpp"
#include "branches.hpp"

namespace strata::detail {

/// Moves rows of children from the tables of their level to tables of their own, or back.
class FamilyMover {
 public:
  FamilyMover(Store& store, Links& links, Branches& branches)
      : store_(store), links_(links), branches_(branches) {}

  /// Reserves a row for a node in the branch.
  /// Errors: std::bad_alloc; the caller must call Store::release_reservations then.
  void reserve_row(std::uint32_t node, Branch& target);

  /// Contract: the row was reserved.
  /// Returns: false if the row was there already.
  bool move_row(std::uint32_t node, Branch& target) noexcept;

  /// Moves the rows of all children of a parent. The branch becomes that of the family.
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
