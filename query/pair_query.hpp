// PairQuery: a query that visits only the entities that have, or do not have, pairs (links of a relation) to given
// targets.
#pragma once

#include <iterator>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "matching/pair_conditions.hpp"
#include "matching/selection.hpp"
#include "visiting/explain.hpp"
#include "visiting/row_range.hpp"
#include "visiting/visits.hpp"

namespace strata::detail {

/// Calls `function` for each pair in `targets`, which are the pairs of one entity. The arguments are the target of the
/// pair, then the value of the pair if the relation R has values, then `values`, the arguments that the terms of the
/// query give for the entity.
template <class R, class Function, class... Values>
void visit_targets(const std::vector<PairTarget>& targets, Function& function, Values&... values) {
  for (const PairTarget& pair : targets) {
    if constexpr (is_tag<R>) {
      function(pair.target, values...);
    } else {
      function(pair.target, *static_cast<const R*>(pair.value), values...);
    }
  }
}

/// The result of `to` and `without` with a target, in Query and RuntimeQuery: a query that visits only the entities
/// that have, or do not have, pairs to given targets. If pairs are required, the query goes through the entities with a
/// pair to the first target given to `to` (the sources of this target), in the order of Relations::sources. A stale
/// target has no sources. Each function does what the function of Query with the same name does. A PairQuery holds a
/// reference to the query (Held is a reference), or the query itself if it was a temporary.
///
/// Contract: no term writes to the parent, except in `cascade(up)`.
/// Complexity: O(sources of the first target given to `to`) for a visit, plus a test of each archetype that was created
/// since the query's last visit. In an order by depth, O(n log n) for n sources. If no pair is required, a visit costs
/// what a visit of the query costs, plus one call of Relations::has for each row and condition.
template <class Held>
class PairQuery {
 public:
  PairQuery(Held&& query, const PairCondition& condition)
      : query_(std::forward<Held>(query)),
        conditions_(require_pairs(query_.matcher()), query_.matcher().store().registry()) {
    conditions_.add(condition);
  }

  /// Return this query, restricted further to entities that have (`to`), or do not have (`without`), a pair to a
  /// target. The relation is given as a type or by its id.
  /// Contract: at most kMaxTerms targets in all; a relation given by its id is known, that is, Relations::relation was
  /// called for it.
  template <class R>
  PairQuery to(Entity target) const {
    return restricted(PairCondition::of<R>(target, false));
  }
  template <class R>
  PairQuery without(Entity target) const {
    return restricted(PairCondition::of<R>(target, true));
  }
  PairQuery to(ComponentId relation, Entity target) const {
    return restricted({target, relation, nullptr, false});
  }
  PairQuery without(ComponentId relation, Entity target) const {
    return restricted({target, relation, nullptr, true});
  }

  /// `cascade` returns this query with a visiting order by depth; `depths` and `depth` return it restricted to some
  /// depths. See Query::cascade and CascadeQuery::depths.
  PairQuery cascade(Direction direction = Direction::down) const {
    PairQuery ordered = *this;
    ordered.selection_.order = order_of(direction);
    return ordered;
  }
  PairQuery depths(std::uint32_t first, std::uint32_t last) const {
    PairQuery restricted = *this;
    restricted.selection_ = selection_.within(first, last);
    return restricted;
  }
  PairQuery depth(std::uint32_t only) const { return depths(only, only); }

  template <class... Functions>
  void each(Functions&&... functions) {
    query_.each_paired(selection(), functions...);
  }

  /// Does not compile, because a PairQuery cannot be visited by several threads; the message names another way.
  template <class AnyExecutor>
  void par(AnyExecutor&) {
    static_assert(
        sizeof(AnyExecutor) == 0,
        "the sources of a target are visited by one thread: list them, and use query.par(...).each_of");
  }

  /// Does not compile: the rows of the entities that have a pair to a target (its sources) are not contiguous.
  template <class Function>
  void each_block(Function&&) {
    static_assert(sizeof(Function) == 0,
                  "the rows of sources are not contiguous, so each_block cannot visit them: use each");
  }

  std::size_t count() { return detail::count_rows(refreshed(), selection()); }
  Entity first() { return detail::find_first(refreshed(), selection()); }
  bool contains(Entity entity) const { return detail::contains(query_.matcher(), selection(), entity); }
  std::string explain() { return detail::explain(refreshed(), selection()); }
  std::string explain(Entity entity) { return detail::explain(refreshed(), selection(), entity); }

  auto begin() & { return query_.begin_in(selection()); }
  std::default_sentinel_t end() { return {}; }

 private:
  PairQuery restricted(const PairCondition& condition) const {
    PairQuery more = *this;
    more.conditions_.add(condition);
    return more;
  }
  Selection selection() const { return selection_.paired(conditions_); }
  const Matcher& refreshed() {
    query_.matcher_.refresh();
    return query_.matcher_;
  }

  Held query_;
  PairConditions conditions_;
  Selection selection_ = Order::any;
};

}  // namespace strata::detail
