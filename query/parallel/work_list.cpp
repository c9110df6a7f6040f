#include "work_list.hpp"

#include <algorithm>
#include <memory_resource>

#include "../filtering/iteration_source.hpp"
#include "matched_rows.hpp"

namespace strata::detail {
namespace {

/// In lists with more tables, looking at each would take a large part of the time of the visit itself.
constexpr std::size_t kFewTables = 4096;

}  // namespace

WorkList::WorkList(const Matcher& matcher, const Selection& selection, std::size_t grain) : grain_(grain) {
  if (selection.order == Order::any && matcher.uses_side_store()) {
    const Borrowed<GatheredRows> rows(matcher.scratch(), matcher);
    if (choose_iteration_source(matcher, *rows) == IterationSource::pools) {
      source_ = Source::members;
      divide(rows->leader_member_count());
      return;
    }
  }
  std::uint32_t rank = 0;
  for (BlockCursor lists(matcher, selection); lists.next_tables();) {
    if (selection.order != Order::any && lists.rank() != rank) end_rank();
    rank = lists.rank();
    add_list(lists);
  }
  end_rank();
}

WorkList::WorkList(std::span<const Entity> entities, std::size_t grain)
    : grain_(grain), source_(Source::entities), entities_(entities) {
  divide(entities.size());
}

/// Makes one stage of tasks from a number of entities.
void WorkList::divide(std::size_t entities) {
  const std::size_t length = entities < 2 * grain_ ? std::max<std::size_t>(entities, 1) : grain_;
  for (std::size_t begin = 0; begin < entities; begin += std::min(length, entities - begin)) {
    tasks_.push_back({begin, begin + std::min(length, entities - begin)});
  }
  stages_.push_back({0, tasks_.size()});
}

void WorkList::add_list(const BlockCursor& lists) {
  const auto tables = static_cast<std::uint32_t>(lists.tables().size());
  const TablePiece list{
      lists.tables(), static_cast<std::uint32_t>(lists.match()), lists.rank(), 0, tables, nullptr, 0, 0};
  if (tables > kFewTables) return add_many(list);
  for (std::uint32_t table = 0; table < tables; ++table) {
    if (table + 8 < tables) prefetch_to_read(list.tables[table + 8]);
    add_table(list, table);
  }
}

/// Divides a list of many tables by the mean number of rows of some of them.
void WorkList::add_many(TablePiece list) {
  const std::size_t tables = list.tables.size();
  const std::size_t mean = std::max<std::size_t>(estimate_rows_of(list.tables) / tables, 1);
  const std::size_t length = std::max<std::size_t>(grain_ / mean, 1);
  for (std::size_t table = 0; table < tables; table += length) {
    list.table = static_cast<std::uint32_t>(table);
    list.table_end = static_cast<std::uint32_t>(std::min(table + length, tables));
    add_piece(list, mean * (list.table_end - list.table));
  }
}

void WorkList::add_table(const TablePiece& list, std::uint32_t table) {
  TablePiece piece = list;
  piece.table = table;
  piece.table_end = table + 1;
  const Block* block = list.tables[table];
  const std::size_t rows = table_of(*block).row_count();
  if (task_rows_ + rows > grain_ + grain_ / 4) {
    for (; block != nullptr && block->count != 0; block = block->next) add_block(piece, *block);
    return;
  }
  TablePiece* const last = pieces_.size() > task_begin_ ? &pieces_.back() : nullptr;
  const bool follows = last != nullptr && last->block == nullptr &&
                       last->tables.data() == list.tables.data() && last->table_end == table;
  if (!follows) return add_piece(piece, rows);
  last->table_end = table + 1;
  task_rows_ += rows;
  if (task_rows_ >= grain_) end_task();
}

/// Adds the rows of a block, in parts of the length of tasks.
void WorkList::add_block(const TablePiece& table, const Block& block) {
  TablePiece piece = table;
  piece.block = &block;
  while (piece.row_end != block.count) {
    piece.row = piece.row_end;
    const std::size_t left = block.count - piece.row;
    const std::size_t room = grain_ - task_rows_;
    piece.row_end += static_cast<std::uint32_t>(left <= room + grain_ / 4 ? left : room);
    add_piece(piece, piece.row_end - piece.row);
  }
}

void WorkList::add_piece(const TablePiece& piece, std::size_t rows) {
  pieces_.push_back(piece);
  task_rows_ += rows;
  if (task_rows_ >= grain_) end_task();
}

void WorkList::end_task() {
  if (task_begin_ != pieces_.size()) tasks_.push_back({task_begin_, pieces_.size()});
  task_begin_ = pieces_.size();
  rank_rows_ += task_rows_;
  task_rows_ = 0;
}

/// Ends the rows of a depth: makes its tasks a stage of their own; or, if this depth and the depths before it have few
/// rows together, adds its rows to their stage.
void WorkList::end_rank() {
  end_task();
  const bool is_narrow = rank_rows_ < 2 * grain_;
  if (is_narrow && is_narrow_) {
    tasks_.resize(rank_task_);
    tasks_.back().end = pieces_.size();
  } else if (rank_task_ != tasks_.size()) {
    if (is_narrow) {
      tasks_.resize(rank_task_ + 1);
      tasks_.back().end = pieces_.size();
    }
    stages_.push_back({rank_task_, tasks_.size()});
    is_narrow_ = is_narrow;
  }
  rank_task_ = tasks_.size();
  rank_rows_ = 0;
}

void run_work(const WorkList& work, Executor& executor, void (*task)(void* context, std::size_t index),
              void* context) {
  const std::size_t workers = count_workers(executor);
  for (const WorkList::Stage& stage : work.stages()) {
    const std::size_t count = stage.end - stage.begin;
    if (count < 2 || workers == 1) {
      for (std::size_t index = stage.begin; index < stage.end; ++index) task(context, index);
    } else {
      auto shifted = [&](std::size_t index) { task(context, stage.begin + index); };
      run_tasks(executor, count, 1, std::pmr::new_delete_resource(), shifted);
    }
  }
}

}  // namespace strata::detail
