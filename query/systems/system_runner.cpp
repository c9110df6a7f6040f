#include "system_runner.hpp"

#include <algorithm>
#include <utility>

#include "../../core/rollback.hpp"
#include "../../core/task_run.hpp"

namespace strata::detail {
namespace {

bool all_hold(const RunConditions& conditions) {
  return std::all_of(conditions.begin(), conditions.end(),
                     [](const std::unique_ptr<RunCondition>& condition) { return condition->holds(); });
}

}  // namespace

SystemRunner::SystemRunner(Store& store, const Relation& relation) : store_(store), relation_(relation) {}

SystemRunner::Index SystemRunner::add(SystemDescription description, std::unique_ptr<SystemBody> body,
                                      CallSite at) {
  require_idle();
  runtimes_.reserve(runtimes_.size() + 1);
  const Index system = systems_.add(std::move(description), at);
  runtimes_.emplace_back().body = std::move(body);
  is_planned_ = false;
  return system;
}

std::uint32_t SystemRunner::set(std::string_view name, CallSite at) {
  require_idle();
  const std::uint32_t set = systems_.set(name, at);
  sets_.resize(systems_.sets().size());
  return set;
}

void SystemRunner::put_in_set(Index system, std::uint32_t set) {
  require_idle();
  std::vector<std::uint32_t>& sets = systems_[system].sets;
  if (std::find(sets.begin(), sets.end(), set) == sets.end()) sets.push_back(set);
  is_planned_ = false;
  update_activity();
  update_plainness();
}

void SystemRunner::set_timer(Index system, SystemTimer timer) {
  require_idle();
  runtimes_[system].timer = timer;
  update_plainness();
}

void SystemRunner::add_condition(Index system, std::unique_ptr<RunCondition> condition) {
  require_idle();
  runtimes_[system].conditions.push_back(std::move(condition));
  is_planned_ = false;  // A condition may read resources, which changes the plan.
  update_plainness();
}

void SystemRunner::add_set_condition(std::uint32_t set, std::unique_ptr<RunCondition> condition) {
  require_idle();
  sets_[set].conditions.push_back(std::move(condition));
  has_set_conditions_ = true;
  update_plainness();
}

void SystemRunner::enable(Index system, bool enabled) {
  require_idle();
  runtimes_[system].is_enabled = enabled;
  update_activity();
}

void SystemRunner::enable_set(std::uint32_t set, bool enabled) {
  require_idle();
  sets_[set].is_enabled = enabled;
  update_activity();
}

SystemList& SystemRunner::change_systems() {
  require_idle();
  is_planned_ = false;
  return systems_;
}

void SystemRunner::refuse_conflicts(bool refused) {
  require_idle();
  refuses_conflicts_ = refused;
  is_planned_ = false;
}

void SystemRunner::measure(SystemTimes::Clock clock, std::uint32_t runs) {
  require_idle();
  times_.reset();
  if (clock != nullptr) times_.emplace(std::move(clock), runs);
}

const SystemTimes* SystemRunner::times() {
  if (!times_) return nullptr;
  times_->resize(runtimes_.size());
  return &*times_;
}

void SystemRunner::set_executor(Executor* executor, std::size_t grain) {
  require_idle();
  executor_ = executor;
  grain_ = grain;
}

void SystemRunner::require_idle() const {
  STRATA_EXPECTS(!is_running_, "a schedule cannot be changed while it runs: do it between two runs");
}

/// Sets Runtime::is_active for each system.
void SystemRunner::update_activity() {
  for (Index system = 0; system < runtimes_.size(); ++system) {
    const std::vector<std::uint32_t>& sets = systems_[system].sets;
    runtimes_[system].is_active =
        runtimes_[system].is_enabled &&
        std::all_of(sets.begin(), sets.end(), [&](std::uint32_t set) { return sets_[set].is_enabled; });
  }
}

/// Sets Runtime::is_plain for each system.
void SystemRunner::update_plainness() {
  for (Index system = 0; system < runtimes_.size(); ++system) {
    const std::vector<std::uint32_t>& sets = systems_[system].sets;
    runtimes_[system].is_plain = runtimes_[system].conditions.empty() && runtimes_[system].timer.is_plain() &&
                                 std::all_of(sets.begin(), sets.end(), [&](std::uint32_t set) {
                                   return sets_[set].conditions.empty();
                                 });
  }
}

Outcome SystemRunner::make_plan() {
  require_idle();
  if (is_planned_) return Outcome::done();
  SystemPlan plan;
  if (Outcome made = detail::make_plan(systems_, &plan); !made) return made;
  if (refuses_conflicts_ && !plan.conflicts.empty())
    return Outcome::refused(conflict_text(systems_, plan.conflicts.front()));
  cascading_.assign(plan.stages.size(), false);
  std::size_t most = 0;
  for (std::size_t stage = 0; stage < plan.stages.size(); ++stage) {
    const std::vector<Index>& members = plan.stages[stage].systems;
    most = std::max(most, members.size());
    cascading_[stage] = std::any_of(members.begin(), members.end(),
                                    [&](Index system) { return runtimes_[system].body->may_cascade(); });
  }
  due_.reserve(most);
  recorders_.reserve(most);
  for (Index system = 0; system < runtimes_.size(); ++system)
    runtimes_[system].is_exclusive = systems_[system].access.writes_all();
  plan_ = std::move(plan);
  is_planned_ = true;
  return Outcome::done();
}

const SystemPlan& SystemRunner::require_plan() {
  const Outcome made = make_plan();
  STRATA_EXPECTS(made, "the schedule has no order: " + made.message());
  return plan_;
}

/// Checks the contracts of `run`, and makes a plan if there is none.
void SystemRunner::begin_run() {
  STRATA_EXPECTS(
      !is_running_,
      "a schedule cannot be run by one of its own systems: run it again when its run has returned, or give "
      "these systems a schedule of their own");
  STRATA_EXPECTS(!store_.guard().locked(), "a schedule cannot run while " + store_.guard().under_way() +
                                               ": run it when that has ended");
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
  for (; stage < plan_.stages.size() && !error.any(); ++stage) {
    const SystemStage& running = plan_.stages[stage];
    if (Runtime& first = runtimes_[running.systems.front()]; running.systems.size() == 1 && first.is_plain) {
      if (first.is_active) run_alone(first, seconds, error);
    } else {
      run_stage(stage, seconds, error);
    }
    if (!running.applied.empty()) apply_commands(running, error);
  }
  if (!error.any()) return;
  // Commands that wait for a later stage are applied now: the systems that recorded them have run to their end.
  for (; stage < plan_.stages.size(); ++stage) apply_commands(plan_.stages[stage], error);
  error.rethrow();
}

/// Runs a stage of one system that has no conditions, as `run_stage` does.
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

void SystemRunner::run_stage(std::size_t stage, double seconds, FirstError& error) {
  list_due(plan_.stages[stage], seconds, error);
  if (due_.empty()) return;
  if (runtimes_[due_.front()].is_exclusive) return run_due(error);
  if (cascading_[stage]) relation_.begin_cascade();
  {
    const ChangeGuard::Operation running(store_.guard(), "a stage of a schedule");
    run_due(error);
  }
  error.catching([&] { store_.iteration_ended(); });
}

/// Lists the systems of a stage that run this time.
void SystemRunner::list_due(const SystemStage& stage, double seconds, FirstError& error) {
  due_.clear();
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
    due_.push_back(system);
  }
}

