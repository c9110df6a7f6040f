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

}  // namespace

Schedule::Schedule(World& world)
    : parts_(&detail::parts_of(world)),
      runner_(std::make_unique<detail::SystemRunner>(parts_->store, parts_->hierarchy.parents())) {}

Schedule::Schedule(Schedule&& other) noexcept = default;
Schedule& Schedule::operator=(Schedule&& other) noexcept = default;
Schedule::~Schedule() = default;

System Schedule::add_made(std::string_view name, detail::MadeSystem made, CallSite at) {
  detail::SystemDescription description;
  description.name = name;
  description.access = std::move(made.access);
  return System(*runner_, *parts_, runner_->add(std::move(description), std::move(made.body), at));
}

detail::SystemSource Schedule::source() {
  return {*parts_, runner_->change_systems().names()};
}

SystemSet Schedule::set(std::string_view name, CallSite at) {
  return SystemSet(*runner_, *parts_, runner_->set(name, at));
}

System Schedule::system(std::string_view name, CallSite at) {
  const auto found = runner_->systems().find_system(name);
  STRATA_EXPECTS_AT(at, found, "this schedule has no system " + detail::in_quotes(name) + ": add it first");
  return System(*runner_, *parts_, *found);
}

void Schedule::set_executor(Executor* executor, std::size_t grain) {
  runner_->set_executor(executor, grain);
}

void Schedule::measure_times(std::function<double()> clock, std::uint32_t runs, CallSite at) {
  STRATA_EXPECTS_AT(at, runs > 0, "the times of at least one run are kept: give a number greater than 0");
  runner_->measure(std::move(clock), runs);
}

void Schedule::stop_measuring() {
  runner_->measure({}, 0);
}

std::vector<SystemTime> Schedule::times() {
  std::vector<SystemTime> all;
  const detail::SystemTimes* const times = runner_->times();
  if (times == nullptr) return all;
  for (std::uint32_t system = 0; system < runner_->systems().size(); ++system) {
    all.push_back(
        {runner_->systems()[system].name, times->last(system), times->mean(system), times->longest(system)});
  }
  return all;
}

void Schedule::refuse_conflicts(bool refused) {
  runner_->refuse_conflicts(refused);
}

Outcome Schedule::check() {
  return runner_->make_plan();
}

void Schedule::run(double seconds, CallSite at) {
  require_time(seconds, at);
  runner_->run(seconds);
}

std::uint32_t Schedule::run_steps(double seconds, double step, std::uint32_t most, CallSite at) {
  STRATA_EXPECTS_AT(
      at, step > 0 && most > 0,
      "a schedule runs in steps of so many seconds, and so many at most: give numbers greater than 0");
  require_time(seconds, at);
  steps_.set_steps(step, most);
  const detail::SystemTimer::Due due = steps_.advance(seconds);
  for (std::uint32_t i = 0; i < due.runs; ++i) runner_->run(step);
  return due.runs;
}

std::vector<std::string> Schedule::conflicts() {
  std::vector<std::string> sentences;
  for (const detail::UndeclaredConflict& conflict : runner_->require_plan().conflicts)
    sentences.push_back(detail::conflict_text(runner_->systems(), conflict));
  return sentences;
}

std::string Schedule::explain() {
  return explain_plan(runner_->systems(), runner_->require_plan(), runner_->times());
}

std::string Schedule::to_dot() {
  return plan_to_dot(runner_->systems(), runner_->require_plan());
}

}  // namespace strata
