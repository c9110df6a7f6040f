// SystemRunner: runs the systems of a schedule, stage by stage.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "../../core/compiler.hpp"
#include "../../core/contract.hpp"
#include "../../core/executor.hpp"
#include "../../core/observer_list.hpp"
#include "../../storage/apart_recorders.hpp"
#include "../changes/pass_threads.hpp"
#include "../matching/relation.hpp"
#include "row_pass.hpp"
#include "system_body.hpp"
#include "system_plan.hpp"
#include "system_timer.hpp"
#include "system_times.hpp"

namespace strata::detail {

/// Runs systems in the order of their plan, which consists of stages. The systems of a stage may run at the same time.
/// After a change of the systems or of their declared order, the next call that needs the plan makes it again.
///
/// While the systems of a stage run, the store refuses structural changes. Exception: a stage that consists of one
/// system that may change the whole world.
///
/// Threads: each call counts as a change of the world, so no other thread may use the world meanwhile, except the
/// workers of the executor.
class SystemRunner {
 public:
  using Index = SystemOrder::Index;

  /// `relation` finds parents. Before a stage with systems that read values of parents, the relation may put rows into
  /// the order of their parents' rows, which makes visits by depth faster. `of_world` is the buffer of World::commands.
  /// While the commands of a system are applied, observers may record commands in this buffer. These are applied after
  /// the commands of that system.
  SystemRunner(Store& store, const Relation& relation, CommandBuffer& of_world);
  SystemRunner(const SystemRunner&) = delete;
  SystemRunner& operator=(const SystemRunner&) = delete;
  /// Contract: no run is in progress. If the contract handler throws, the process ends with the message.
  ~SystemRunner();

  // The functions from `add` to `measure` change the systems, and how they are run.
  // Contract: the systems are not running.

  Index add(SystemDescription description, std::unique_ptr<SystemBody> body, CallSite at);
  std::uint32_t set(std::string_view name, CallSite at);
  void put_in_set(Index system, std::uint32_t set);
  void set_timer(Index system, SystemTimer timer);
  /// Lets several threads call the system for rows at the same time (System::par).
  /// Returns: false if that is not possible (see SystemBody::row_system); nothing has changed then.
  bool visit_in_parallel(Index system);
  void add_condition(Index system, std::unique_ptr<RunCondition> condition);
  void add_set_condition(std::uint32_t set, std::unique_ptr<RunCondition> condition);
  void enable(Index system, bool enabled);
  void enable_set(std::uint32_t set, bool enabled);
  /// Returns: the list of systems, so that the caller can change the descriptions of systems. The plan is made again
  /// before the next run.
  SystemList& change_systems();
  /// Sets the executor on which the systems of a stage run; if it is null, they run one after the other. `grain` is the
  /// least number of rows for which a stage runs on the executor; see kStageGrain for which rows are counted.
  void set_executor(Executor* executor, std::size_t grain);
  /// Sets whether `make_plan` refuses a plan in which two systems conflict and no order is declared for them.
  void refuse_conflicts(bool refused);

  /// Begins to measure how long each system takes, and keeps the times of the last `runs` runs of the schedule. Drops
  /// the times that were measured before. If `clock` is empty, nothing is measured from now on.
  void measure(SystemTimes::Clock clock, std::uint32_t runs);
  /// Returns: the times of all systems; null if they are not measured.
  const SystemTimes* times();

  const SystemList& systems() const { return systems_; }
  bool is_enabled(Index system) const { return runtimes_[system].is_active; }

  /// Makes the plan, unless there is one and the systems and `refuse_conflicts` have not changed since it was made.
  /// Returns: success; or a refusal with the reason: declared orders form a cycle, a declaration names an unknown
  /// system or set, or (only after `refuse_conflicts(true)`) no order is declared for two conflicting systems.
  /// Contract: the systems are not running.
  Outcome make_plan();
  /// Calls `make_plan`, which makes a plan if necessary.
  /// Returns: the plan.
  /// Contract: the systems are not running; `make_plan` does not return a refusal.
  const SystemPlan& require_plan();

  /// Contract: the systems are not running, and the store does not refuse structural changes: no iteration is in
  /// progress, and no operation such as `destroy` is calling a function of the program.
  void require_can_run() const;

