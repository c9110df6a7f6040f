// ParallelQuery: a query whose rows are visited by several threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "../../core/contract.hpp"
#include "../../core/executor.hpp"
#include "../changes/dirty.hpp"
#include "../changes/pass_threads.hpp"
#include "../matching/selection.hpp"
#include "../matching/visit_lock.hpp"
#include "../terms/write_stamper.hpp"
#include "../visiting/visits.hpp"
#include "recorder.hpp"
#include "task_batches.hpp"

namespace strata::detail {

STRATA_API void require_no_order(const Selection& selection);
/// Checks the contract of `propagate`: the query visits by depth, from parents to children, and at all depths.
STRATA_API void require_downwards(const Selection& selection);

/// The members and functions of a ParallelQuery that do not depend on the template arguments of its query.
class ParallelVisit {
 public:
  ParallelVisit(Selection selection, Executor& executor, std::size_t grain)
      : selection_(selection), threads_(executor, grain) {}

  const Selection& selection() const { return selection_; }
  const PassThreads& threads() const { return threads_; }

  /// Calls `visit(task, batch)` for each batch (some rows) of each task. A task is a set of rows that one worker
  /// visits; `task` is the index of the task. Several threads may call `visit` at the same time.
  template <class Visit>
  void run(const Matcher& matcher, const WorkList& work, Visit& visit) const {
    auto do_task = [&](std::size_t task, Scratch& scratch) {
      // With this return type, the lambda can be called with exactly the types that `visit` takes: with a Batch and,
      // for some callers, also with a BlockPart (some rows of one block). for_each_task_batch tests which types are
      // possible.
      auto visit_batch = [&](const auto& batch) -> decltype(visit(task, batch)) { visit(task, batch); };
      for_each_task_batch(matcher, work, work.tasks()[task], scratch, visit_batch);
    };
    const Registry::Shared no_new_types(matcher.store().registry());
    run_work(work, threads_.executor(), do_task);
  }

  /// Returns: the rows that the query visits, divided into tasks; a single task if the rows are few, or the executor
  /// has one worker. If visits write to the parents of rows (`writes_parents`), siblings are in the same task.
  STRATA_API WorkList list_work(const Matcher& matcher, bool writes_parents) const;

 private:
  Selection selection_;
  PassThreads threads_;
};

/// The result of `Query::par` and `CascadeQuery::par`: visits the rows of the query on the workers of an executor. In
/// an order by depth, an entity is visited after its ancestors or, in cascade(up), after its descendants. Apart from
/// that, rows may be visited in any order and at the same time. So a function writes only to the values that it
/// receives, and reads values of other entities only if no visit may write them at the same time. In a cascade, that is
/// true for the values that `Parent<const T>` and `Up<const T>` hand out. In cascade(up), a function may write to the
/// parent (`Parent<T>`): siblings are visited one after the other, in the order of the rows. Queries with few rows are
/// visited on the calling thread.
///
/// If functions keep to these rules, all values are the same after the visit, whatever the executor and the number of
/// workers. The recorded times of writes to tracked components (see Tracking) are the same, too.
///
/// Errors: the exceptions that a visit by one thread would throw. If visiting functions throw for several rows, only
/// the exception for the first of these rows, in the order of a visit by one thread, passes through. Rows after that
/// row may have been visited or not. After an exception, calls that a Recorder has recorded are dropped.
/// Contract: the executor fulfils the contract of Executor; see Query for what functions may do. In addition, functions
/// do not use `World::commands` or other objects that change the world, because only one thread may use these;
/// `recording` gives each function a Recorder for changes. Functions use no query object that other threads use, but
/// may make queries of their own, for components that are registered.
template <class Held>
class ParallelQuery {
 public:
  ParallelQuery(Held&& query, Selection selection, Executor& executor, std::size_t grain)
      : query_(std::forward<Held>(query)), visit_(selection, executor, grain) {}

  /// Visits each matching entity once, with the arguments of Query::each. If there are several functions, rows are
  /// visited in runs (some successive rows), as in Query::each: the first function visits all rows of a run, then the
  /// second function visits the same rows, and so on.
  template <class... Functions>
  void each(Functions&&... functions) {
    static_assert(sizeof...(Functions) != 0, "each needs a function");
    query_.require_order(visit_.selection().order);
    query_.start(visit_.selection());
    run([&](std::size_t, const auto& batch) { (Visits::visit(batch, functions), ...); });
  }

