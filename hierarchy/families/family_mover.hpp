// FamilyMover: moves the rows of a family to another branch.
#pragma once

#include <cstdint>

#include "../../storage/store.hpp"
#include "../links/links.hpp"
#include "branches.hpp"

namespace strata::detail {

/// Moves rows of children between the tables of their level and tables of their own.
class FamilyMover {
 public:
  FamilyMover(Store& store, Links& links, Branches& branches)
      : store_(store), links_(links), branches_(branches) {}

  /// Promises room for the row of a node.
  /// Errors: std::bad_alloc; Store::forget_reserved is due then.
  void reserve_row(std::uint32_t node, Branch& target);

  /// Contract: there is room.
  /// Returns: whether it was not there already.
  bool move_row(std::uint32_t node, Branch& target) noexcept;

  /// Moves the rows of all children of a parent, which then use the branch.
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
