// WorkDivider: divides the rows that a query visits into tasks for several threads, and writes the tasks to a WorkList.
// Tasks that have to wait for other tasks are in a later stage.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../batches/block_cursor.hpp"
#include "subtree_parts.hpp"
#include "task_cutter.hpp"
#include "work_list.hpp"

namespace strata::detail {

/// Divides the rows that a query visits in tables into tasks of about `grain` rows (Division::grain). Tasks are grouped
/// in stages; a stage begins after the one before has ended. In an order by depth, a WorkDivider first lists the rows
/// of each depth, and then makes stages from the top down:
/// - A depth with at least 2 * `grain` rows is a stage of its own.
/// - Neighbouring depths with fewer rows each, but at least 2 * `grain` rows together, are one stage that is divided
///   into parts (see SubtreeParts), if the query reads or writes values of parents, and it is known where the parents
///   are. So workers do not wait for each other between these depths. If the parts become too different in size, or a
///   depth is so large that more parts are worthwhile, a new stage begins.
/// - Neighbouring depths to which neither rule applies are one task.
///
/// If visits write to parents, siblings are in one task: all parts are made by SubtreeParts, and a depth is a single
/// task if it is not known which of its rows are siblings.
class WorkDivider {
 public:
  WorkDivider(const Matcher& matcher, const Selection& selection, const Division& division, WorkList& list);

  /// Fills the WorkList that the constructor received.
  /// Errors: std::bad_alloc.
  void divide();

 private:
  enum class Kind : std::uint8_t { single, tasks, parts };

  /// The rows of one depth; if the query does not visit by depth, all rows that it visits.
  struct Depth {
    std::size_t first_piece;
    std::size_t end_piece;
    std::size_t first_task;  // Index in `depth_tasks_`.
    std::size_t end_task;
    std::size_t rows;
    std::uint32_t rank;
    std::size_t first_part_task = 0;  // Index in `part_tasks_`, if the depth is in a stage of parts.
    std::size_t end_part_task = 0;
  };
  /// A stage that will be written to the WorkList. Has the depths from number `first` up to, but not including, `end`.
  /// The depths in `depths_` are numbered from the top of the hierarchy, beginning with 0.
  struct Draft {
    Kind kind;
    std::size_t first;
    std::size_t end;
    std::size_t parts = 0;
  };
  /// A task, and the index of the part (see SubtreeParts) that the task belongs to.
  struct PartTask {
    WorkTask task;
    std::uint32_t part;
  };

  void list_depths();
  void end_depth(std::uint32_t rank);

  void group_depths();
  void group_narrow(std::size_t first, std::size_t end);
  std::size_t take_parts(std::size_t first, std::size_t end);
  bool has_large_tables(const Depth& depth) const;
  bool begin_parts(const Depth& depth, std::size_t parts);
  bool goes_on(const Depth& next, std::size_t rows) const;
  void take_pieces(Depth& depth);
  void add_single(std::size_t depth);
  void add_wide(std::size_t depth);

  void write_stages();
  void write_single(const Draft& draft);
  void write_tasks(const Draft& draft);
  void write_parts(const Draft& draft);
  void sort_by_part(std::size_t first_task, std::size_t parts);

  Depth& depth(std::size_t from_top) {
    return depths_[selection_.order == Order::up ? depths_.size() - 1 - from_top : from_top];
  }
  std::span<const TablePiece> pieces_of(const Depth& depth) const {
    return std::span(list_.pieces_).subspan(depth.first_piece, depth.end_piece - depth.first_piece);
  }
  bool is_narrow(const Depth& depth) const { return depth.rows < 2 * division_.grain; }
  std::size_t parts_of(std::size_t rows) const;

  const Matcher& matcher_;
  const Selection& selection_;
  const Division division_;
  WorkList& list_;
  std::vector<Depth> depths_;  // In the order of the visit.
  std::vector<WorkTask> depth_tasks_;
  TaskCutter cutter_;  // Adds to `depth_tasks_`.
  std::vector<PartTask> part_tasks_;
  std::vector<std::uint32_t> task_parts_;  // For each task of a stage of parts, the index of its part.
  std::vector<Draft> drafts_;              // From the top down.
  SubtreeParts parts_;
  // Whether depths may be divided into parts (see SubtreeParts). True if a term reads values of parents or ancestors,
  // and no term reads values along a relation other than the one to the parent.
  bool follows_parents_;

  // While depths are listed: the first piece of the current depth, and the number of rows of the depths before it.
  std::size_t depth_begin_ = 0;
  std::size_t rows_above_ = 0;
};

}  // namespace strata::detail
