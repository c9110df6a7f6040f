// ValueCopies: builds copies of the values of entities in another world.
#pragma once

#include "entity_transfer.hpp"

namespace strata::detail {

/// Builds copies of the values of a transfer's entities, as the values of the new entities.
///
/// Contract: the transfer and the new entities outlive it.
class ValueCopies {
 public:
  ValueCopies(const EntityTransfer& transfer, NewEntities& made) : transfer_(transfer), made_(made) {}

  // Errors of both functions: std::bad_alloc, and what copying or functions of members_of throw; NewEntities::undo
  // destroys the copies that were built before the error.

  /// Builds the values of the new rows, which have no values yet. The entities of these rows may be hidden.
  void build_rows();
  /// Makes the new entities members of the pools of their originals, with copies of the values there.
  void build_members();

 private:
  const EntityTransfer& transfer_;
  NewEntities& made_;
};

}  // namespace strata::detail
