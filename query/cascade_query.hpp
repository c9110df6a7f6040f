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

/// A query with a visiting order, made by `cascade`. It holds a reference to the query (Query&), or the query
/// itself if it was a temporary (Query).
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

  /// Updates a part of the hierarchy. Calls `function`, with the arguments of `each`, for the matching
  /// entities that are marked or below a marked entity. Each is visited once, after its ancestors. All marks
  /// are removed at the end.
  ///
  /// If `function` returns false, the value did not change, and the entity's children are not visited because
  /// of it. An entity that does not match is skipped, but its children are visited. In a query with `Up`
  /// terms, the children of an entity whose value did not change are visited, too, if an ancestor changed and
  /// the entity does not have all components of the `Up` terms itself: its children may see the changed
  /// value.
  ///
  /// `Mark` is a component in the side store.
  /// Returns: exactly the entities whose values changed, in the order of the visit.
  /// Errors: what `function` throws, and std::bad_alloc; the marks stay then. Values that have changed by
  /// then do not count as changed in the next pass. So `function` should return true for all entities of that
  /// pass, or entities below may be left out.
  /// Contract: the order is downwards, the query is not a temporary, no query is iterating.
  /// Invalidates: the span, by the query's next pass, assignment or destruction.
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
