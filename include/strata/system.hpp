// System and SystemSet: to declare when the systems of a schedule run.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "../../core/contract.hpp"
#include "detail/system_bodies.hpp"

namespace strata {

class Schedule;

/// One system of a Schedule, to declare when it runs. The functions return the system, so that they can be chained:
/// `schedule.add("move", move).after("input").before("draw").in("physics")`.
///
/// Names stand for systems and sets; they may be of systems that are added later.
///
/// Contract: the schedule is alive and does not run.
class System {
 public:
  /// Declare that the system runs after, or before, a system or the systems of a set.
  STRATA_API System& after(std::string_view name);
  STRATA_API System& before(std::string_view name);
  System& after(const System& other) { return after(other.name()); }
  System& before(const System& other) { return before(other.name()); }

  /// Puts the system into a set, which is made if there is none with this name.
  /// Contract: no system has the name.
  STRATA_API System& in(std::string_view set, CallSite at = {});

  /// The system only runs when `condition` returns true, and so do all other conditions. It is asked when the stage of the system
  /// begins. It takes `Resource<const T>` and `const World&` as arguments; the system counts as reading the resources.
  template <class Function>
  System& run_if(Function condition);

  /// The system runs at most once in each call of Schedule::run, when `seconds` have passed since it was due last.
  /// Contract: `seconds` is greater than 0.
  STRATA_API System& every(double seconds, CallSite at = {});

  /// The system runs as often as steps of this length fit into the time that has passed, but at most `most` times in one call of
  /// Schedule::run; the steps beyond that are left out. For several systems that take steps together, see Schedule::run_steps.
  /// Contract: `seconds` is greater than 0, and so is `most`.
  STRATA_API System& fixed_step(double seconds, std::uint32_t most, CallSite at = {});

  /// The commands of the system are not applied before a system, or the systems of a set, have run. Without this, they are applied when the stage
  /// of the system ends. They are applied before a system that takes `World&` or `const World&` runs in any case.
  STRATA_API System& apply_commands_after(std::string_view name);

  /// The system does not run until it is enabled again. See also Schedule::enable.
  STRATA_API System& disable();
  STRATA_API System& enable();

  STRATA_API const std::string& name() const;

 private:
  friend class Schedule;

  System(detail::SystemRunner& runner, detail::WorldParts& parts, std::uint32_t index)
      : runner_(&runner), parts_(&parts), index_(index) {}

  detail::SystemRunner* runner_;
  detail::WorldParts* parts_;
  std::uint32_t index_;
};

/// A set of systems of a Schedule, to declare when all of them run: a phase, for instance. Systems enter it by System::in.
///
/// Contract: the schedule is alive and does not run.
class SystemSet {
 public:
  /// Declare that the systems of the set run after, or before, a system or those of another set.
  STRATA_API SystemSet& after(std::string_view name);
  STRATA_API SystemSet& before(std::string_view name);

  /// The systems of the set only run when `condition` returns true; see System::run_if. It is asked once in each run of the schedule,
  /// before the first of the systems that is due.
  template <class Function>
  SystemSet& run_if(Function condition);

  /// The systems of the set do not run until the set is enabled again.
  STRATA_API SystemSet& disable();
  STRATA_API SystemSet& enable();

 private:
  friend class Schedule;

  SystemSet(detail::SystemRunner& runner, detail::WorldParts& parts, std::uint32_t index)
      : runner_(&runner), parts_(&parts), index_(index) {}

  detail::SystemRunner* runner_;
  detail::WorldParts* parts_;
  std::uint32_t index_;
};

template <class Function>
System& System::run_if(Function condition) {
  using Parameters = typename detail::ParametersOf<Function>::type;
  static_assert(!std::is_void_v<Parameters>,
                "the parameters of a condition cannot be auto: name their types");
  detail::SystemList& systems = runner_->change_systems();
  runner_->add_condition(index_, detail::make_condition({*parts_, systems.names()}, std::move(condition),
                                                        Parameters(), systems[index_].access));
  return *this;
}

template <class Function>
SystemSet& SystemSet::run_if(Function condition) {
  using Parameters = typename detail::ParametersOf<Function>::type;
  static_assert(!std::is_void_v<Parameters>,
                "the parameters of a condition cannot be auto: name their types");
  detail::SystemAccess access;
  runner_->add_set_condition(index_, detail::make_condition({*parts_, runner_->change_systems().names()},
                                                            std::move(condition), Parameters(), access));
  return *this;
}

}  // namespace strata