bool SystemRunner::passes_conditions(Index system) {
  for (const std::uint32_t set : systems_[system].sets) {
    if (!holds(sets_[set])) return false;
  }
  return all_hold(runtimes_[system].conditions);
}

/// Returns: whether the conditions of a set hold. They are evaluated once in a run.
bool SystemRunner::holds(SetRuntime& set) {
  if (set.answer == SetRuntime::Answer::unknown) {
    set.answer = SetRuntime::Answer::no;  // The answer if a condition throws.
    if (all_hold(set.conditions)) set.answer = SetRuntime::Answer::yes;
  }
  return set.answer == SetRuntime::Answer::yes;
}

/// Runs the systems that are due. If one throws, the others are run all the same, because they do not depend
/// on each other.
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

/// Runs several systems, on the executor if there is one. The result is the same with and without an executor.
void SystemRunner::run_side_by_side(FirstError& error) {
  FirstError failure;
  failure.catching([&] { begin_recording(); });
  if (!failure.any()) {
    if (is_worth_workers()) {
      auto task = [this](std::size_t i) { run_system(runtimes_[due_[i]]); };
      failure.catching([&] { run_tasks(*executor_, due_.size(), 1, store_.memory(), task); });
    } else {
      for (const Index system : due_) run_system(runtimes_[system]);
    }
  }
  end_recording();
  if (failure.any()) error.catching([&] { failure.rethrow(); });
}

