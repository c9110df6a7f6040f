// Selection: the rows of a query to visit, and their order.
#pragma once

#include "batch.hpp"

namespace strata::detail {

/// Which matching rows of a query to visit: all of them in a given order, or the children of one entity in
/// their order among siblings.
struct Selection {
  Order order = Order::any;
  bool of_family = false;
  Entity parent;  ///< If `of_family`: the entity whose children are visited. A stale one has no children.

  Selection(Order rows_order) : order(rows_order) {}  // Implicit: most selections are an order.

  static Selection children_of(Entity parent) {
    Selection selection(Order::any);
    selection.of_family = true;
    selection.parent = parent;
    return selection;
  }
};

}  // namespace strata::detail
