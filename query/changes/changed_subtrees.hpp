// ChangedSubtrees: visits the entities that were written since the last such visit, and all below them.
#pragma once

#include <array>
#include <utility>

#include "../matching/visit_lock.hpp"
#include "../terms/write_stamper.hpp"
#include "subtree_pass.hpp"

namespace strata::detail {

/// The result of `query.cascade().changed_subtrees<Ts...>()`: visits the matching entities that were written, and the
/// matching entities below a written one. A written entity is one on which a component of Ts was written since the
/// query's last visit by `changed` or `changed_subtrees` began; a written entity need not match the query. Parents come
/// before children. For the first visit, all entities with one of Ts count as written.
///
/// With this view, a program can update values that depend on the parent, such as positions in the world, without
/// marking changed entities: `transforms.cascade().changed_subtrees<Local>().each(place)`. ChangedView says what counts
/// as a write. Re-parenting is no write: after `set_parent`, write a component of Ts of the moved entity, for example
/// with `set`.
///
/// Contract: the query outlives this object.
template <class Query, class... Ts>
class ChangedSubtrees {
 public:
  explicit ChangedSubtrees(Query& query, const PassThreads& threads = {})
      : query_(query), threads_(threads) {}

  /// Returns: a view that visits the same entities, but on the workers of an executor. If a depth has at least
  /// 2 * `grain` entities to visit, several threads visit them at the same time. Only the calling thread lists the
  /// children to visit at the next depth. The result is the same for every executor.
  /// Contract: that of Query::par; see ParallelQuery for what functions may do.
  ChangedSubtrees par(Executor& executor, std::size_t grain = kParallelGrain) const {
    return ChangedSubtrees(query_, PassThreads(executor, grain));
  }

  /// Calls `function` for every entity to visit, after its ancestors, with the same arguments as Query::each does.
  /// Several functions take turns as in Query::each: each function visits a run of rows before the next function does.
  /// Errors: what a function throws, and std::bad_alloc; after such an error, the next visit goes to the entities of
  /// this visit again.
  /// Contract: not called during another visit of changed subtrees of the same query.
  /// Complexity: O(blocks with a component of Ts + rows of written blocks + entities visited). The first visit, and
  /// each visit after the number of entity slots (one for each entity index) has grown, also takes O(slots).
  template <class... Functions>
  void each(Functions&&... functions) {
    static_assert(sizeof...(Functions) != 0, "each needs a function");
    Query::require_no_parent_written();
    query_.matcher_.refresh();
    WriteClock& clock = query_.writer("changed_subtrees").rows().changes().clock();
    const std::uint64_t moment = clock.begin_run();
    {
      const WriteStamper stamper(query_.matcher_, clock, Query::kTrackedWrites, moment,
                                 Query::sharing(threads_));
      const auto call = [&](const Batch& batch) { (Query::Visits::visit(batch, functions), ...); };
      run([&](const Batch& batch) { stamper.visit(batch, call); }, threads_);
    }
    query_.seen_ = moment;
    query_.iteration_ended();
  }

  /// Returns: the number of entities that `each` would visit now. Counting is not a visit: the next `each`
  /// still visits these entities.
  std::size_t count() const {
    query_.matcher_.refresh();
    std::size_t rows = 0;
    run([&](const Batch& batch) { rows += batch.count; }, PassThreads());
    return rows;
  }

  /// Does not compile: the rows of subtrees are not contiguous.
  template <class Function>
  void each_block(Function&&) {
    static_assert(sizeof(Function) == 0,
                  "the rows of subtrees are not contiguous, so each_block cannot visit them: use each");
  }

 private:
  template <class Visit>
  void run(Visit visit, const PassThreads& threads) const {
    const Matcher::VisitLock lock(query_.matcher_);
    const std::array<ComponentId, sizeof...(Ts)> ids{
        query_.matcher_.store().registry().template find_or_unknown<Ts>()...};
    query_.subtrees_.get().run(query_.matcher_, ids, query_.seen_, BatchVisitor(visit), threads);
  }

  Query& query_;
  PassThreads threads_;
};

}  // namespace strata::detail
