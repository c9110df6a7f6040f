// Relation: how a query reaches values on another entity, such as a row's parent.
#pragma once

#include <span>

#include "../core/block.hpp"
#include "../core/component.hpp"
#include "../core/entity.hpp"

namespace strata {

/// Leads from rows to the values of the entities that they relate to. Asked once per run of rows, never per
/// row.
///
/// Threads: any number of readers.
class Relation {
 public:
  virtual ~Relation() = default;

  /// Finds the value that all rows of a block share.
  /// Returns: false when its rows have to be asked one by one; `*value` is null where the entity that they
  /// share, if any, has no such component.
  virtual bool find_shared(const Block& block, ComponentId id, const void** value) const = 0;

  /// Finds the value for each row: null where the row relates to nothing, or to an entity without one.
  /// Complexity: O(rows).
  virtual void find_each(std::span<const Entity> rows, ComponentId id, const void** values) const = 0;
};

}  // namespace strata