  /// Visits the entities in `entities` that match the query, with the arguments of Query::each_of. Each task has a part
  /// of the list, and visits its entities in the order of the list.
  /// Contract: `entities` names no entity twice, and does not change during the call; the query was not made by
  /// `cascade`, because entities are not visited by depth; no term writes to the parent.
  template <class... Functions>
  void each_of(std::span<const Entity> entities, Functions&&... functions) {
    static_assert(sizeof...(Functions) != 0, "each_of needs a function");
    query_.require_no_parent_written();
    require_no_order(visit_.selection());
    query_.matcher_.refresh();
    run_on(WorkList(entities, visit_.threads().grain()),
           [&](std::size_t, const auto& batch) { (Visits::visit(batch, functions), ...); });
  }

  /// Visits runs of rows, with the arguments of Query::each_block. A block may be visited in several parts.
  /// Contract: no term tests or reads a component of the visited entity that is stored in the side store (sparse sets),
  /// where the values of successive rows are not contiguous.
  template <class Function>
  void each_block(Function&& function) {
    require_tables(query_.matcher_);
    query_.require_order(visit_.selection().order);
    query_.start(visit_.selection(), true);
    run([&](std::size_t, const Batch& batch) { Visits::visit_block(query_.matcher_, batch, function); });
  }

  /// Recomputes values in the parts of the hierarchy that have changed, as CascadeQuery::propagate does, with the same
  /// result. If there are many entities to visit at one depth, several threads visit them at the same time. Then
  /// the calling thread lists their children, which are visited next.
  /// Contract: that of CascadeQuery::propagate.
  template <class Mark = Dirty, class Function>
  std::span<const Entity> propagate(Function&& function) {
    static_assert(std::is_lvalue_reference_v<Held>,
                  "propagate returns a list that the query owns: keep the query in a variable");
    require_downwards(visit_.selection());
    return query_.template propagate_below<Mark>(function, visit_.threads());
  }

  /// The result of `recording`: a visit in which functions record calls to the object `target`.
  template <class Target>
  class Recording {
   public:
    Recording(ParallelQuery query, Target& target) : query_(std::move(query)), target_(target) {}

    /// Visits each matching entity once. `function` takes a Recorder<Target>& before the arguments of Query::each. When
    /// all rows have been visited, the recorded calls are made in the order of the rows. If the target is Commands, the
    /// calls record changes, and these are applied after the last call. If the target is another object, the iteration
    /// of the query ends before the first call, so the calls may change the world. If such a call records commands,
    /// this function does not apply them: they wait until the program calls World::flush.
    template <class Function>
    void each(Function&& function) {
      query_.query_.require_order(query_.visit_.selection().order);
      query_.query_.start(query_.visit_.selection());
      query_.run_recording(target_, function);
    }

   private:
    ParallelQuery query_;
    Target& target_;
  };

  /// Returns: this visit, which passes to its functions a Recorder for calls to `target`. For example, functions can
  /// record changes of the world if `target` is `world.commands()`.
  /// Contract: `target` outlives the result, and nothing else uses `target` during the visit.
  template <class Target>
  Recording<Target> recording(Target& target) && {
    return {std::move(*this), target};
  }

 private:
  using Visits = typename std::remove_cvref_t<Held>::Visits;
  static constexpr bool kWritesParent = std::remove_cvref_t<Held>::kWritesParent;

  template <class Visit>
  void run(Visit visit) {
    run_on(visit_.list_work(query_.matcher_, kWritesParent), visit);
  }
  template <class Visit>
  void run_on(const WorkList& work, Visit visit) {
    {
      const Matcher::VisitLock lock(query_.matcher_);
      query_.run_parallel(visit_, work, visit);
    }
    query_.iteration_ended();
  }

  template <class Target, class Function>
  void run_recording(Target& target, Function& function) {
    {
      std::optional<Matcher::VisitLock> lock(query_.matcher_);
      const WorkList work = visit_.list_work(query_.matcher_, kWritesParent);
      const std::size_t tasks = work.tasks().size();
      const auto recorders = std::make_unique<Recorder<Target>[]>(tasks);
      query_.run_parallel(visit_, work, [&](std::size_t task, const auto& batch) {
        auto visit_row = [&](auto&&... values) -> void {
          function(recorders[task], std::forward<decltype(values)>(values)...);
        };
        Visits::visit(batch, visit_row);
      });
      // If the target is not a Commands, the recorded calls may change or end the world and the query. So the iteration
      // ends before these calls.
      if constexpr (!only_records<Target>) {
        lock.reset();
        query_.iteration_ended();
      }
      for (std::size_t task = 0; task < tasks; ++task) recorders[task].make_all(target);
    }
    if constexpr (only_records<Target>) query_.iteration_ended();
  }

  Held query_;
  ParallelVisit visit_;
};

}  // namespace strata::detail
