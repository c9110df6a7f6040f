// ChildLister: lists the children of many entities, and where their rows are.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "../../query/matching/relation.hpp"
#include "../../storage/store.hpp"
#include "links.hpp"

namespace strata::detail {

/// Lists the children of many entities with the block and row of each, for queries that visit the hierarchy from
/// parents to children. ChildLister follows the links of many entities in one loop, so that the memory accesses for one
/// entity do not wait for those for another. Where rows are in the order of their parents' rows (see FamilyOrder),
/// ChildLister goes from row to row instead.
///
/// Threads: any number of readers.
class ChildLister {
 public:
  ChildLister(const Store& store, const Links& links) : store_(store), links_(links) {}

  /// Appends the children of the entities in `above` to `children`: first the children of the first entity, in their
  /// order among siblings, then the children of the second entity, and so on. VisitedRow::above of a child is the index
  /// of its parent in `above`.
  /// Errors: std::bad_alloc.
  void append(std::span<const VisitedRow> above, std::vector<VisitedRow>& children) const;

 private:
  /// The row in which `append_family` expects the next child, of the same parent or of a later one: the row after that
  /// of the child that it has listed last. If the rows are in the order of their parents' rows (see FamilyOrder), the
  /// next child is there.
  struct Siblings {
    Block* block = nullptr;
    const Entity* entities = nullptr;  ///< The entities of `block`.
    std::uint32_t row = 0;             ///< The row in which the next child is expected.
    std::uint32_t count = 0;           ///< Number of rows in `block`.
    bool scattered = true;             ///< Some child was not at the expected row.
  };

  void prefetch_children(std::span<const VisitedRow> above, std::span<const std::uint32_t> positions,
                         bool scattered) const;
  void append_family(std::uint32_t above, std::uint32_t parent, Siblings& siblings,
                     std::vector<VisitedRow>& children) const;

  const Store& store_;
  const Links& links_;
};

}  // namespace strata::detail