/// Returns: whether to run the due systems on the executor. The answer depends only on the numbers of rows that their
/// queries match, so it is the same each time a program runs.
bool SystemRunner::is_worth_workers() const {
  // An observer of accesses is called on one thread only.
  if (executor_ == nullptr || store_.observer() != nullptr) return false;
  std::size_t largest = 0;
  std::size_t others = 0;
  for (std::size_t i = 0; i < due_.size() && (i == 0 || others < grain_); ++i) {
    const std::size_t rows = runtimes_[due_[i]].body->estimate_rows(grain_);
    others += std::min(rows, largest);
    largest = std::max(rows, largest);
  }
  return others >= grain_;
}

void SystemRunner::run_system(Runtime& runtime) {
  if (times_) [[unlikely]]
    return run_timed(runtime);
  run_body(runtime);
}

/// Runs one system, and measures how long it takes.
void SystemRunner::run_timed(Runtime& runtime) {
  runtime.error.catching([&] {
    const double begin = times_->now();
    run_body(runtime);
    times_->set(static_cast<std::size_t>(&runtime - runtimes_.data()), times_->now() - begin);
  });
}

/// Runs one system; if it throws, keeps the exception in `runtime`.
void SystemRunner::run_body(Runtime& runtime) {
  runtime.has_failed = true;
  runtime.error.catching([&] {
    for (std::uint32_t i = 0; i < runtime.due.runs; ++i) runtime.body->run(runtime.due.seconds);
    runtime.has_failed = false;
  });
  runtime.timer.ran();
}

/// Prepares the systems that are due for recording commands at the same time.
void SystemRunner::begin_recording() {
  recorders_.clear();
  for (const Index system : due_) {
    if (runtimes_[system].body->commands() != nullptr) recorders_.push_back(system);
  }
  Slots& slots = store_.slots();
  const auto count = static_cast<std::uint32_t>(recorders_.size());
  for (const Index system : recorders_) runtimes_[system].handles.reserve(slots, count);
  for (std::uint32_t i = 0; i < count; ++i) {
    Runtime& runtime = runtimes_[recorders_[i]];
    runtime.handles.begin(slots, i, count);
    runtime.body->commands()->record_apart(&runtime.handles);
  }
}

/// Undoes `begin_recording`, also if that call has failed half way. If there is no memory for the slots of a
/// system's new entities, drops the system's commands, as if the system had thrown.
void SystemRunner::end_recording() {
  for (std::size_t i = recorders_.size(); i-- > 0;) {
    Runtime& runtime = runtimes_[recorders_[i]];
    runtime.body->commands()->record_apart(nullptr);
    runtime.handles.give_back(store_.slots());
  }
  for (const Index system : recorders_) {
    Runtime& runtime = runtimes_[system];
    FirstError failure;
    failure.catching([&] { runtime.handles.issue_taken(store_.slots()); });
    if (!failure.any()) continue;
    runtime.has_failed = true;
    runtime.error.catching([&] { failure.rethrow(); });
  }
}

/// Applies the commands that are due at the end of a stage, system by system. Commands of systems that threw are
/// dropped.
void SystemRunner::apply_commands(const SystemStage& stage, FirstError& error) {
  for (const Index system : stage.applied) {
    CommandBuffer& commands = *runtimes_[system].body->commands();
    if (commands.empty()) continue;
    if (runtimes_[system].has_failed) commands.drop_all();
    error.catching([&] { commands.apply(); });
  }
}

}  // namespace strata::detail
