// ChangedView: the rows of a query that were written since its last run, typed.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "../terms/write_stamper.hpp"
#include "../visiting/visits.hpp"
#include "changed_batches.hpp"

namespace strata::detail {

/// The result of `Query::changed<Ts...>`. Visits as the query does, but only entities that were written since
/// the query's last run of this kind began. Writes of that run itself do not count. The first run visits
/// everything.
///
/// A value counts as written when it is handed out for writing or created: by `T`, `Maybe<T>` and `Parent<T>`
/// in any query, and by `get`, `find`, `set` and `add` of a World that is not const. With Tracking::rows,
/// exactly the written rows count. With Tracking::blocks, a write to one row counts for all rows of its
/// block; a changed row that moves marks all rows of its new block. A write during a run is new to the next
/// run, and may be new to the current one, too.
///
/// Contract: the query outlives it.
template <class Query, class... Ts>
class ChangedView {
 public:
  explicit ChangedView(Query& query) : query_(query) {}

  /// Calls `function`, or several as Query::each does, for every matching entity that was written.
  /// Errors: what a function throws; the next run then visits the rows of this run again.
  /// Complexity: O(blocks + rows of written blocks), or O(members of the smallest required pool).
  template <class... Functions>
  void each(Functions&&... functions) {
    static_assert(sizeof...(Functions) != 0, "each needs a function");
    run([&](const Batch& batch) { (Query::Visits::visit(batch, functions), ...); });
  }

  /// Calls `function` as Query::each_block does, for every run of neighbouring rows that were written.
  /// Contract: no term uses the side store.
  template <class Function>
  void each_block(Function&& function) {
    require_tables(query_.matcher_);
    run([&](const Batch& batch) { Query::Visits::visit_block(batch, function); });
  }

  /// Returns: the number of entities that `each` would visit. It does not count as a run: they are still
  /// visited by the next one.
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
                                           ChangeFilter(ids, query_.seen_));
    while (batches->next(batch)) visit(std::as_const(batch));
  }

  template <class Visit>
  void run(Visit visit) {
    Query::require_no_parent_written();
    query_.matcher_.refresh();
    WriteClock& clock = query_.writer("changed").rows().changes().clock();
    const std::uint64_t moment = clock.begin_run();
    {
      const Matcher::VisitLock lock(query_.matcher_);
      const WriteStamper stamper(query_.matcher_, clock, Query::kTrackedWrites, moment);
      for_each_batch([&](const Batch& batch) { stamper.visit(batch, visit); });
    }
    query_.seen_ = moment;
    query_.iteration_ended();
  }

  Query& query_;
};

}  // namespace strata::detail
