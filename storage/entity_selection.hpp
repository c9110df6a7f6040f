// EntitySelection: a set of entities that are to be changed at once. No entity is in the set twice.
#pragma once

#include <span>

#include "rows/row_selection.hpp"
#include "store.hpp"

namespace strata::detail {

/// A set of live entities that are to be changed at once. Stores the rows of the entities. If `lists` is true, also
/// stores the entities, in the order in which they were added.
///
/// Contract: the store outlives the selection. Between `add` and the change for which the selection is made, no row of
/// the store moves.
class EntitySelection {
 public:
  explicit EntitySelection(const Store& store, bool lists = false)
      : store_(store), rows_(store.memory()), listed_(store.memory()), lists_(lists) {}

  /// Adds entities; leaves out those that are stale or were added before.
  /// Errors: std::bad_alloc.
  STRATA_API void add(std::span<const Entity> entities);

  /// Adds entities; leaves out those that were added before. Faster than `add` if the span `entities` is a part of a
  /// block's column of entities, and the selection was made with `lists` = false.
  /// Errors: std::bad_alloc.
  /// Contract: the entities are alive.
  STRATA_API void add_rows(std::span<const Entity> entities);

  const Store& store() const { return store_; }
  RowSelection& rows() { return rows_; }
  std::span<const Entity> listed() const { return {listed_.data(), listed_.size()}; }

 private:
  const Store& store_;
  RowSelection rows_;
  PlainList<Entity> listed_;
  bool lists_;
};

}  // namespace strata::detail
