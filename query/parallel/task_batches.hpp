// TaskBatches: visits the matching rows of one task. Tasks are the parts into which a WorkList divides the rows that a
// query visits, for several threads.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>

#include "../../core/compiler.hpp"
#include "../batches/table_batches.hpp"
#include "../filtering/found_batches.hpp"
#include "../filtering/gathered_rows.hpp"
#include "work_list.hpp"

namespace strata::detail {

/// Finds the rows of a task that match the query, and hands them out as batches, each row once. Used if each row has to
/// be tested, because terms use the side store (sparse sets) or filter by ancestors, or because the entities are given
/// as a list.
/// Contract: that of WorkList.
class FilteredTask {
 public:
  FilteredTask(const Matcher& matcher, const WorkList& work, const WorkTask& task);
  FilteredTask(const FilteredTask&) = delete;
  FilteredTask& operator=(const FilteredTask&) = delete;

  /// Fills `batch` with at least one matching row that no earlier batch had.
  /// Returns: false if there is no such row.
  /// Errors: std::bad_alloc, when a term searches through many ancestors: the results of long searches are kept.
  /// Invalidates: the previous batch.
  bool next(Batch& batch);

 private:
  bool take_next();
  bool take_members();
  bool take_entities();
  bool take_rows();

  const WorkList& work_;
  PieceCursor blocks_;
  GatheredRows rows_;
  std::size_t next_;       // The position of the next entity.
  const std::size_t end_;  // The position after the last entity.
  std::uint32_t row_ = 0;  // The next row of the current block.
  std::uint32_t rows_end_ = 0;
  const Slots& slots_;
  union {
    std::array<Entity, GatheredRows::kRun> alive_entities_;  // In a union, so it is not initialised.
  };
};

/// Finds the rows of a task that match the query, and hands them out as batches, each row once. If the WorkList is
/// divided into tasks, several threads may use the query at a time, so buffers are taken from `scratch`, not from the
/// query or the world.
/// Contract: that of WorkList; no structural change while this object is in use.
/// Threads: any number at a time, each with another task and other scratch memory.
class TaskBatches {
 public:
  /// Errors: std::bad_alloc.
  STRATA_API TaskBatches(const Matcher& matcher, const WorkList& work, const WorkTask& task,
                         Scratch& scratch);
  TaskBatches(const TaskBatches&) = delete;
  TaskBatches& operator=(const TaskBatches&) = delete;

  /// Fills `batch` with at least one matching row that no earlier batch had.
  /// Returns: false if there is no such row.
  /// Errors: std::bad_alloc, when a term searches through many ancestors: the results of long searches are kept.
  /// Invalidates: the previous batch.
  STRATA_API bool next(Batch& batch);

 private:
  using Batches = std::variant<FoundBatches, PieceBatches, Borrowed<FilteredTask>>;

  static Batches batches_for(const Matcher& matcher, const WorkList& work, const WorkTask& task,
                             Scratch& scratch);

  Batches batches_;
};

/// Finds the matching rows of a task by TaskBatches, and calls `visit(const Batch&)` for every batch of them. Not
/// inlined, so that a caller does not reserve stack for the TaskBatches when it visits rows in another way.
template <class Visit>
STRATA_NOINLINE void for_each_found_task_batch(const Matcher& matcher, const WorkList& work,
                                               const WorkTask& task, Scratch& scratch, Visit& visit) {
  Batch batch;
  TaskBatches batches(matcher, work, task, scratch);
  while (batches.next(batch)) visit(std::as_const(batch));
}

/// Calls `visit` for all matching rows of a task, some at a time; see TaskBatches. `visit` receives Batches or, if it
/// can take them, BlockParts (a BlockPart is some rows of one block). It receives no BlockParts if some values are not
/// in columns of the entities' own blocks, if the entities are given as a list, or if a single task visits all rows by
/// depth.
/// Contract: the caller has locked the store against structural changes (see Matcher::VisitLock).
/// Threads: any number at a time, each with another task and other scratch memory.
template <class Visit>
void for_each_task_batch(const Matcher& matcher, const WorkList& work, const WorkTask& task, Scratch& scratch,
                         Visit& visit) {
  if constexpr (std::is_invocable_v<Visit&, const BlockPart&>) {
    const auto visit_part = [&](const Block& block, const std::uint32_t* prefixes, std::uint32_t first,
                                std::uint32_t end) {
      visit(BlockPart{{{end, block.format->entities(block), {block, prefixes}}, first}});
    };
    if (matcher.only_columns() && work.source() == WorkList::Source::tables) {
      for (PieceCursor blocks(matcher, work.pieces_of(task)); blocks.next();) {
        visit_part(blocks.block(), matcher.prefixes(blocks.match()).data(), blocks.first_row(),
                   blocks.end_row());
      }
      return;
    }
    if (matcher.only_columns() && work.source() == WorkList::Source::whole &&
        work.selection().order == Order::any) {
      return for_each_block(matcher, [&](const Block& block, const std::uint32_t* prefixes) {
        visit_part(block, prefixes, 0, block.count);
      });
    }
  }
  for_each_found_task_batch(matcher, work, task, scratch, visit);
}

}  // namespace strata::detail
