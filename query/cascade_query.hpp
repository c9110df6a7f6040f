// CascadeQuery: a query that visits level by level.
#pragma once

#include <iterator>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "../core/contract.hpp"
#include "changes/dirty.hpp"
#include "matching/batch.hpp"

namespace strata::detail {

/// The result of `Query::cascade`: a query that visits parents before children (`down`), or children before
/// parents (`up`). It holds a reference to the query (Held is Query&), or the query itself if it was a
/// temporary (Held is Query). `each`, `each_block`, `first`, `explain` and range-for are those of Query in
/// that order.
template <class Held>
class CascadeQuery {
 public:
  CascadeQuery(Held&& query, Order order) : query_(std::forward<Held>(query)), order_(order) {}

  template <class... Functions>
  void each(Functions&&... functions) {
    query_.each_in(order_, functions...);
  }
  template <class Function>
  void each_block(Function&& function) {
    query_.each_block_in(order_, function);
  }
  Entity first() { return query_.first_in(order_); }
  std::string explain() { return query_.explain_in(order_); }

  auto begin() & { return query_.begin_in(order_); }
  std::default_sentinel_t end() { return {}; }

  /// Recomputes values of the part of the hierarchy that has changed. An entity is marked by adding the
  /// component `Mark`, which is stored in the side store. The call visits the matching entities that are
  /// marked or below a marked entity: it calls `function` once for each, with the arguments of `each`, after
  /// its ancestors. At the end it removes all marks.
  ///
  /// `function` may return whether it changed the entity's value. If it returns false, the entity is no
  /// reason to visit its children. An entity that does not match is skipped, but its children are visited.
  /// In a query with `Up` terms, the children of an entity whose value did not change are visited, too, if an
  /// ancestor changed and the entity does not have all components of the `Up` terms itself: its children may
  /// see the changed value.
  /// Returns: exactly the entities whose values changed, in the order of the visit.
  /// Errors: what `function` throws, and std::bad_alloc; the marks stay then. After such an error, call
  /// `propagate` again with a function that returns true for every entity. Otherwise entities below a value
  /// that the first call changed may be left out.
  /// Contract: the order is downwards, the query is not a temporary, no query is iterating.
  /// Invalidates: the span, by the next `propagate`, assignment or destruction of the query.
  /// Complexity: O(marks + entities visited), independent of the size of the world.
  /// Threads: a writer of the world, because it removes marks.
  template <class Mark = Dirty, class Function>
  std::span<const Entity> propagate(Function&& function) {
    static_assert(std::is_lvalue_reference_v<Held>,
                  "propagate returns a list that the query owns: keep the query in a variable");
    STRATA_EXPECTS(order_ == Order::down,
                   "changes spread from parents to children: propagate needs cascade(), not cascade(up)");
    return query_.template propagate_below<Mark>(function);
  }

 private:
  Held query_;
  Order order_;
};

}  // namespace strata::detail
