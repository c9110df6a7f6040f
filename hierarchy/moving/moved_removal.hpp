// MovedRemoval: removes entities whose values were moved to another world.
#pragma once

#include <vector>

#include "../../storage/rows/row_selection.hpp"
#include "entity_transfer.hpp"

namespace strata::detail {

/// Removes the entities of a transfer from the world where they were: `prepare` does what can fail, and `remove` the
/// rest, when their values have been moved.
///
/// Contract: the parts and the transfer outlive it. Nothing else changes in the world between the two calls, other than
/// as `remove` says.
class MovedRemoval {
 public:
  MovedRemoval(const LoadedParts& parts, EntityTransfer& transfer)
      : parts_(parts), transfer_(transfer), selection_(parts.store.memory()) {}

  /// Errors: std::bad_alloc.
  void prepare();
  /// If `has_rows`, the values in tables have not been moved yet: moves them now. Rows of tables may have moved since
  /// `prepare`.
  void remove(bool has_rows) noexcept;

 private:
  void remove_members() noexcept;
  void remove_rows() noexcept;
  void move_rows() noexcept;

  LoadedParts parts_;
  EntityTransfer& transfer_;
  RowSelection selection_;
  std::vector<std::vector<Entity>> leaving_;  // By pool: the members to remove, the last one first.
};

}  // namespace strata::detail
