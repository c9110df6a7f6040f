// The functions of SystemRunner that add systems, change them, and make the SystemPlan (in which stages they run).
#include <algorithm>
#include <utility>

#include "system_runner.hpp"

namespace strata::detail {

SystemRunner::Index SystemRunner::add(SystemDescription description, std::unique_ptr<SystemBody> body,
                                      CallSite at) {
  require_idle();
  runtimes_.reserve(runtimes_.size() + 1);
  const Index system = systems_.add(std::move(description), at);
  Runtime& runtime = runtimes_.emplace_back();
  runtime.recorder.buffer = body->commands();
  runtime.body = std::move(body);
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

bool SystemRunner::visit_in_parallel(Index system) {
  require_idle();
  if (runtimes_[system].body->row_system() == nullptr) return false;
  systems_[system].is_parallel = runtimes_[system].is_parallel = true;
  is_planned_ = false;
  return true;
}

void SystemRunner::add_condition(Index system, std::unique_ptr<RunCondition> condition) {
  require_idle();
  runtimes_[system].conditions.push_back(std::move(condition));
  is_planned_ = false;  // The condition may read resources that other systems write.
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

/// Sets Runtime::is_active for each system: whether the system and all of its sets are enabled.
void SystemRunner::update_activity() {
  for (Index system = 0; system < runtimes_.size(); ++system) {
    const std::vector<std::uint32_t>& sets = systems_[system].sets;
    runtimes_[system].is_active =
        runtimes_[system].is_enabled &&
        std::all_of(sets.begin(), sets.end(), [&](std::uint32_t set) { return sets_[set].is_enabled; });
  }
}

/// Sets Runtime::is_plain for each system: whether the system runs each time, without a timer and without conditions of
/// its own or of its sets.
void SystemRunner::update_plainness() {
  for (Index system = 0; system < runtimes_.size(); ++system) {
    const std::vector<std::uint32_t>& sets = systems_[system].sets;
    runtimes_[system].is_plain = runtimes_[system].conditions.empty() && runtimes_[system].timer.is_plain() &&
                                 std::all_of(sets.begin(), sets.end(), [&](std::uint32_t set) {
                                   return sets_[set].conditions.empty();
                                 });
  }
  if (is_planned_) join_stages();
}

/// Finds the stages whose systems run together with those of the stage before: the systems of both stages are called
/// for the same rows in turns (see RowPass). That is possible if the systems of both stages only visit rows, and no
/// commands are applied between the stages.
void SystemRunner::join_stages() {
  for (std::size_t stage = 1; stage < plan_.stages.size(); ++stage) {
    const SystemStage& previous = plan_.stages[stage - 1];
    plan_.stages[stage].joins_previous =
        previous.applied.empty() && only_visits_rows(previous) && only_visits_rows(plan_.stages[stage]);
  }
}

/// Returns: whether, for each system of the stage, several threads may call the system for rows at the same time
/// (System::par), and the system runs in each run of the schedule, without conditions.
bool SystemRunner::only_visits_rows(const SystemStage& stage) const {
  return std::all_of(stage.systems.begin(), stage.systems.end(), [&](Index system) {
    return runtimes_[system].is_parallel && runtimes_[system].is_plain;
  });
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
  due_parallel_.reserve(runtimes_.size());
  row_pass_.reserve(runtimes_.size());
  for (Index system = 0; system < runtimes_.size(); ++system)
    runtimes_[system].is_exclusive = systems_[system].access.writes_all();
  plan_ = std::move(plan);
  join_stages();
  is_planned_ = true;
  return Outcome::done();
}

const SystemPlan& SystemRunner::require_plan() {
  const Outcome made = make_plan();
  STRATA_EXPECTS(made, "the schedule has no order: " + made.message());
  return plan_;
}

}  // namespace strata::detail
