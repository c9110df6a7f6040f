// SelectionTeardown: destroys many entities together with all entities below them.
#pragma once

#include <cstdint>

#include "../../core/plain_list.hpp"
#include "../../storage/rows/row_selection.hpp"
#include "family_rows.hpp"

namespace strata::detail {

/// Destroys the entities of a selection (a set of rows, see RowSelection) and all entities below them. Rows of one
/// table are removed in runs of adjacent rows, children before their parents. Everything that can fail is done before
/// the first entity is destroyed.
///
/// Contract: the objects that the constructor receives outlive this object.
class SelectionTeardown {
 public:
  SelectionTeardown(Store& store, Links& links, FamilyRows& rows)
      : store_(store), links_(links), rows_(rows), linked_(store.memory()), tops_(store.memory()) {}

  /// Destroys the selected entities and all entities below them.
  /// Returns: the number of entities destroyed.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Complexity: O(entities destroyed).
  std::size_t destroy(RowSelection& selection);

 private:
  void list_linked(RowSelection& selection);
  void add_below(RowSelection& selection, std::uint32_t top);
  void release_entities(RowSelection& selection) noexcept;
  void detach_from_survivors() noexcept;
  void erase_rows(RowSelection& selection) noexcept;

  Store& store_;
  Links& links_;
  FamilyRows& rows_;
  PlainList<std::uint32_t> linked_;  // Entities to destroy that have a parent or a record of children.
  PlainList<std::uint32_t> tops_;    // Selected entities that have children.
};

}  // namespace strata::detail
