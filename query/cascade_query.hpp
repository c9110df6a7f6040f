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

namespace strata {

/// A query in an order; made by `cascade`. Holds a reference to a query that is kept elsewhere (Query&), or
/// the query itself if it was a temporary (Query).
template <class Held>
class CascadeQuery {
 public:
  CascadeQuery(Held&& query, detail::Order order) : query_(std::forward<Held>(query)), order_(order) {}

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

  /// Brings a part of the hierarchy up to date: calls `function`, with the arguments of `each`, for the
  /// matching entities that are marked and those below them, each once and after its ancestors; then takes
  /// all marks away. A function that answers false says that the value did not change: what is below is not
  /// visited on its account. An entity that does not match is passed over, as by `each`, and leads on to
  /// its children. So does, in a query with `Up` terms, one that is below what changed and does not change
  /// itself, unless it has itself what they look for: the ancestor whose value those below see may be the
  /// one that did. `Mark` is a component that is stored in the side store.
  /// Returns: exactly the entities whose values changed, in the order of the visit.
  /// Errors: what `function` throws, and std::bad_alloc; the marks stay then. What has changed is not visited as such
  /// again: after that, `function` should answer true for all, once, or what is below might be left out.
  /// Contract: the order is downwards, the query is no temporary, no query is iterating.
  /// Invalidates: the span, by the query's next pass, assignment or destruction.
  /// Complexity: O(marks + entities reached), whatever else the world holds.
  /// Threads: a writer of the world, as it takes marks away.
  template <class Mark = Dirty, class Function>
  std::span<const Entity> propagate(Function&& function) {
    static_assert(std::is_lvalue_reference_v<Held>,
                  "propagate returns a list that lives in the query: keep the query in a variable");
    STRATA_EXPECTS(order_ == detail::Order::down,
                   "changes spread from parents to children: propagate needs cascade(), not cascade(up)");
    return query_.template propagate_below<Mark>(function);
  }

 private:
  Held query_;
  detail::Order order_;
};

}  // namespace strata
