// TaskCutter: cuts lists of tables into tasks for several threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../batches/piece_cursor.hpp"

namespace strata::detail {

/// A part of the rows of a WorkList. One worker visits this part. `begin` and `end` are positions in the list that the
/// WorkList divides (see WorkList::Source): pieces of tables, the members of sparse sets, or entities that the caller
/// gives. With Source::whole, the only task has all rows, and the positions are unused.
struct WorkTask {
  std::size_t begin;
  std::size_t end;
};

/// Cuts lists of tables into pieces, and puts neighbouring pieces together in tasks of about `grain` rows. In a very
/// large table, tasks have more rows than that, up to a fixed limit, so that the table is not cut into too many tasks.
class TaskCutter {
 public:
  /// The cutter appends pieces to `pieces`. As soon as the pieces that are in no task have enough rows, the cutter
  /// appends a task with these pieces to `tasks`; a task is a range of `pieces`.
  /// Contract: grain > 0; both vectors outlive the cutter. The caller may append pieces of its own only before the
  /// first `add_list` or right after `end_task`; otherwise they would belong to the task that is being filled.
  TaskCutter(std::size_t grain, std::vector<TablePiece>& pieces, std::vector<WorkTask>& tasks);

  /// Adds all tables of an archetype at one depth, each given by its first block. `match` and `rank` become
  /// TablePiece::match and TablePiece::rank of the pieces.
  /// Errors: std::bad_alloc.
  void add_list(std::span<Block* const> tables, std::uint32_t match, std::uint32_t rank);

  /// Ends the task that is being filled, if there is one, so that the next piece begins another task.
  void end_task();

  /// Returns: the number of rows of all tasks so far.
  /// Contract: no task is being filled.
  std::size_t rows() const { return rows_; }

 private:
  void add_many(TablePiece list);
  void add_table(const TablePiece& list, std::uint32_t table);
  void add_block(const TablePiece& table, const Block& block);
  void add_piece(const TablePiece& piece, std::size_t rows);

  const std::size_t grain_;
  std::vector<TablePiece>& pieces_;
  std::vector<WorkTask>& tasks_;
  std::size_t task_length_;    // About how many rows a task of the current table has.
  std::size_t task_rows_ = 0;  // Number of rows of the task that is being filled.
  std::size_t task_begin_;     // The first piece of that task.
  std::size_t rows_ = 0;
};

}  // namespace strata::detail
