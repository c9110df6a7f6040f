#include "system_runner.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "../../core/rollback.hpp"
#include "../../core/task_run.hpp"
#include "part_recorders.hpp"

namespace strata::detail {
namespace {

bool all_hold(const RunConditions& conditions) {
  return std::all_of(conditions.begin(), conditions.end(),
                     [](const std::unique_ptr<RunCondition>& condition) { return condition->holds(); });
}

}  // namespace

SystemRunner::SystemRunner(Store& store, const Relation& relation, CommandBuffer& of_world)
    : store_(store), relation_(relation), of_world_{&of_world, ReservedHandles(0)} {}

SystemRunner::~SystemRunner() {
  STRATA_EXPECTS(
      !is_running_,
      "a schedule is destroyed or assigned to by one of its own systems: do it when run has returned");
}

void SystemRunner::require_can_run() const {
  STRATA_EXPECTS(
      !is_running_,
      "a schedule cannot be run by one of its own systems: run it again when its run has returned, or give "
      "these systems a schedule of their own");
  STRATA_EXPECTS(!store_.guard().locked(), "a schedule cannot run while " + store_.guard().under_way() +
                                               ": run it when that has ended");
}

/// Checks the contracts of `run`, and makes a plan if there is none. Prepares the measurement of times and the
/// conditions of sets for this run.
void SystemRunner::begin_run() {
  require_can_run();
  if (!is_planned_) [[unlikely]]
    require_plan();
  if (times_) {
    times_->resize(runtimes_.size());
    times_->begin_run();
  }
  if (has_set_conditions_) {
    for (SetRuntime& set : sets_) set.answer = SetRuntime::Answer::unknown;
  }
}

void SystemRunner::run(double seconds) {
  begin_run();
  is_running_ = true;
  const Rollback end([&] { is_running_ = false; });
  FirstError error;
  std::size_t stage = 0;
  while (stage < plan_.stages.size() && !error.any()) {
    const std::size_t next = end_of_joined(stage);
    const SystemStage& running = plan_.stages[next - 1];
    if (Runtime& first = runtimes_[running.systems.front()];
        next == stage + 1 && running.systems.size() == 1 && first.is_plain) {
      if (first.is_active) run_alone(first, seconds, error);
    } else {
      run_stages(stage, next, seconds, error);
    }
    if (!running.applied.empty()) apply_commands(running, error);
    stage = next;
  }
  if (!error.any()) return;
  // A system has thrown, so the remaining stages do not run. Commands that wait for the end of one of these stages are
  // applied now, because the systems that recorded them have run to their end.
  for (; stage < plan_.stages.size(); ++stage) apply_commands(plan_.stages[stage], error);
  error.rethrow();
}

/// Runs a stage that has a single system. Does what `run_stages` would do, but makes no lists of systems, which is
/// faster.
/// Contract: the system has no conditions, and no interval or fixed steps (see Runtime::is_plain). So `advance` only
/// computes the time that the system receives as Elapsed.
void SystemRunner::run_alone(Runtime& runtime, double seconds, FirstError& error) {
  runtime.due = runtime.timer.advance(seconds);
  if (runtime.is_exclusive) {
    run_system(runtime);
  } else {
    if (runtime.body->may_cascade()) relation_.begin_cascade();
    const ChangeGuard::Operation running(store_.guard(), "a stage of a schedule");
    run_system(runtime);
  }
  if (runtime.error.any()) [[unlikely]]
    error.catching([&] { runtime.error.rethrow(); });
  if (!runtime.is_exclusive && store_.guard().has_pending()) [[unlikely]]
    error.catching([&] { store_.iteration_ended(); });
}

/// Runs the stages from `first` up to `end`. If there are several stages, runs them together: where possible, their
/// systems are called one after the other for some rows, and then for the next rows (see RowPass).
void SystemRunner::run_stages(std::size_t first, std::size_t end, double seconds, FirstError& error) {
  due_.clear();
  due_parallel_.clear();
  for (std::size_t stage = first; stage < end; ++stage) list_due(plan_.stages[stage], seconds, error);
  if (due_.empty() && due_parallel_.empty()) return;
  if (!due_.empty() && runtimes_[due_.front()].is_exclusive) return run_due(error);
  bool cascades = false;
  for (std::size_t stage = first; stage < end; ++stage) cascades = cascades || cascading_[stage];
  if (cascades) relation_.begin_cascade();
  {
    const ChangeGuard::Operation running(store_.guard(), "a stage of a schedule");
    if (!due_.empty()) run_due(error);
    if (!due_parallel_.empty()) run_parallel(error);
  }
  error.catching([&] { store_.iteration_ended(); });
}

/// Adds each system of a stage that runs this time to one of two lists: to `due_parallel_` if several threads may call
/// it for rows (System::par), otherwise to `due_`. A system runs if it is enabled, its timer is due (if it
/// has one), and its conditions and those of its sets hold. If a condition throws, the system does not run, and `error`
/// keeps the exception.
void SystemRunner::list_due(const SystemStage& stage, double seconds, FirstError& error) {
  for (const Index system : stage.systems) {
    Runtime& runtime = runtimes_[system];
    if (!runtime.is_active) continue;
    runtime.due = runtime.timer.advance(seconds);
    runtime.has_failed = false;
    if (!runtime.is_plain) {
      bool runs = runtime.due.runs != 0;
      error.catching([&] {
        runtime.has_failed = true;
        runs = runs && passes_conditions(system);
        runtime.has_failed = false;
      });
      if (!runs || runtime.has_failed) continue;
    }
    (runtime.is_parallel ? due_parallel_ : due_).push_back(system);
  }
}

bool SystemRunner::passes_conditions(Index system) {
  for (const std::uint32_t set : systems_[system].sets) {
    if (!holds(sets_[set])) return false;
  }
  return all_hold(runtimes_[system].conditions);
}

/// Returns: whether all conditions of a set hold. Evaluates the conditions at the first call in a run of the schedule.
/// Later calls in this run return the same answer, or false if a condition has thrown.
bool SystemRunner::holds(SetRuntime& set) {
  if (set.answer == SetRuntime::Answer::unknown) {
    set.answer = SetRuntime::Answer::no;  // The answer if a condition throws.
    if (all_hold(set.conditions)) set.answer = SetRuntime::Answer::yes;
  }
  return set.answer == SetRuntime::Answer::yes;
}

/// Runs the systems of `due_`. If one of them throws, runs the others all the same, because they do not depend on each
/// other.
void SystemRunner::run_due(FirstError& error) {
  if (due_.size() == 1) {
    run_system(runtimes_[due_.front()]);
  } else {
    run_side_by_side(error);
  }
  for (const Index system : due_) {
    if (runtimes_[system].error.any()) [[unlikely]]
      error.catching([&] { runtimes_[system].error.rethrow(); });
  }
}

/// Runs the systems of `due_parallel_`, which may visit several rows at the same time. All systems that run once in
/// this run of the schedule visit their rows in one common pass (see RowPass). Each other system has one pass for each
/// of its runs, before the common pass. There is no common pass while the times of systems are measured, or while an
/// observer is notified of each iteration. If a system throws, the systems of later stages are not called any more.
void SystemRunner::run_parallel(FirstError& error) {
  const bool is_common = !times_ && store_.observer() == nullptr;
  row_pass_.clear();
  std::uint32_t failed_stage = std::numeric_limits<std::uint32_t>::max();
  for (const Index system : due_parallel_) {
    const std::uint32_t stage = plan_.order.stage_of(system);
    if (stage > failed_stage) break;
    Runtime& runtime = runtimes_[system];
    if (is_common && runtime.due.runs == 1) {
      row_pass_.add(*runtime.body, runtime.due.seconds, &runtime.has_failed, stage);
      runtime.timer.ran();
    } else {
      run_system(runtime);
      if (!runtime.error.any()) [[likely]]
        continue;
      failed_stage = stage;
      error.catching([&] { runtime.error.rethrow(); });
    }
  }
  error.catching([&] { row_pass_.run(row_executor(), row_grain()); });
}

/// Visits the rows of one system, on several threads if possible (System::par). Not inlined, because few systems use
/// it.
STRATA_NOINLINE void SystemRunner::visit_rows(Runtime& runtime) {
  RowPass pass(store_.slots());
  pass.add(*runtime.body, runtime.due.seconds, &runtime.has_failed, 0);
  pass.run(row_executor(), row_grain());
}

/// Returns: the executor for visits of rows. Null if rows are visited on the calling thread: there is no executor, or
/// the store has an observer of accesses, which is called on one thread only.
Executor* SystemRunner::row_executor() const {
  return store_.observer() == nullptr ? executor_ : nullptr;
}

/// Runs several systems: on the executor if that is worthwhile (see `is_worth_workers`), otherwise one after the other.
/// The result is the same in both cases.
void SystemRunner::run_side_by_side(FirstError& error) {
  FirstError failure;
  failure.catching([&] { begin_recording(); });
  if (!failure.any()) {
    // With an executor, systems cannot register components even if they run on one thread this time: whether they can
    // must not depend on the number of rows.
    std::optional<Registry::Shared> shared;
    if (executor_ != nullptr) shared.emplace(store_.registry());
    if (is_worth_workers()) {
      auto task = [this](std::size_t i) { run_system(runtimes_[due_[i]]); };
      failure.catching([&] { run_tasks(*executor_, due_.size(), 1, store_.memory(), task); });
    } else {
      for (const Index system : due_) run_system(runtimes_[system]);
    }
  }
  end_recording(error);
  if (failure.any()) error.catching([&] { failure.rethrow(); });
}

/// Returns: whether to run the due systems on the executor. That is so if there is an executor, the store has no
/// observer of accesses (AccessObserver), and the due systems without the one with the most rows visit at least
/// `grain_` rows together. The answer depends on estimated numbers of rows, not on measured times, so it is the same
/// each time a program runs.
bool SystemRunner::is_worth_workers() const {
  // An AccessObserver may be called on one thread only, so with one, the systems do not run on the executor.
  if (executor_ == nullptr || store_.observer() != nullptr || has_few_rows()) return false;
  std::size_t largest = 0;
  std::size_t others = 0;
  for (std::size_t i = 0; i < due_.size() && (i == 0 || others < grain_); ++i) {
    const std::size_t rows = runtimes_[due_[i]].body->estimate_rows(grain_);
    others += std::min(rows, largest);
    largest = std::max(rows, largest);
  }
  return others >= grain_;
}

/// Returns: whether the world has so few entities that the due systems visit fewer rows than `grain_`, even if their
/// queries match all entities; false if a due system has no query. This is cheaper than an estimate for each system.
bool SystemRunner::has_few_rows() const {
  std::size_t queries = 0;
  for (const Index system : due_) {
    if (runtimes_[system].body->queries() == 0) return false;
    queries += runtimes_[system].body->queries();
  }
  return queries * store_.slots().in_use() < grain_;
}

void SystemRunner::run_system(Runtime& runtime) {
  if (times_) [[unlikely]]
    return run_timed(runtime);
  run_body(runtime);
}

/// Calls `run_body` for one system, and stores in `times_` how long all runs take together, also if a run throws. If
/// the clock throws, keeps the exception in `runtime.error`.
void SystemRunner::run_timed(Runtime& runtime) {
  runtime.error.catching([&] {
    const double begin = times_->now();
    run_body(runtime);
    times_->set(index_of(runtime), times_->now() - begin);
  });
}

/// Runs one system `due.runs` times. If it throws, keeps the exception in `runtime.error`, leaves out the remaining
/// runs, and leaves `has_failed` true.
void SystemRunner::run_body(Runtime& runtime) {
  runtime.has_failed = true;
  runtime.error.catching([&] {
    for (std::uint32_t i = 0; i < runtime.due.runs; ++i) {
      if (runtime.is_parallel) [[unlikely]] {
        visit_rows(runtime);
      } else {
        runtime.body->run(runtime.due.seconds);
      }
    }
    runtime.has_failed = false;
  });
  runtime.timer.ran();
}

/// Makes the buffers of the systems in `due_` ready, so that several systems can record commands at the same time.
/// Reserves entity handles for each system that records commands, so that the handles of new entities do not depend on
/// which system runs first. If a system records commands, or if there is an executor, makes the world's own buffer
/// ready, too.
void SystemRunner::begin_recording() {
  recorded_before_ = of_world_.buffer->size();
  recorders_.assign(1, &of_world_);
  for (const Index system : due_) {
    if (runtimes_[system].recorder.buffer != nullptr) recorders_.push_back(&runtimes_[system].recorder);
  }
  if (recorders_.size() == 1 && executor_ == nullptr) recorders_.clear();
  begin_apart(store_.slots(), recorders_);
}

/// Ends what `begin_recording` has begun, also if that call has thrown half way. If there is no memory for the slots of
/// a system's new entities, marks the system as failed and drops its commands. If there is none for the slots of new
/// entities of the world's own buffer, drops the commands that were recorded there, and `error` keeps the exception.
/// The commands are dropped here, because the missing slots may be made for other entities, with the same handles.
void SystemRunner::end_recording(FirstError& error) {
  if (recorders_.empty()) return;
  end_apart(store_.slots(), recorders_);
  const auto issue = [&](ApartRecorder& recorder, FirstError& failure) {
    FirstError missing;
    missing.catching([&] { recorder.handles.issue_taken(store_.slots()); });
    if (!missing.any()) return true;
    failure.catching([&] { missing.rethrow(); });
    return false;
  };
  if (!issue(of_world_, error)) of_world_.buffer->drop_from(recorded_before_);
  if (of_world_.buffer->size() > recorded_before_) store_.guard().mark_recorded();
  for (const Index system : due_) {
    Runtime& runtime = runtimes_[system];
    if (runtime.recorder.buffer == nullptr || issue(runtime.recorder, runtime.error)) continue;
    runtime.has_failed = true;
    runtime.recorder.buffer->drop_all();
  }
}

/// Applies the commands that are due at the end of a stage, system by system. Commands of systems that have failed (see
/// Runtime::has_failed) are dropped.
void SystemRunner::apply_commands(const SystemStage& stage, FirstError& error) {
  for (const Index system : stage.applied) {
    Runtime& runtime = runtimes_[system];
    CommandBuffer& commands = *runtime.recorder.buffer;
    if (commands.empty()) continue;
    CommandBuffer::Deferral reactions(*of_world_.buffer);
    if (runtime.has_failed) commands.drop_all();
    error.catching([&] { commands.apply(); });
    error.catching([&] { reactions.finish(); });
    if (runtime.is_parallel) [[unlikely]]
      runtime.body->part_recorders()->free_values();
  }
}

}  // namespace strata::detail
