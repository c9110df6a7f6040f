// Schedule: runs systems, functions of which it knows what they read and write, in an order that follows from that.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../core/contract.hpp"
#include "../../core/executor.hpp"
#include "../../core/outcome.hpp"
#include "detail/system_bodies.hpp"
#include "system.hpp"
#include "system_arguments.hpp"
#include "world.hpp"

namespace strata {

/// Runs the systems of a world. A system is a function; what it reads and writes follows from its parameters:
///   `Query<Position, const Velocity>&`: a query, which is kept from run to run; also `LayeredQuery<...>&`
///   `Accessor<T>&`, `Accessor<const T>&`: the values of T of any entity
///   `Resource<T>`, `Resource<const T>`: a resource of the world
///   `Commands&`: records structural changes; see below
///   `Elapsed`: the time since the system last ran
///   `const World&`: reads anything; `World&`: may change anything, and runs alone
/// A function with further parameters behind these is called for each row: `Entity`, `T&`, `const T&`, and `T*` or `const T*` for what
/// `Maybe` hands out. Other terms are named: `schedule.add<const Local, Global, Parent<const Global>>("place", place)`.
///
/// Order: a system runs after those that are declared to run before it. Two systems of which one writes what the other one reads or writes
/// never run at the same time. If no order between them is declared, the one that was added first runs first, unless the order of others does not let it;
/// `conflicts` lists these pairs. Systems form stages: those of one stage do not depend on each other. The order depends on what was added and declared alone.
///
/// Commands: each system records into a buffer of its own. It is applied when the stage of the system ends, in the order of the systems, so
/// a system sees what those have recorded that run before it; see System::apply_commands_after. While a stage runs, structural
/// changes break a contract, as they do during a query, unless it consists of a system that takes `World&`. Changes that are recorded in
/// World::commands are applied when the stage ends, before the commands of its systems.
///
/// What a term of a query only asks for (`With`, `Without`, `AnyOf`) is not read, unless its changes are tracked. A query for changes by
/// `changed<T>` needs T among its terms.
///
/// Contract: the world outlives the schedule.
/// Threads: a writer of the world.
class Schedule {
 public:
  STRATA_API explicit Schedule(World& world);
  STRATA_API Schedule(Schedule&& other) noexcept;
  STRATA_API Schedule& operator=(Schedule&& other) noexcept;
  STRATA_API ~Schedule();

  /// Adds a system. Without a name, it is "system 3" if it is the third one.
  /// Contract: no system or set has the name, and the schedule does not run.
  template <class... Terms, class Function>
  System add(std::string_view name, Function function, CallSite at = {}) {
    detail::SystemDescription description;
    description.name = name;
    detail::MadeSystem made = detail::make_system<Terms...>(source(), std::move(function));
    description.access = std::move(made.access);
    return System(*runner_, *parts_, runner_->add(std::move(description), std::move(made.body), at));
  }
  template <class... Terms, class Function>
  requires(!std::is_convertible_v<Function, std::string_view>) System
      add(Function function, CallSite at = {}) {
    return add<Terms...>(std::string_view(), std::move(function), at);
  }

  /// Returns: the set with this name, which is made if there is none.
  /// Contract: no system has the name, and the schedule does not run.
  STRATA_API SystemSet set(std::string_view name, CallSite at = {});

  /// Returns: the system with this name.
  /// Contract: there is one.
  STRATA_API System system(std::string_view name, CallSite at = {});

  /// Sets the executor on whose workers the systems of one stage run at the same time. Null, as at the beginning: they run one after the
  /// other in the calling thread. What they do to the world does not depend on that, as long as they change nothing but what their
  /// parameters give them. While StorageAdvisor watches the world, they run one after the other, too.
  /// Contract: the executor outlives the schedule, or is replaced before. The memory resource of the world may be used by several threads.
  STRATA_API void set_executor(Executor* executor);

  /// Sets whether `check` refuses a schedule with conflicts without a declared order.
  STRATA_API void refuse_conflicts(bool refused = true);

  /// Works out the order, unless nothing has changed.
  /// Returns: success, or why there is no order: a cycle, whose systems are named, or a name of no system and no set.
  /// Complexity: O(systems^3 / 64), and O(pairs of systems with a declared order).
  STRATA_API Outcome check();

  /// Runs each system that is due once, or as often as System::fixed_step says. `seconds` is the time that has passed since the last call.
  /// Errors: exceptions of systems, conditions and of applying commands. The other systems of the stage run to their end, so the result is the same in whatever order they
  /// run; those of later stages do not run. The commands of the system that threw are dropped, and those of all others that have run are applied. Then the
  /// first exception, by the order of the systems, is thrown.
  /// Contract: `check` succeeds. No query iterates, and no system of this schedule calls this.
  /// Complexity: O(systems), apart from what they do; nothing is allocated.
  STRATA_API void run(double seconds = 0);

  /// Runs the schedule as often as steps of this length fit into the time that has passed since the last call and what was left of it, but at most `most`
  /// times; the steps beyond that are left out. Each run is told the length of a step.
  /// Returns: the number of runs.
  /// Errors: those of `run`; the remaining steps are left out.
  /// Contract: that of `run`; `step` is greater than 0, and so is `most`.
  STRATA_API std::uint32_t run_steps(double seconds, double step, std::uint32_t most, CallSite at = {});

  /// Returns: a sentence for each two systems that conflict without a declared order.
  /// Contract: `check` succeeds.
  STRATA_API std::vector<std::string> conflicts();

  /// Return how the schedule runs: stages, what each system reads and writes and waits for, where commands are applied, and conflicts without a declared order. `explain` returns
  /// text for people, `to_dot` a graph for Graphviz.
  /// Contract: `check` succeeds.
  STRATA_API std::string explain();
  STRATA_API std::string to_dot();

 private:
  detail::SystemSource source() { return {*parts_, runner_->change_systems().names()}; }

  detail::WorldParts* parts_;
  std::unique_ptr<detail::SystemRunner> runner_;
  detail::SystemTimer steps_;
};

}  // namespace strata
