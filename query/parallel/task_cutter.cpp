#include "task_cutter.hpp"

#include <algorithm>

#include "matched_rows.hpp"

namespace strata::detail {
namespace {

/// If a list has more tables than this, looking at each table would take a large part of the time of the visit. So the
/// number of rows is estimated from some of the tables.
constexpr std::size_t kFewTables = 4096;
/// A task has about as many rows as the caller asks for (the grain). Large tables have larger tasks, because they would
/// otherwise be cut into too many. For a table of `rows` rows, a task has about min(rows / kTasksOfTable, kMostRows)
/// rows if that is more than the grain.
constexpr std::size_t kTasksOfTable = 128;
constexpr std::size_t kMostRows = 16'384;

}  // namespace

TaskCutter::TaskCutter(std::size_t grain, std::vector<TablePiece>& pieces, std::vector<WorkTask>& tasks)
    : grain_(grain), pieces_(pieces), tasks_(tasks), task_length_(grain), task_begin_(pieces.size()) {}

void TaskCutter::add_list(std::span<Block* const> tables, std::uint32_t match, std::uint32_t rank) {
  const auto count = static_cast<std::uint32_t>(tables.size());
  const TablePiece list{tables, match, rank, 0, count, nullptr, 0, 0};
  if (count > kFewTables) return add_many(list);
  for (std::uint32_t table = 0; table < count; ++table) {
    if (table + 8 < count) prefetch_to_read(tables[table + 8]);
    add_table(list, table);
  }
}

/// Divides a list of many tables without looking at each. Every table counts as if it had the mean number of rows,
/// which is estimated from some of the tables.
void TaskCutter::add_many(TablePiece list) {
  const std::size_t tables = list.tables.size();
  const std::size_t mean = std::max<std::size_t>(estimate_rows_of(list.tables) / tables, 1);
  const std::size_t length = std::max<std::size_t>(grain_ / mean, 1);
  task_length_ = grain_;
  for (std::size_t table = 0; table < tables; table += length) {
    list.table = static_cast<std::uint32_t>(table);
    list.table_end = static_cast<std::uint32_t>(std::min(table + length, tables));
    add_piece(list, mean * (list.table_end - list.table));
  }
}

void TaskCutter::add_table(const TablePiece& list, std::uint32_t table) {
  TablePiece piece = list;
  piece.table = table;
  piece.table_end = table + 1;
  const Block* block = list.tables[table];
  const std::size_t rows = table_of(*block).row_count();
  task_length_ = std::max(grain_, std::min(rows / kTasksOfTable, kMostRows));
  if (task_rows_ >= task_length_) end_task();
  if (task_rows_ + rows > task_length_ + task_length_ / 4) {
    for (; block != nullptr && block->count != 0; block = block->next) add_block(piece, *block);
    return;
  }
  TablePiece* const last = pieces_.size() > task_begin_ ? &pieces_.back() : nullptr;
  const bool follows = last != nullptr && last->block == nullptr &&
                       last->tables.data() == list.tables.data() && last->table_end == table;
  if (!follows) return add_piece(piece, rows);
  last->table_end = table + 1;
  task_rows_ += rows;
  if (task_rows_ >= task_length_) end_task();
}

/// Adds the rows of `block` to the task that is being filled and, when that task has about `task_length_` rows, to new
/// tasks. Each task gets its part of the rows as one piece. `table` is a piece that describes the table of the block.
void TaskCutter::add_block(const TablePiece& table, const Block& block) {
  TablePiece piece = table;
  piece.block = &block;
  while (piece.row_end != block.count) {
    piece.row = piece.row_end;
    const std::size_t left = block.count - piece.row;
    const std::size_t room = task_length_ - task_rows_;
    piece.row_end += static_cast<std::uint32_t>(left <= room + task_length_ / 4 ? left : room);
    add_piece(piece, piece.row_end - piece.row);
  }
}

void TaskCutter::add_piece(const TablePiece& piece, std::size_t rows) {
  pieces_.push_back(piece);
  task_rows_ += rows;
  if (task_rows_ >= task_length_) end_task();
}

void TaskCutter::end_task() {
  const std::size_t end = pieces_.size();
  if (task_begin_ != end) tasks_.push_back({task_begin_, end});
  task_begin_ = end;
  rows_ += task_rows_;
  task_rows_ = 0;
}

}  // namespace strata::detail
