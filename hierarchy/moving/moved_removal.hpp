// MovedRemoval: removes entities from their world while their values move to another world.
#pragma once

#include <vector>

#include "../../storage/rows/row_selection.hpp"
#include "entity_transfer.hpp"

namespace strata::detail {

/// Removes the entities of an EntityTransfer, whose values move to another world, from the source world. `prepare` does
/// everything that can fail. `remove` does the rest. Before `remove`, the caller moves all values in pools (sparse
/// sets). Values in tables are moved either by the caller, before `remove`, or by `remove` itself; the argument of
/// `remove` says which.
///
/// Contract: the objects to which the members of `parts` (the source world) refer, and the transfer, outlive this
/// object. Between the calls of `prepare` and `remove`, nothing changes in the source world, except that rows may move
/// if `remove` is called with `has_rows` = true.
class MovedRemoval {
 public:
  MovedRemoval(const LoadedParts& parts, EntityTransfer& transfer)
      : parts_(parts), transfer_(transfer), selection_(parts.store.memory()) {}

  /// Lists the rows and the members of pools (sparse sets) that `remove` removes.
  /// Errors: std::bad_alloc.
  void prepare();
  /// Removes the entities from the source world. `has_rows` is false if the caller has already moved their values in
  /// tables to the destination world. If it is true, this function moves these values, and rows of tables may have
  /// moved to other places since `prepare`.
  void remove(bool has_rows) noexcept;

 private:
  void remove_members() noexcept;
  void remove_rows() noexcept;
  void move_rows() noexcept;

  LoadedParts parts_;
  EntityTransfer& transfer_;
  RowSelection selection_;
  std::vector<std::vector<Entity>> leaving_;  // For each pool: the members to remove, last first.
};

}  // namespace strata::detail
