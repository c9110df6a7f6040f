// ChildLister: lists the children of many entities with the places of their rows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "../../query/matching/relation.hpp"
#include "../../storage/store.hpp"
#include "links.hpp"

namespace strata::detail {

/// Follows links from parents to children for passes that reach entities one by one: in loops of independent
/// accesses, and where rows lie in family order from row to row.
///
/// Threads: any number of readers.
class ChildLister {
 public:
  ChildLister(const Store& store, const Links& links) : store_(store), links_(links) {}

  /// As Relation::append_children.
  void append(std::span<const Reached> above, std::vector<Reached>& children) const;

 private:
  /// Where the children appended so far ended, and the next one is if rows are in family order.
  struct Siblings {
    Block* block = nullptr;
    const Entity* entities = nullptr;  ///< Of the block.
    std::uint32_t row = 0;             ///< The one after the last child's.
    std::uint32_t count = 0;           ///< Of the block.
    bool scattered = true;             ///< Some child was not where it was expected.
  };

  void prefetch_children(std::span<const Reached> above, std::span<const std::uint32_t> positions,
                         bool scattered) const;
  void append_family(std::uint32_t above, std::uint32_t parent, Siblings& siblings,
                     std::vector<Reached>& children) const;

  const Store& store_;
  const Links& links_;
};

}  // namespace strata::detail
