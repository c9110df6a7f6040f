// ChangedView: visits the entities of a query whose values were written since the last such visit.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "../matching/visit_lock.hpp"
#include "../terms/write_stamper.hpp"
#include "../visiting/visits.hpp"
#include "changed_batches.hpp"
#include "listed_rows.hpp"
#include "pass_threads.hpp"

namespace strata::detail {

/// Fails to compile if the writes to one of Ts are not recorded, or if Ts is empty.
template <class... Ts>
void require_tracked() {
  static_assert(sizeof...(Ts) != 0, "changed<T, ...> needs at least one component");
  static_assert(((tracking_of<Ts> != Tracking::none) && ...),
                "changed<T> needs T to be tracked; after the definition of T, write: "
                "template <> inline constexpr strata::Tracking strata::tracking_of<T> = "
                "strata::Tracking::blocks; (or Tracking::rows)");
}

template <class Query, class... Ts>
class ParallelChangedView;

/// The result of `Query::changed<Ts...>`: visits only the matching entities on which a component of Ts was written
/// since the query's last visit by `changed` or `changed_subtrees` began. Values that the last visit itself handed out
/// for writing do not count as written. The first visit goes to all matching entities that have a component of Ts.
///
/// A value counts as written when it is created, or handed out for writing: by `T`, `Maybe<T>` and
/// `Parent<T>` in any query, and by `get`, `find`, `set` and `add` of a World that is not const. Each
/// component records its writes in one of two ways (see Tracking):
/// - Tracking::rows: exactly the written rows count.
/// - Tracking::blocks: a write to one row counts for all rows of its block. When a written row moves to
///   another block, all rows of that block count, too.
///
/// `query.cascade().changed<Ts...>()` visits these entities by depth, parents before children or, with `cascade(up)`,
/// children before parents.
///
/// A write that is made during a visit by other means, for example by World::set, counts for the next visit. Whether
/// the current visit goes to the written entity, too, is not specified.
///
/// Contract: the query outlives this object.
template <class Query, class... Ts>
class ChangedView {
  friend class ParallelChangedView<Query, Ts...>;

 public:
  explicit ChangedView(Query& query, const Selection& selection = Order::any)
      : query_(query), selection_(selection) {}

  /// Calls `function` for every matching entity on which a component of Ts was written since the query's last visit by
  /// `changed` or `changed_subtrees` began (see ChangedView). Several functions take turns as in Query::each: each
  /// function visits a run of rows before the next function does.
  /// Errors: what a function throws; if one throws, the next visit goes to the entities of this visit again.
  /// Complexity: O(blocks + rows of written blocks). If the visit goes through the members of one pool (sparse set)
  /// instead (see ChangedBatches): O(members of that pool).
  template <class... Functions>
  void each(Functions&&... functions) {
    static_assert(sizeof...(Functions) != 0, "each needs a function");
    run([&](const Batch& batch) { (Query::Visits::visit(batch, functions), ...); });
  }

  /// Visits the same entities as `each`, but calls `function` with spans of values, as Query::each_block does: once for
  /// each run of neighbouring rows that were all written.
  /// Contract: no term uses the side store (sparse sets).
  template <class Function>
  void each_block(Function&& function) {
    require_tables(query_.matcher_);
    run([&](const Batch& batch) { Query::Visits::visit_block(query_.matcher_, batch, function); });
  }

  /// Returns: this view, with entities visited by the workers of an executor. The calling thread lists the entities. If
  /// there are many, several threads then visit them at the same time. In an order by depth, the visits of one depth
  /// end before those of the next depth begin. Only `each` can be called on the result. The result is the same for
  /// every executor.
  /// Contract: that of Query::par; see ParallelQuery for what functions may do.
  ParallelChangedView<Query, Ts...> par(Executor& executor, std::size_t grain = kParallelGrain) const {
    return {*this, PassThreads(executor, grain)};
  }

