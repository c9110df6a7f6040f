// System and SystemSet: declare when the systems of a schedule run.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "../../core/contract.hpp"
#include "detail/system_bodies.hpp"

namespace strata {

namespace detail {
class SystemRunner;
}  // namespace detail

class Schedule;

/// One system of a Schedule. The functions of this class declare when the system runs; they return the System, so that
/// calls can be chained: `schedule.add("move", move).after("input").before("draw").in("physics")`.
///
/// A `name` argument is the name of a system or a set. The system or set may be added to the schedule later.
///
/// Contract: the schedule was not destroyed or assigned to, and does not run. A schedule may be moved.
class System {
 public:
  /// Declare that the system runs after, or before, a system or the systems of a set.
  STRATA_API System& after(std::string_view name);
  STRATA_API System& before(std::string_view name);
  System& after(const System& other) { return after(other.name()); }
  System& before(const System& other) { return before(other.name()); }

  /// Adds the system to the set with the name `set`. The set is made if there is none with this name.
  /// Contract: no system has this name.
  STRATA_API System& in(std::string_view set, CallSite at = {});

  /// Lets the executor of the schedule call the system's function for several rows at the same time, if the system
  /// matches many rows. So the function must write only to the values that it receives, and read values of parents only
  /// if no other call writes them at the same time, as in ParallelQuery.
  ///
  /// With or without an executor, systems with `par` that follow each other in the schedule run together if they use
  /// only values of the visited row, and all of these values are in tables: all of the systems are called for the rows
  /// of one block of memory before the next block is visited, so that later systems find the values of the block in the
  /// CPU cache. For each row, the systems are called in the order of the schedule. So a system must not depend on what
  /// another system that runs together with it has done with other rows. Systems of several stages (a stage is a group
  /// of systems that do not depend on each other) run together if all systems of these stages can run together, and
  /// have no conditions, intervals (`every`) or fixed steps. `Schedule::explain` tells which systems run together.
  /// While times are measured, each system visits its rows by itself.
  ///
  /// If the function takes `Commands&`, calls on different threads get different Commands, so a call uses only its own.
  /// The commands of a system are applied in the order of its rows. Neither their order nor the handles of new entities
  /// depend on the executor or on its number of workers. But the handles do depend on how the rows are divided among
  /// Commands, and therefore on the grain of Schedule::set_executor, on which systems run together, and on whether
  /// times are measured or a StorageAdvisor counts uses. The rows are divided into up to 64 parts, each with its own
  /// Commands. Each run reserves handles for new entities for each part: usually somewhat more than the part took in
  /// earlier runs. Near the limit WorldOptions::max_entities, each run reserves up to 65,536 handles for each part, and
  /// so takes more time. The limit is near if fewer than 65,536 entity indices that were never used are left for each
  /// part of all systems that run together and record commands: with 64 parts, about four million for each of these
  /// systems. The Commands of a part do not report refusals of earlier runs (Commands::refusals). The commands may name
  /// only components and relations that are known to the world: see World::component and Relations::relation.
  ///
  /// If the function throws, it is not determined for which rows other systems that run together with it have been
  /// called. If several calls throw, the exception that a single thread would have met first is passed on. The commands
  /// of the system that has thrown, and of all systems that run together with it, are dropped.
  /// Contract: the system's function is of the kind that is called once for each row. Beside the arguments for the
  /// row, it takes none but `Commands&`, `Elapsed` and `Resource<const T>`.
  STRATA_API System& par(CallSite at = {});

  /// Lets the system run only if `condition`, and each other condition of the system, returns true. The conditions are
  /// evaluated when the stage of the system begins. A condition may have parameters of the types `Resource<const T>`
  /// and `const World&`. What a condition reads counts as read by its system, too.
  template <class Function>
  System& run_if(Function condition);

