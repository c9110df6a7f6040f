// OrderByView: a query that visits entities in the order of the values of a component.
#pragma once

#include <type_traits>
#include <utility>

#include "../core/call.hpp"
#include "filtering/gathered_rows.hpp"
#include "filtering/ordered_rows.hpp"
#include "matching/visit_lock.hpp"
#include "terms/write_stamper.hpp"

namespace strata::detail {

/// The result of `Query::order_by<T>`: visits the entities of the query in the order of their values of T.
/// Each call of `each` sorts the entities; see OrderedRows.
/// Contract: the query outlives this object.
template <class Query, class T, class Function>
class OrderByView {
 public:
  OrderByView(Query& query, Function less_or_key) : query_(query), function_(std::move(less_or_key)) {}

  /// Sorts the matching entities by their values of T, and calls `function` for each of them in this order, with the
  /// same arguments as Query::each does. Several functions may be passed, as in Query::each.
  /// Errors: what `less_or_key` (see Query::order_by) or a visiting function throws, and std::bad_alloc. If sorting
  /// fails, nothing is visited and the order of the previous call is kept.
  /// Contract: not called during another ordered visit of the same query.
  /// Complexity: O(n) for n matching entities if the order of the previous call is still right; otherwise see
  /// OrderedRows::sort.
  template <class... Functions>
  void each(Functions&&... functions) {
    static_assert(sizeof...(Functions) != 0, "each needs a function");
    Query::require_no_parent_written();
    query_.matcher_.refresh();
    {
      const Matcher::VisitLock lock(query_.matcher_);
      const OrderedRows::Visit visit(query_.order_);
      visit_all(sort(), [&](const Batch& batch) { (Query::Visits::visit(batch, functions), ...); });
    }
    query_.iteration_ended();
  }

  /// Does not compile: entities in an order by values are visited by one thread.
  template <class AnyExecutor>
  void par(AnyExecutor&) {
    static_assert(sizeof(AnyExecutor) == 0,
                  "order_by visits one entity after the other, so by one thread: use query.par(...) to visit "
                  "in any order");
  }

 private:
  std::span<const Entity> sort() {
    const auto less = [this](const T& a, const T& b) -> bool {
      if constexpr (std::is_invocable_v<Function&, const T&, const T&>) {
        return call(function_, a, b);
      } else {
        return call(function_, a) < call(function_, b);
      }
    };
    const Store& store = query_.matcher_.store();
    const ComponentId id = store.registry().template find_or_unknown<T>();
    if (id == Registry::kUnknown) return {};  // T is not registered, and a term requires it: nothing matches.
    return query_.order_.sort(query_.matcher_, id, store.rows().changes().count(), ValueOrder::of<T>(less));
  }

  template <class Visit>
  void visit_all(std::span<const Entity> entities, Visit visit) {
    const auto stamped = query_.stamping(visit);
    const Borrowed<GatheredRows> rows(query_.matcher_.scratch(), query_.matcher_);
    Batch batch;
    while (!entities.empty()) {
      const std::size_t count = std::min<std::size_t>(entities.size(), GatheredRows::kRun);
      rows->take(entities.first(count));
      entities = entities.subspan(count);
      while (rows->next(batch)) stamped(std::as_const(batch));
    }
  }

  Query& query_;
  Function function_;
};

/// Whether each entity that satisfies the term `Term` of a query has a value of T, so that `order_by<T>` can
/// compare it.
template <class T, class Term>
inline constexpr bool requires_value = std::is_same_v<T, std::remove_const_t<Term>>;
template <class T, class Filtered>
inline constexpr bool requires_value<T, With<Filtered>> = std::is_same_v<T, std::remove_const_t<Filtered>>;

}  // namespace strata::detail
