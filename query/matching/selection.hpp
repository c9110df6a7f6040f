// Selection: the rows of a query to visit, and their order.
#pragma once

#include "batch.hpp"

namespace strata::detail {

/// All matching rows in a given order, or the matching children of one entity in their own order.
struct Selection {
  Order order = Order::any;
  bool of_family = false;
  Entity parent;  ///< Of a family. A stale parent has no children.

  Selection(Order rows_order) : order(rows_order) {}  // Implicit: most selections are an order.

  static Selection children_of(Entity parent) {
    Selection selection(Order::any);
    selection.of_family = true;
    selection.parent = parent;
    return selection;
  }
};

}  // namespace strata::detail
