// Schedule: runs systems in an order that follows from what each reads and writes, and from declared orders.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../core/contract.hpp"
#include "../../core/executor.hpp"
#include "../../core/outcome.hpp"
#include "../../query/systems/system_timer.hpp"
#include "detail/system_bodies.hpp"
#include "system.hpp"
#include "system_arguments.hpp"
#include "world.hpp"

namespace strata {

namespace detail {
class SystemRunner;
}  // namespace detail

/// How long a system took in the last measured runs of its Schedule. Schedule::measure_times sets how many runs count.
/// A run of the Schedule in which the system did not run, for example because of a condition, counts as 0.
/// Units: those of the clock, usually seconds.
struct SystemTime {
  std::string system;
  double last;  ///< The time in the last of these runs.
  double mean;
  double longest;
};

/// Runs the systems of a world. A system is a function. Its parameters determine what it may read and write:
///   `Query<Position, const Velocity>&`: a query, which is kept from run to run; also `LayeredQuery<...>&`
///   `Accessor<T>&`, `Accessor<const T>&`: the values of T of any entity
///   `Resource<T>`, `Resource<const T>`: a resource of the world
///   `Commands&`: records structural changes; see below
///   `Elapsed`: the time since the system last ran
///   `const World&`: reads anything
///   `World&`: may change anything; the system runs alone
///
/// A function with further parameters, after or before these, is called for each row of a query. The further parameters
/// are the terms of the query: `Entity`, `T&` and `const T&`, or `T*` and `const T*` for a component that not every row
/// has (`Maybe`). If the query has other terms, too, `add` lists all terms:
/// `schedule.add<Position, With<Enemy>>("drift", drift)`. Rows are visited in any order, so no term may write to
/// parents (`Parent<T>`). To visit parents before children, or to write to parents, take the query:
/// `[](Query<const Local, Global, Parent<const Global>>& query) { query.cascade().each(place); }`.
///
/// Order: a declared order always holds. Two systems conflict if one of them writes what the other one reads or writes;
/// conflicting systems never run at the same time. If no order between them is declared, the one that was added first
/// runs first, unless the declared order of other systems forbids that; `conflicts` lists the pairs of systems without
/// a declared order. The schedule is divided into stages, which run one after the other. The systems of one stage do
/// not depend on each other. The order depends only on what was added and declared.
///
/// Terms that test for a component (`With`, `Without`, `AnyOf`) do not count as reading the component, unless its
/// changes are tracked. A query whose visits are limited by `changed<T>` to rows with changed values needs T among its
/// terms; otherwise, a contract is broken. For a query that is visited in the order of values of T (`order_by<T>`), a
/// contract is broken if neither T nor const T is among its terms and changes of T are not tracked.
///
/// Commands: each system records into a command buffer of its own. The commands of a stage's systems are applied when
/// the stage ends, in the order of the systems. So a system sees the effect of commands that systems of earlier stages
/// have recorded. System::apply_commands_after applies the commands of a system later. Commands that were recorded by
/// World::commands are applied before the commands of the stage's systems. During a stage, structural changes break a
/// contract, as they do during a query; only a system that takes `World&` may make such changes.
///
/// Contract: the world outlives the schedule. A schedule is not destroyed or assigned to by its own systems; if it is,
/// the process ends with a message, unless the contract handler does something else.
/// Threads: each call counts as a change of the world: no other thread may use the world at the same time.
class Schedule {
 public:
  STRATA_API explicit Schedule(World& world);
  STRATA_API Schedule(Schedule&& other) noexcept;
  STRATA_API Schedule& operator=(Schedule&& other) noexcept;
  STRATA_API ~Schedule();

  /// Adds a system, which calls `function`. `Terms` are the terms of a query, or are left out (see Schedule). A system
  /// that is added without a name gets its number as name: the third system is called "system 3".
  /// Contract: no system or set has the name, and the schedule does not run.
  template <class... Terms, class Function>
  System add(std::string_view name, Function function, CallSite at = {}) {
    return add_made(name, detail::make_system<Terms...>(source(), std::move(function)), at);
  }
  template <class... Terms, class Function>
  requires(!std::is_convertible_v<Function, std::string_view>) System
      add(Function function, CallSite at = {}) {
    return add<Terms...>(std::string_view(), std::move(function), at);
  }

  /// Returns: the set with this name, which is created if there is none.
  /// Contract: no system has the name, and the schedule does not run.
  STRATA_API SystemSet set(std::string_view name, CallSite at = {});

  /// Returns: the system with this name.
  /// Contract: there is a system with this name.
  STRATA_API System system(std::string_view name, CallSite at = {});

