// WorkList: divides what a query visits into tasks that several threads can do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../../core/compiler.hpp"
#include "../../core/task_run.hpp"
#include "../batches/piece_cursor.hpp"
#include "../matching/scratch.hpp"
#include "../matching/selection.hpp"
#include "task_cutter.hpp"

namespace strata::detail {

/// How a WorkList divides the rows of tables.
struct Division {
  std::size_t grain;            ///< About how many rows a task has. Not 0.
  bool writes_parents = false;  ///< Whether visits write to parents. If so, siblings are in one task.
};

/// The rows that a query visits, in the order of the visit, divided into tasks of about `grain` rows: a large table is
/// divided into several tasks, and small tables are put together. A task of a very large table has more rows. Tasks are
/// grouped in stages; each stage begins after the one before has ended. In an order by depth, there are three kinds of
/// stages (see WorkDivider):
/// - a depth with many rows: its tasks may be done at the same time
/// - neighbouring depths with few rows each, divided into parts, which are groups of subtrees: the parts may be done at
///   the same time, the tasks of a part one after the other
/// - neighbouring depths with few rows together, as a single task, so that no thread waits for another between these
///   depths
///
/// The list depends only on the world, the query and the grain, not on the number of workers.
/// Contract: `Matcher::refresh` and `Matcher::prepare` were called; no structural change while the list is in use.
/// Complexity: O(tables); for lists of more than 4,096 tables only O(tables / grain), because their division looks at
/// only some tables to estimate the mean number of rows. In an order by depth, also O(rows) for the depths that are
/// divided into parts, because the part of a row is found from its parent.
class WorkList {
 public:
  /// What is divided into tasks. `whole`: nothing; a single task has all rows that the query visits. `tables`: the rows
  /// of tables. `members`: the members of sparse sets. `entities`: a list of entities that the caller gives.
  enum class Source : std::uint8_t { whole, tables, members, entities };

  struct Stage {
    std::size_t begin;  ///< The first task.
    std::size_t end;    ///< The index after the last task.
    std::size_t first_part = 0;
    std::size_t end_part = 0;  ///< The index after the last part; `first_part` if there are no parts.
  };

  /// A list with a single task, which has all rows that the query visits in this selection.
  STRATA_API explicit WorkList(const Selection& selection);
  /// Divides the rows that the query visits in this selection.
  /// Errors: std::bad_alloc.
  WorkList(const Matcher& matcher, const Selection& selection, const Division& division);
  /// A list whose rows are those of `pieces`, in this order. Each task is a range of indices in `pieces`. All tasks are
  /// in one stage, so they may be done at the same time.
  WorkList(std::vector<TablePiece> pieces, std::vector<WorkTask> tasks);
  /// Divides the list `entities` into tasks of about `grain` entities.
  /// Contract: the list outlives the WorkList.
  STRATA_API WorkList(std::span<const Entity> entities, std::size_t grain);

  /// Joins neighbouring tasks, so that at most `most` tasks are left.
  /// Contract: the order of the selection is Order::any; `most` > 0.
  void limit_tasks(std::size_t most);

  Source source() const { return source_; }
  const Selection& selection() const { return selection_; }
  std::span<const WorkTask> tasks() const { return {tasks_.data(), tasks_.size()}; }
  std::span<const Stage> stages() const { return {stages_.data(), stages_.size()}; }
  std::span<const TablePiece> pieces_of(const WorkTask& task) const {
    return {pieces_.data() + task.begin, task.end - task.begin};
  }
  /// Returns: the indices of the tasks of a part, in the order in which they are done: one after the other. Tasks of
  /// different parts of a stage may be done at the same time.
  std::span<const std::uint32_t> tasks_of(std::size_t part) const {
    return {part_tasks_.data() + part_begins_[part], part_begins_[part + 1] - part_begins_[part]};
  }
  /// Returns: the entity at a position of the caller's list.
  /// Contract: the source is Source::entities.
  Entity entity(std::size_t position) const { return entities_[position]; }

 private:
  friend class WorkDivider;
  void divide(std::size_t entities, std::size_t grain);

  Source source_ = Source::tables;
  Selection selection_{Order::any};
  std::vector<TablePiece> pieces_;
  std::vector<WorkTask> tasks_;
  std::vector<Stage> stages_;
  std::vector<std::uint32_t> part_tasks_;  // By part: its tasks.
  std::vector<std::size_t> part_begins_{
      0};  // By part: where its tasks begin in `part_tasks_`; one more for the end.
  std::span<const Entity> entities_;
};

/// Puts neighbouring tasks together, so that there are at most `most` tasks. `tasks` are ranges of positions, in
/// ascending order.
/// Contract: `most` > 0; each task begins where the previous one ends.
void limit_tasks(std::vector<WorkTask>& tasks, std::size_t most);

/// Calls `task(context, index, scratch)` once for each task of a list, stage by stage: a stage begins after the one
/// before has ended. Calls are made on the executor's workers, or on the calling thread if a stage has a single task or
/// the executor has a single worker. `scratch` is memory that no other call uses at the same time.
/// Errors: exceptions of tasks, after which later stages do not begin; if several tasks throw, the exception of the one
/// with the lowest index. std::bad_alloc.
/// Contract: the executor fulfils the contract of Executor; see run_tasks.
STRATA_API void run_work(const WorkList& work, Executor& executor,
                         void (*task)(void* context, std::size_t index, Scratch& scratch), void* context);

/// Does what the other `run_work` does, for a function object that is called as `task(index, scratch)`.
template <class Task>
void run_work(const WorkList& work, Executor& executor, Task& task) {
  run_work(
      work, executor,
      [](void* of, std::size_t index, Scratch& scratch) { (*static_cast<Task*>(of))(index, scratch); },
      &task);
}

}  // namespace strata::detail
