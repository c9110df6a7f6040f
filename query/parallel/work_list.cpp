#include "work_list.hpp"

#include <algorithm>
#include <memory_resource>
#include <utility>

#include "../../core/first_failure.hpp"
#include "../changes/pass_threads.hpp"
#include "../filtering/iteration_source.hpp"
#include "work_divider.hpp"

namespace strata::detail {

WorkList::WorkList(const Selection& selection) : source_(Source::whole), selection_(selection) {
  tasks_.push_back({0, 0});
  stages_.push_back({0, 1});
}

WorkList::WorkList(const Matcher& matcher, const Selection& selection, const Division& division)
    : selection_(selection) {
  if (selection.order == Order::any && matcher.uses_side_store()) {
    const Borrowed<GatheredRows> rows(matcher.scratch(), matcher);
    if (choose_iteration_source(matcher, *rows) == IterationSource::pools) {
      source_ = Source::members;
      divide(rows->leader_member_count(), division.grain);
      return;
    }
  }
  WorkDivider(matcher, selection, division, *this).divide();
}

WorkList::WorkList(std::vector<TablePiece> pieces, std::vector<WorkTask> tasks)
    : pieces_(std::move(pieces)), tasks_(std::move(tasks)), stages_{{0, tasks_.size()}} {}

WorkList::WorkList(std::span<const Entity> entities, std::size_t grain)
    : source_(Source::entities), entities_(entities) {
  divide(entities.size(), grain);
}

void WorkList::limit_tasks(std::size_t most) {
  detail::limit_tasks(tasks_, most);
  if (!stages_.empty()) stages_ = {{0, tasks_.size()}};
}

/// Divides a list of `entities` entities into one stage of tasks, which may be done at the same time. Each task has
/// `grain` entities; the last one has the rest. If there are fewer than 2 * `grain` entities, one task has all of them.
void WorkList::divide(std::size_t entities, std::size_t grain) {
  const std::size_t length = entities < 2 * grain ? std::max<std::size_t>(entities, 1) : grain;
  for (std::size_t begin = 0; begin < entities; begin += std::min(length, entities - begin)) {
    tasks_.push_back({begin, begin + std::min(length, entities - begin)});
  }
  stages_.push_back({0, tasks_.size()});
}

void limit_tasks(std::vector<WorkTask>& tasks, std::size_t most) {
  const std::size_t count = tasks.size();
  if (count <= most) return;
  for (std::size_t i = 0; i < most; ++i)
    tasks[i] = {tasks[i * count / most].begin, tasks[(i + 1) * count / most - 1].end};
  tasks.resize(most);
}

namespace {

/// Does the tasks of a WorkList, stage by stage, on the workers of an executor.
class WorkRun {
 public:
  using Task = void (*)(void* context, std::size_t index, Scratch& scratch);

  WorkRun(const WorkList& work, Executor& executor, Task task, void* context)
      : work_(work), executor_(executor), task_(task), context_(context) {}

  void run() {
    const std::size_t workers = count_workers(executor_);
    for (const WorkList::Stage& stage : work_.stages()) {
      const std::size_t count = stage.end - stage.begin;
      if (count < 2 || workers == 1) {
        for (std::size_t index = stage.begin; index < stage.end; ++index) task_(context_, index, scratch_);
      } else if (stage.first_part == stage.end_part) {
        run_tasks_of(stage, workers);
      } else {
        run_parts_of(stage);
      }
    }
  }

 private:
  /// Does the tasks of a stage. The executor hands out groups of neighbouring tasks, so that workers seldom wait for
  /// each other when they take the next group. The tasks of a group share a Scratch.
  void run_tasks_of(const WorkList::Stage& stage, std::size_t workers) {
    const std::size_t count = stage.end - stage.begin;
    const std::size_t groups = std::min(count, workers * kGroupsPerWorker);
    run_groups(groups, [&](std::size_t group, auto&& attempt) {
      const std::size_t end = stage.begin + (group + 1) * count / groups;
      for (std::size_t task = stage.begin + group * count / groups; task < end; ++task) attempt(task);
    });
  }

  void run_parts_of(const WorkList::Stage& stage) {
    run_groups(stage.end_part - stage.first_part, [&](std::size_t part, auto&& attempt) {
      for (const std::uint32_t task : work_.tasks_of(stage.first_part + part)) attempt(task);
    });
  }

  /// Calls `do_group(group, attempt)` for each group of tasks, on the executor's workers. `do_group` calls
  /// `attempt(task)` for each task of the group, which does the task. If several tasks throw, passes on the exception
  /// of the task with the lowest number. Tasks are numbered in the order of their rows, so this is the exception that a
  /// single thread would have met first.
  template <class DoGroup>
  void run_groups(std::size_t groups, DoGroup do_group) {
    FirstFailure failure;
    const auto run_group = [&](std::size_t group) {
      Scratch scratch;
      auto do_task = [&](std::size_t index) { task_(context_, index, scratch); };
      do_group(group, [&](std::size_t task) { failure.attempt(do_task, task); });
    };
    run_tasks(executor_, groups, 1, std::pmr::new_delete_resource(), run_group);
    failure.rethrow();
  }

  const WorkList& work_;
  Executor& executor_;
  Task task_;
  void* context_;
  Scratch scratch_;  // For tasks on the calling thread.
};

}  // namespace

void run_work(const WorkList& work, Executor& executor,
              void (*task)(void* context, std::size_t index, Scratch& scratch), void* context) {
  WorkRun(work, executor, task, context).run();
}

}  // namespace strata::detail
