#include "system.hpp"

#include "../../query/systems/system_runner.hpp"

namespace strata {
namespace {

/// Returns: the runner of a system's schedule.
/// Contract: the schedule was not destroyed or assigned to.
detail::SystemRunner& runner_in(const std::weak_ptr<detail::SystemRunner>& runner) {
  const std::shared_ptr<detail::SystemRunner> held = runner.lock();
  STRATA_EXPECTS(
      held != nullptr,
      "the schedule of this System or SystemSet was destroyed or assigned to: keep the schedule, or "
      "get the system from the new one");
  return *held;
}

}  // namespace

System& System::after(std::string_view name) {
  runner_in(runner_).change_systems()[index_].order.after.emplace_back(name);
  return *this;
}

System& System::before(std::string_view name) {
  runner_in(runner_).change_systems()[index_].order.before.emplace_back(name);
  return *this;
}

System& System::in(std::string_view set, CallSite at) {
  detail::SystemRunner& runner = runner_in(runner_);
  runner.put_in_set(index_, runner.set(set, at));
  return *this;
}

System& System::par(CallSite at) {
  STRATA_EXPECTS_AT(
      at, runner_in(runner_).visit_in_parallel(index_),
      "the rows of the system " + detail::in_quotes(name()) +
          " cannot be visited by several threads: its function has to be called for each row, and may take "
          "only Commands&, Elapsed and Resource<const T> besides the row. A system that takes a Query can "
          "call query.par(executor)");
  return *this;
}

System& System::every(double seconds, CallSite at) {
  STRATA_EXPECTS_AT(at, seconds > 0,
                    "the system " + detail::in_quotes(name()) + " cannot run every " +
                        std::to_string(seconds) + " seconds: give a number greater than 0");
  runner_in(runner_).set_timer(index_, detail::SystemTimer::every(seconds));
  return *this;
}

System& System::fixed_step(double seconds, std::uint32_t most, CallSite at) {
  STRATA_EXPECTS_AT(at, seconds > 0 && most > 0,
                    "the system " + detail::in_quotes(name()) + " cannot run in steps of " +
                        std::to_string(seconds) + " seconds, at most " + std::to_string(most) +
                        " of them: give numbers greater than 0");
  runner_in(runner_).set_timer(index_, detail::SystemTimer::in_steps(seconds, most));
  return *this;
}

System& System::apply_commands_after(std::string_view name) {
  runner_in(runner_).change_systems()[index_].commands_after.emplace_back(name);
  return *this;
}

System& System::disable() {
  runner_in(runner_).enable(index_, false);
  return *this;
}

System& System::enable() {
  runner_in(runner_).enable(index_, true);
  return *this;
}

const std::string& System::name() const {
  return runner_in(runner_).systems()[index_].name;
}

detail::SystemSource System::source() {
  return {*parts_, runner_in(runner_).change_systems().names()};
}

detail::SystemAccess& System::access() {
  return runner_in(runner_).change_systems()[index_].access;
}

void System::add_condition(std::unique_ptr<detail::RunCondition> condition) {
  runner_in(runner_).add_condition(index_, std::move(condition));
}

SystemSet& SystemSet::after(std::string_view name) {
  runner_in(runner_).change_systems().sets()[index_].order.after.emplace_back(name);
  return *this;
}

SystemSet& SystemSet::before(std::string_view name) {
  runner_in(runner_).change_systems().sets()[index_].order.before.emplace_back(name);
  return *this;
}

SystemSet& SystemSet::disable() {
  runner_in(runner_).enable_set(index_, false);
  return *this;
}

SystemSet& SystemSet::enable() {
  runner_in(runner_).enable_set(index_, true);
  return *this;
}

detail::SystemSource SystemSet::source() {
  return {*parts_, runner_in(runner_).change_systems().names()};
}

void SystemSet::add_condition(std::unique_ptr<detail::RunCondition> condition) {
  runner_in(runner_).add_set_condition(index_, std::move(condition));
}

}  // namespace strata