  /// Returns: the number of entities that `each` would visit now. Counting is not a visit: the next `each` or
  /// `each_block` still visits these entities.
  std::size_t count() const {
    query_.matcher_.refresh();
    const Matcher::VisitLock lock(query_.matcher_);
    std::size_t rows = 0;
    for_each_batch([&](const Batch& batch) { rows += batch.count; });
    return rows;
  }

 private:
  template <class Visit>
  void for_each_batch(Visit visit) const {
    const std::array<ComponentId, sizeof...(Ts)> ids{
        query_.matcher_.store().registry().template find_or_unknown<Ts>()...};
    Batch batch;
    const Borrowed<ChangedBatches> batches(query_.matcher_.scratch(), query_.matcher_,
                                           ChangeFilter(ids, query_.seen_), selection_);
    while (batches->next(batch)) visit(std::as_const(batch));
  }

  /// First makes a list of the entities that `each` would visit; the calling thread does this alone. Then visits the
  /// listed entities, on several threads if there are many.
  template <class... Functions>
  void each_listed(const PassThreads& threads, Functions&... functions) {
    run_with(threads, [&](const WriteStamper& stamper) {
      ListedRows listed(selection_.order != Order::any);
      for_each_batch([&](const Batch& batch) { listed.add(query_.matcher_, batch); });
      const auto call = [&](const Batch& batch) { (Query::Visits::visit(batch, functions), ...); };
      auto visit = [&](const Batch& batch) { stamper.visit(batch, call); };
      listed.visit(query_.matcher_, threads, BatchVisitor(visit));
    });
  }

  template <class Visit>
  void run(Visit visit) {
    run_with(PassThreads(), [&](const WriteStamper& stamper) {
      for_each_batch([&](const Batch& batch) { stamper.visit(batch, visit); });
    });
  }

  /// Makes one visit of changed entities: advances the clock that gives times to writes (see WriteClock), and calls
  /// `work` with a WriteStamper, which records the writes of this visit. Then stores the time at which the clock was
  /// advanced as the time of the query's last visit, so that the next visit finds writes after this time. If `work`
  /// throws, the stored time stays that of the previous visit.
  template <class Work>
  void run_with(const PassThreads& threads, Work work) {
    Query::require_no_parent_written();
    query_.matcher_.refresh();
    WriteClock& clock = query_.writer("changed").rows().changes().clock();
    const std::uint64_t moment = clock.begin_run();
    {
      const Matcher::VisitLock lock(query_.matcher_);
      work(WriteStamper(query_.matcher_, clock, Query::kTrackedWrites, moment, Query::sharing(threads)));
    }
    query_.seen_ = moment;
    query_.iteration_ended();
  }

  Query& query_;
  Selection selection_;
};

/// The result of ChangedView::par: visits the same entities as the ChangedView, on several threads if there are many.
template <class Query, class... Ts>
class ParallelChangedView {
 public:
  ParallelChangedView(const ChangedView<Query, Ts...>& view, const PassThreads& threads)
      : view_(view), threads_(threads) {}

  /// Visits every entity that ChangedView::each would visit, and calls `functions` as it does. If there are many
  /// entities, several threads call them at the same time.
  /// Errors: what a function throws, and std::bad_alloc. If several calls throw, the caller gets the exception that a
  /// single thread would have met first. After an error, the next visit goes to the entities of this visit again.
  template <class... Functions>
  void each(Functions&&... functions) {
    static_assert(sizeof...(Functions) != 0, "each needs a function");
    view_.each_listed(threads_, functions...);
  }

  /// Does not compile: the entities are visited from a list, and the rows of listed entities are not contiguous.
  template <class Function>
  void each_block(Function&&) {
    static_assert(
        sizeof(Function) == 0,
        "several threads visit changed rows from a list, in which rows are not contiguous: use each");
  }

 private:
  ChangedView<Query, Ts...> view_;
  PassThreads threads_;
};

}  // namespace strata::detail
