// Selection: which of the rows that match a query are visited, and in which order.
#pragma once

#include <cstdint>

#include "../../core/compiler.hpp"
#include "batch.hpp"

namespace strata::detail {

/// A range of depths in the hierarchy, from `first` to `last`, both included.
struct Depths {
  static constexpr std::uint32_t kMost = 0xFFFF'FFFF;

  std::uint32_t first = 0;
  std::uint32_t last = kMost;

  constexpr bool all() const { return first == 0 && last == kMost; }
  constexpr bool contains(std::uint32_t depth) const { return depth >= first && depth <= last; }
};

class PairConditions;

/// The entities to which a Selection restricts a query: all entities; the children of one entity; the entities whose
/// pairs (links to a target entity, by a relation) satisfy certain conditions.
enum class Scope : std::uint8_t { all, children, paired };

/// Which of the rows that match a query are visited, depending on `scope`:
/// - Scope::all: the rows at the depths `depths`, in the order `order`
/// - Scope::paired: of these rows, those of entities whose pairs (links to a target entity, by a relation) satisfy the
///   conditions `pairs`
/// - Scope::children: the rows of the children of the entity `parent`, in their order among siblings
struct Selection {
  Order order = Order::any;
  Scope scope = Scope::all;
  Depths depths{};                        ///< All depths if `order` is Order::any or with Scope::children.
  Entity parent;                          ///< With Scope::children. A stale entity has no children.
  const PairConditions* pairs = nullptr;  ///< With Scope::paired.

  constexpr Selection(Order rows_order) : order(rows_order) {}  // Implicit: often, only the order is given.

  static Selection children_of(Entity parent) {
    Selection selection(Order::any);
    selection.scope = Scope::children;
    selection.parent = parent;
    return selection;
  }
  /// Returns: this selection with Scope::paired and these conditions, so that it has only entities whose pairs (links
  /// to a target entity, by a relation) satisfy the conditions.
  /// Contract: the conditions outlive the result.
  Selection paired(const PairConditions& conditions) const {
    Selection selection = *this;
    selection.scope = Scope::paired;
    selection.pairs = &conditions;
    return selection;
  }

  /// Returns: this selection, restricted to entities whose depth is from `first` to `last`, both included.
  /// Contract: `order` is not Order::any; `first` is not greater than `last`.
  STRATA_API Selection within(std::uint32_t first, std::uint32_t last) const;
};

}  // namespace strata::detail
