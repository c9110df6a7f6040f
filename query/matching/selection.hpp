// Selection: which of a query's rows are visited, in which order.
#pragma once

#include "batch.hpp"

namespace strata::detail {

/// All matching rows in an order, or those of the children of one entity in theirs.
struct Selection {
  Order order = Order::any;
  bool of_family = false;
  Entity parent;  ///< Of a family; if it is stale, nothing is visited.

  Selection(Order rows_order) : order(rows_order) {}  // Implicit: most selections are an order.

  static Selection children_of(Entity parent) {
    Selection selection(Order::any);
    selection.of_family = true;
    selection.parent = parent;
    return selection;
  }
};

}  // namespace strata::detail
