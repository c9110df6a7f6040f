#include "schedule.hpp"

#include <cmath>

#include "../../query/systems/plan_text.hpp"
#include "../../query/systems/system_runner.hpp"

namespace strata {
namespace {

void require_time(double seconds, CallSite at) {
  STRATA_EXPECTS_AT(at, std::isfinite(seconds) && seconds >= 0,
                    "a schedule runs for a time that is finite and not negative, in seconds: it is " +
                        std::to_string(seconds));
}

/// Returns: the runner of a schedule.
/// Contract: the schedule was not moved from.
detail::SystemRunner& runner_in(const std::shared_ptr<detail::SystemRunner>& runner) {
  STRATA_EXPECTS(runner != nullptr, "a schedule that was moved from can only be destroyed or assigned to");
  return *runner;
}

}  // namespace

Schedule::Schedule(World& world)
    : parts_(&detail::parts_of(world)),
      runner_(std::make_shared<detail::SystemRunner>(parts_->store, parts_->hierarchy.parents(),
                                                     parts_->commands.buffer())) {}

Schedule::Schedule(Schedule&& other) noexcept = default;
Schedule& Schedule::operator=(Schedule&& other) noexcept {
  // `other` may be a capture of a system's function. The systems of this schedule are destroyed together with `taken`,
  // so `other` is emptied before.
  Schedule taken(std::move(other));
  std::swap(parts_, taken.parts_);
  std::swap(runner_, taken.runner_);
  std::swap(steps_, taken.steps_);
  return *this;
}
Schedule::~Schedule() = default;

System Schedule::add_made(std::string_view name, detail::MadeSystem made, CallSite at) {
  detail::SystemDescription description;
  description.name = name;
  description.access = std::move(made.access);
  detail::SystemRunner& runner = runner_in(runner_);
  return System(runner_, *parts_, runner.add(std::move(description), std::move(made.body), at));
}

detail::SystemSource Schedule::source() {
  return {*parts_, runner_in(runner_).change_systems().names()};
}

SystemSet Schedule::set(std::string_view name, CallSite at) {
  detail::SystemRunner& runner = runner_in(runner_);
  return SystemSet(runner_, *parts_, runner.set(name, at));
}

System Schedule::system(std::string_view name, CallSite at) {
  detail::SystemRunner& runner = runner_in(runner_);
  const auto found = runner.systems().find_system(name);
  STRATA_EXPECTS_AT(at, found, "this schedule has no system " + detail::in_quotes(name) + ": add it first");
  return System(runner_, *parts_, *found);
}

void Schedule::set_executor(Executor* executor, std::size_t grain) {
  runner_in(runner_).set_executor(executor, grain);
}

void Schedule::measure_times(std::function<double()> clock, std::uint32_t runs, CallSite at) {
  STRATA_EXPECTS_AT(at, runs > 0, "the times of at least one run are kept: give a number greater than 0");
  runner_in(runner_).measure(std::move(clock), runs);
}

void Schedule::stop_measuring() {
  runner_in(runner_).measure({}, 0);
}

std::vector<SystemTime> Schedule::times() {
  std::vector<SystemTime> all;
  detail::SystemRunner& runner = runner_in(runner_);
  const detail::SystemTimes* const times = runner.times();
  if (times == nullptr) return all;
  for (std::uint32_t system = 0; system < runner.systems().size(); ++system) {
    all.push_back(
        {runner.systems()[system].name, times->last(system), times->mean(system), times->longest(system)});
  }
  return all;
}

void Schedule::refuse_conflicts(bool refused) {
  runner_in(runner_).refuse_conflicts(refused);
}

Outcome Schedule::check() {
  return runner_in(runner_).make_plan();
}

void Schedule::run(double seconds, CallSite at) {
  require_time(seconds, at);
  // A system may move this schedule, so its members are read once.
  detail::SystemRunner& runner = runner_in(runner_);
  const detail::Pin pin(*parts_, "a run of a schedule");
  runner.run(seconds);
}

std::uint32_t Schedule::run_steps(double seconds, double step, std::uint32_t most, CallSite at) {
  STRATA_EXPECTS_AT(
      at, step > 0 && std::isfinite(step) && most > 0,
      "a schedule runs in steps of so many seconds, and so many at most: give finite numbers greater than 0");
  require_time(seconds, at);
  // A system may move this schedule, so its members are read once.
  detail::SystemRunner& runner = runner_in(runner_);
  const detail::Pin pin(*parts_, "a run of a schedule");
  runner.require_can_run();
  runner.require_plan();  // Before time is counted.
  steps_.set_steps(step, most);
  const detail::SystemTimer::Due due = steps_.advance(seconds);
  for (std::uint32_t i = 0; i < due.runs; ++i) runner.run(step);
  return due.runs;
}

std::vector<std::string> Schedule::conflicts() {
  std::vector<std::string> sentences;
  detail::SystemRunner& runner = runner_in(runner_);
  for (const detail::UndeclaredConflict& conflict : runner.require_plan().conflicts)
    sentences.push_back(detail::conflict_text(runner.systems(), conflict));
  return sentences;
}

std::string Schedule::explain() {
  detail::SystemRunner& runner = runner_in(runner_);
  return explain_plan(runner.systems(), runner.require_plan(), runner.times());
}

std::string Schedule::to_dot() {
  detail::SystemRunner& runner = runner_in(runner_);
  return plan_to_dot(runner.systems(), runner.require_plan());
}

}  // namespace strata