  /// Divides the time of the schedule (the sum of the times that are passed to Schedule::run) into intervals of
  /// `seconds`. In a Schedule::run, the system runs only if an interval has ended since the Schedule::run before, and
  /// only once, even if several intervals have ended.
  /// Contract: `seconds` is greater than 0.
  STRATA_API System& every(double seconds, CallSite at = {});

  /// Divides time into steps of `seconds`. In each call of Schedule::run, the system runs once for each step that has
  /// ended since the previous call, but at most `most` times. Steps beyond that are skipped. Schedule::run_steps makes
  /// several systems take steps together.
  /// Contract: `seconds` and `most` are greater than 0.
  STRATA_API System& fixed_step(double seconds, std::uint32_t most, CallSite at = {});

  /// Makes the schedule apply the commands of this system when the stage of the system called `name` ends; for a set,
  /// when the last stage of its systems ends. Without a call of this function, or if the system's own stage is later,
  /// the commands are applied when that own stage ends. After several calls, the latest of the stages counts. In any
  /// case, the commands are applied before a later system that takes `World&` or `const World&` runs.
  STRATA_API System& apply_commands_after(std::string_view name);

  /// `disable` keeps the system from running until `enable` is called.
  STRATA_API System& disable();
  STRATA_API System& enable();

  STRATA_API const std::string& name() const;

 private:
  friend class Schedule;

  System(const std::shared_ptr<detail::SystemRunner>& runner, detail::WorldParts& parts, std::uint32_t index)
      : runner_(runner), parts_(&parts), index_(index) {}

  STRATA_API detail::SystemSource source();
  STRATA_API detail::SystemAccess& access();
  STRATA_API void add_condition(std::unique_ptr<detail::RunCondition> condition);

  std::weak_ptr<detail::SystemRunner> runner_;  // That of the schedule.
  detail::WorldParts* parts_;
  std::uint32_t index_;
};

/// A set of systems of a Schedule, such as a phase. What is declared for the set holds for each of its systems.
/// System::in adds a system to a set.
///
/// Contract: that of System.
class SystemSet {
 public:
  /// Declare that the systems of the set run after, or before, a system or the systems of another set.
  STRATA_API SystemSet& after(std::string_view name);
  STRATA_API SystemSet& before(std::string_view name);

  /// Lets the systems of the set run only if `condition` returns true; see System::run_if. The condition is evaluated
  /// at most once in each run of the schedule, when the first system of the set is due.
  template <class Function>
  SystemSet& run_if(Function condition);

  /// `disable` keeps the systems of the set from running until `enable` is called. A system runs only if it and all of
  /// its sets are enabled.
  STRATA_API SystemSet& disable();
  STRATA_API SystemSet& enable();

 private:
  friend class Schedule;

  SystemSet(const std::shared_ptr<detail::SystemRunner>& runner, detail::WorldParts& parts,
            std::uint32_t index)
      : runner_(runner), parts_(&parts), index_(index) {}

  STRATA_API detail::SystemSource source();
  STRATA_API void add_condition(std::unique_ptr<detail::RunCondition> condition);

  std::weak_ptr<detail::SystemRunner> runner_;  // That of the schedule.
  detail::WorldParts* parts_;
  std::uint32_t index_;
};

template <class Function>
System& System::run_if(Function condition) {
  using Parameters = typename detail::ParametersOf<Function>::type;
  static_assert(!std::is_void_v<Parameters>,
                "the parameters of a condition cannot be auto: name their types");
  add_condition(detail::make_condition(source(), std::move(condition), Parameters(), access()));
  return *this;
}

template <class Function>
SystemSet& SystemSet::run_if(Function condition) {
  using Parameters = typename detail::ParametersOf<Function>::type;
  static_assert(!std::is_void_v<Parameters>,
                "the parameters of a condition cannot be auto: name their types");
  detail::SystemAccess access;
  add_condition(detail::make_condition(source(), std::move(condition), Parameters(), access));
  return *this;
}

}  // namespace strata
