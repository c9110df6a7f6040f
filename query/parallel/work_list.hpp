// WorkList: divides what a query visits into tasks that several threads can do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../../core/compiler.hpp"
#include "../../core/task_run.hpp"
#include "../batches/block_cursor.hpp"
#include "../batches/piece_cursor.hpp"

namespace strata::detail {

/// Some of the rows of a WorkList: its pieces from `begin` up to `end`, or the entities at these positions.
struct WorkTask {
  std::size_t begin;
  std::size_t end;
};

/// The rows that a query visits, in the order of the visit, divided into tasks of about `grain` rows: large tables by
/// rows, many small tables together. Tasks are grouped in stages. The tasks of one stage may be done at the same time;
/// each stage begins after the one before has ended. In an order by depth, a depth with many rows is a stage of its
/// own, and neighbouring depths with few rows are one stage with a single task, so that they cost no waiting.
///
/// The same world, query and grain give the same list, whatever the number of workers.
/// Contract: `Matcher::refresh` was called; no structural change while the list is in use.
/// Complexity: O(tables), in lists of more than 4,096 tables O(tables / grain): these are divided by the mean number of
/// rows of some of them.
class WorkList {
 public:
  /// What tasks are parts of: rows of tables, or entities, which are the members of pools or a list of the caller.
  enum class Source : std::uint8_t { tables, members, entities };

  struct Stage {
    std::size_t begin;  ///< The first task.
    std::size_t end;    ///< The end of the tasks.
  };

  /// Errors: std::bad_alloc.
  /// Contract: grain > 0.
  STRATA_API WorkList(const Matcher& matcher, const Selection& selection, std::size_t grain);
  /// Divides a list of entities, which outlives the WorkList.
  STRATA_API WorkList(std::span<const Entity> entities, std::size_t grain);

  Source source() const { return source_; }
  std::span<const WorkTask> tasks() const { return tasks_; }
  std::span<const Stage> stages() const { return stages_; }
  std::span<const TablePiece> pieces_of(const WorkTask& task) const {
    return std::span(pieces_).subspan(task.begin, task.end - task.begin);
  }
  /// Returns: the entity at a position.
  /// Contract: the source is a list of entities.
  Entity entity(std::size_t position) const { return entities_[position]; }

 private:
  void add_list(const BlockCursor& lists);
  void add_many(TablePiece list);
  void add_table(const TablePiece& list, std::uint32_t table);
  void add_block(const TablePiece& table, const Block& block);
  void add_piece(const TablePiece& piece, std::size_t rows);
  void end_task();
  void end_rank();
  void divide(std::size_t entities);

  std::size_t grain_;
  Source source_ = Source::tables;
  std::vector<TablePiece> pieces_;
  std::vector<WorkTask> tasks_;
  std::vector<Stage> stages_;
  std::span<const Entity> entities_;

  // While the list is made: the rows of the present task and depth, the first piece of the task and the first task of
  // the depth, and whether the last stage is one of few rows.
  std::size_t task_rows_ = 0;
  std::size_t rank_rows_ = 0;
  std::size_t task_begin_ = 0;
  std::size_t rank_task_ = 0;
  bool is_narrow_ = false;
};

/// Calls `task(context, index)` once for each task of a list, stage by stage: on the executor's workers, or on this
/// thread if a stage has a single task or the executor a single worker.
/// Errors and contract: see run_tasks.
STRATA_API void run_work(const WorkList& work, Executor& executor,
                         void (*task)(void* context, std::size_t index), void* context);

}  // namespace strata::detail
