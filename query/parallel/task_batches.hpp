// TaskBatches: visits the rows of one task of a WorkList.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "../../core/compiler.hpp"
#include "../batches/table_batches.hpp"
#include "../filtering/gathered_rows.hpp"
#include "../visiting/visits.hpp"
#include "work_list.hpp"

namespace strata::detail {

/// Hands out each row of a task that matches the query once, as batches. Used if each row has to be tested, because
/// terms use the side store (sparse sets) or filter by ancestors, or because the entities are given as a list.
/// Contract: that of WorkList.
class FilteredTask {
 public:
  STRATA_API FilteredTask(const Matcher& matcher, const WorkList& work, const WorkTask& task);
  FilteredTask(const FilteredTask&) = delete;
  FilteredTask& operator=(const FilteredTask&) = delete;

  /// Fills `batch` with the next matching rows, at least one.
  /// Returns: false if there are none left.
  /// Errors: std::bad_alloc, when a search passes many ancestors.
  /// Invalidates: the previous batch.
  STRATA_API bool next(Batch& batch);

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
  std::uint32_t row_ = 0;  // The next row of the block.
  std::uint32_t rows_end_ = 0;
  const Slots& slots_;
  union {
    std::array<Entity, GatheredRows::kRun> alive_entities_;  // In a union: not initialised.
  };
};

/// Calls `visit(const Batch&)` for every batch of rows of a query. If `visit` takes a BlockPart (some rows of one
/// block), the order is Order::any, and all values are in columns of the entities' own blocks, calls `visit` with
/// BlockParts instead. Does not refuse structural changes meanwhile: the caller has to.
template <class Visit>
void for_each_whole_batch(const Matcher& matcher, const Selection& selection, Visit& visit) {
  if constexpr (std::is_invocable_v<Visit&, const BlockPart&>) {
    if (selection.order == Order::any && matcher.only_columns()) {
      return for_each_block(matcher, [&](const Block& block, const std::uint32_t* prefixes) {
        visit(BlockPart{{{block.count, block.format->entities(block), {block, prefixes}}, 0}});
      });
    }
  }
  for_each_found_batch(matcher, selection, visit);
}

/// Calls `visit(const Batch&)` for every batch of rows of a task. If `visit` takes a BlockPart (some rows of one
/// block), and all values are in columns of the entities' own blocks, calls `visit` with BlockParts instead. If `work`
/// is divided into tasks, takes buffers from `scratch`, not from the query or the world.
/// Threads: any number at a time, each with another task and other scratch memory.
template <class Visit>
void for_each_task_batch(const Matcher& matcher, const WorkList& work, const WorkTask& task, Scratch& scratch,
                         Visit& visit) {
  if (work.source() == WorkList::Source::whole) {
    return for_each_whole_batch(matcher, work.selection(), visit);
  }
  Batch batch;
  if (work.source() != WorkList::Source::tables || matcher.filters_rows()) {
    const Borrowed<FilteredTask> rows(scratch, matcher, work, task);
    while (rows->next(batch)) visit(std::as_const(batch));
    return;
  }
  if constexpr (std::is_invocable_v<Visit&, const BlockPart&>) {
    if (matcher.only_columns()) {
      for (PieceCursor blocks(matcher, work.pieces_of(task)); blocks.next();) {
        const Block& block = blocks.block();
        visit(BlockPart{{{blocks.end_row(),
                          block.format->entities(block),
                          {block, matcher.prefixes(blocks.match()).data()}},
                         blocks.first_row()}});
      }
      return;
    }
  }
  PieceBatches batches(matcher, work.pieces_of(task), scratch, std::pmr::new_delete_resource());
  while (batches.next(batch)) visit(std::as_const(batch));
}

}  // namespace strata::detail
