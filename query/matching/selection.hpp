// Selection: which of the rows that match a query are visited, and in which order.
#pragma once

#include "batch.hpp"

namespace strata::detail {

/// Which of the rows that match a query are visited: all of them in the order `order` or, if `of_family`,
/// only the children of the entity `parent`, in their order among siblings.
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
