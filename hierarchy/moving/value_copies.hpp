// ValueCopies: copies the values of entities to new entities of another world.
#pragma once

#include "entity_transfer.hpp"

namespace strata::detail {

/// Gives the new entities of an EntityTransfer copies of the values of the original entities.
///
/// Contract: the transfer and the new entities outlive this object.
class ValueCopies {
 public:
  ValueCopies(const EntityTransfer& transfer, NewEntities& made) : transfer_(transfer), made_(made) {}

  // Both of the following functions throw std::bad_alloc, and what copying or the program's functions for writing and
  // reading values (see members_of) throw. In that case, NewEntities::undo destroys the copies that were built before.

  /// Builds the values of the new rows, which have no values yet. Works also while look-ups by handle do not find the
  /// entities of these rows (see NewEntities::hide_entities).
  void build_rows();
  /// For each pool (sparse set) that has original entities as members, adds their new entities to the pool of the same
  /// component in the destination world, with copies of the values.
  void build_members();

 private:
  const EntityTransfer& transfer_;
  NewEntities& made_;
};

}  // namespace strata::detail