  /// Sets the executor that runs the systems of one stage at the same time. Null is the default: the systems run one
  /// after the other on the calling thread, as they also do while a StorageAdvisor counts the uses of the world's
  /// components. The result is the same with every executor if systems change only what their parameters give them.
  ///
  /// The systems of a stage also run one after the other if they have little work for a second thread: if the systems
  /// other than the one with the most rows visit fewer than `grain` rows together. A system without a query counts as
  /// `grain` rows. So with a grain of 0, each stage of several systems is handed to the executor. The rows of a single
  /// system are divided among the workers if it was declared with System::par and visits at least `grain / 2` rows, or
  /// twice the default grain of Query::par if that is less.
  ///
  /// With an executor, systems of a stage with several systems cannot register components and relations. So a component
  /// or relation that the world gets to know only by their commands must be registered before the run, by
  /// World::component or Relations::relation.
  /// Contract: the executor outlives the schedule, or is replaced before it is destroyed. The memory resource of the
  /// world may be used by several threads at the same time.
  STRATA_API void set_executor(Executor* executor, std::size_t grain = detail::kStageGrain);

  /// Measures how long each system takes, by a clock that returns seconds, and keeps the times of the last `runs` runs.
  /// `explain` then also shows these times and the critical path (the chain of dependent systems that takes longest).
  /// Each call discards earlier times.
  /// Contract: `runs` is greater than 0. The clock throws nothing; if there is an executor, several threads may call it
  /// at the same time.
  STRATA_API void measure_times(std::function<double()> clock, std::uint32_t runs = 60, CallSite at = {});
  /// Stops measuring, and discards the times.
  STRATA_API void stop_measuring();
  /// Returns: the times of all systems, in the order in which the systems were added; empty if times are not measured.
  STRATA_API std::vector<SystemTime> times();

  /// Sets whether `check` refuses a schedule in which systems conflict without a declared order between them.
  STRATA_API void refuse_conflicts(bool refused = true);

  /// Computes the order of the systems, unless nothing has changed since it was last computed.
  /// Returns: success; or a refusal that says why there is no order: a cycle, with the names of its systems; a name
  /// that no system and no set has; or, after `refuse_conflicts`, two systems that conflict without a declared order.
  /// Complexity: O(systems^3 / 64 + pairs of systems with a declared order).
  STRATA_API Outcome check();

  /// Runs each system once, or as often as System::fixed_step says, unless an interval, a condition or `disable` keeps
  /// it from running (see System). `seconds` is the time that has passed since the last call.
  /// Errors: exceptions of systems, of conditions and of applying commands. If one is thrown, the other systems of the
  /// stage still run to their end, so the result does not depend on which of them ran first; later stages do not run.
  /// The commands of a system that has thrown are dropped, as are the commands of systems that run together with it row
  /// by row (see System::par). The commands of all other systems are applied. Then the first exception, in the order of
  /// the systems, is thrown.
  /// Contract: `check` succeeds; `seconds` is finite and not negative. No query iterates, and no system of this
  /// schedule calls `run`.
  /// Complexity: O(systems), apart from the systems' own work. Nothing is allocated, except for the lists of rows of
  /// System::par, and for recorded commands.
  STRATA_API void run(double seconds = 0, CallSite at = {});

  /// Runs the schedule once for each step of length `step` that fits into the time that has passed, but at most `most`
  /// times. The time that has passed is `seconds` plus what the last call left over. Steps beyond `most` are skipped.
  /// Each run counts as `step` seconds.
  /// Returns: the number of runs.
  /// Errors: those of `run`; the remaining steps are skipped.
  /// Contract: that of `run`, also if no step is due; `step` is finite, and `step` and `most` are greater than 0.
  STRATA_API std::uint32_t run_steps(double seconds, double step, std::uint32_t most, CallSite at = {});

  /// Returns: a sentence for each pair of systems that conflict without a declared order between them.
  /// Contract: `check` succeeds.
  STRATA_API std::vector<std::string> conflicts();

  /// Return how the schedule runs: its stages; what each system reads, writes and waits for; where commands are
  /// applied; and which systems conflict without a declared order between them. `explain` returns text, `to_dot` a
  /// graph for Graphviz.
  /// Contract: `check` succeeds.
  STRATA_API std::string explain();
  STRATA_API std::string to_dot();

 private:
  STRATA_API System add_made(std::string_view name, detail::MadeSystem made, CallSite at);
  STRATA_API detail::SystemSource source();

  detail::WorldParts* parts_;
  std::shared_ptr<detail::SystemRunner> runner_;  // A System or SystemSet has a weak pointer to it.
  detail::SystemTimer steps_;
};

}  // namespace strata
