// MovedRemoval: removes entities whose values were moved to another world.
#pragma once

#include <vector>

#include "../../storage/rows/row_selection.hpp"
#include "entity_transfer.hpp"

namespace strata::detail {

/// Removes the entities of a transfer from the world where they were. `prepare` does everything that can fail;
/// `remove`, called when the values have been moved, does the rest.
///
/// Contract: the parts and the transfer outlive it. Between the two calls, nothing changes in the world, except that
/// rows may move if `remove` is then called with `has_rows`.
class MovedRemoval {
 public:
  MovedRemoval(const LoadedParts& parts, EntityTransfer& transfer)
      : parts_(parts), transfer_(transfer), selection_(parts.store.memory()) {}

  /// Lists what `remove` removes.
  /// Errors: std::bad_alloc.
  void prepare();
  /// Removes the entities. If `has_rows` is set, the values in tables have not been moved to the new entities yet:
  /// moves them, too. In that case, rows of tables may have moved since `prepare`.
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