  /// Runs each system that is enabled and whose conditions hold, as often as its timer says: once, not at all, or
  /// several times (see SystemTimer). `seconds` is the time that has passed since the last call of this function. See
  /// Schedule::run for exceptions.
  /// Contract: that of `require_can_run`; a plan exists or can be made.
  void run(double seconds);

 private:
  struct SetRuntime {
    bool is_enabled = true;
    // Whether the conditions of the set hold in this run of the schedule; unknown until they are evaluated.
    enum class Answer : std::uint8_t { unknown, yes, no } answer = Answer::unknown;
    RunConditions conditions;
  };
  struct Runtime {
    std::unique_ptr<SystemBody> body;
    bool is_enabled = true;
    bool is_active = true;      // The system and its sets are enabled.
    bool is_plain = true;       // The system runs each time, without conditions.
    bool is_exclusive = false;  // The system may change the whole world.
    bool is_parallel = false;   // A copy of SystemDescription::is_parallel.
    // Whether the commands of this run are to be dropped: the body threw or was not run to its end, or the rows were
    // visited together with those of another system, and that system threw (see RowPass).
    bool has_failed = false;
    SystemTimer::Due due{};  // What the system does in the current stage.
    SystemTimer timer;
    RunConditions conditions;
    ApartRecorder recorder;  // The commands of the body, which are recorded while other systems run.
    FirstError error;        // The exception that the body threw, until `run` takes it over.
  };

  void require_idle() const;
  void update_plainness();
  void update_activity();
  void join_stages();
  bool only_visits_rows(const SystemStage& stage) const;
  /// Returns: the index after the last of the stages that run together with stage `first`.
  std::size_t end_of_joined(std::size_t first) const {
    std::size_t end = first + 1;
    while (end < plan_.stages.size() && plan_.stages[end].joins_previous) ++end;
    return end;
  }
  void begin_run();
  void run_stages(std::size_t first, std::size_t end, double seconds, FirstError& error);
  void run_alone(Runtime& runtime, double seconds, FirstError& error);
  void list_due(const SystemStage& stage, double seconds, FirstError& error);
  bool passes_conditions(Index system);
  bool holds(SetRuntime& set);
  void run_due(FirstError& error);
  void run_parallel(FirstError& error);
  void run_side_by_side(FirstError& error);
  bool is_worth_workers() const;
  bool has_few_rows() const;
  void run_system(Runtime& runtime);
  void run_timed(Runtime& runtime);
  void run_body(Runtime& runtime);
  Index index_of(const Runtime& runtime) const { return static_cast<Index>(&runtime - runtimes_.data()); }
  void visit_rows(Runtime& runtime);
  Executor* row_executor() const;
  /// Returns: about how many rows a worker takes at a time in a RowPass (one pass over rows for several systems).
  std::size_t row_grain() const { return std::clamp<std::size_t>(grain_ / 4, 1, kParallelGrain); }
  void begin_recording();
  void end_recording(FirstError& error);
  void apply_commands(const SystemStage& stage, FirstError& error);

  Store& store_;
  const Relation& relation_;
  // The buffer of World::commands, which systems and observers may use without declaring it. It has a ReservedHandles,
  // as the buffers of systems have. So the creation of entities can be recorded in it while systems record commands in
  // their own buffers.
  ApartRecorder of_world_;
  std::size_t recorded_before_ = 0;  // The commands in the world's buffer before the systems began to record.
  SystemList systems_;
  std::vector<Runtime> runtimes_;  // By system.
  std::vector<SetRuntime> sets_;   // By set.
  SystemPlan plan_;
  std::vector<bool> cascading_;  // By stage: whether one of its systems may visit by depth.
  // The systems of the current stage (or of several stages if these run together, see `end_of_joined`) that are due:
  // they are enabled, their timers (SystemTimer) let them run now, and their conditions hold. `due_parallel_` has the
  // due systems that may visit several rows at the same time (System::par), and `due_` all others.
  std::vector<Index> due_;
  std::vector<Index> due_parallel_;
  RowPass row_pass_{store_.slots()};
  std::vector<ApartRecorder*> recorders_;  // For the systems of `due_` that record commands.
  std::optional<SystemTimes> times_;       // None: times are not measured.
  Executor* executor_ = nullptr;
  std::size_t grain_ = kStageGrain;
  bool is_planned_ = false;
  bool is_running_ = false;
  bool has_set_conditions_ = false;
  bool refuses_conflicts_ = false;
};

}  // namespace strata::detail
