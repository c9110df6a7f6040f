#include "work_divider.hpp"

#include <algorithm>
#include <bit>

namespace strata::detail {
namespace {

/// The rows of neighbouring depths of the hierarchy are divided into at most this number of parts, each for one thread.
constexpr std::size_t kMostParts = 32;
/// At the first (least) of its depths, a part has at least `grain / kPartsPerGrain` rows; for `grain`, see Division.
/// Smaller parts are not worthwhile: each part has a task at each of its depths, and beginning a task costs as much as
/// visiting some tens of rows, because its rows are in another place in memory.
constexpr std::size_t kPartsPerGrain = 8;
/// A depth is not divided into parts for several threads if it has more tables than this sum: `kTablesOfPart`, plus one
/// for every `kRowsOfPartTable` rows of the depth. Looking at so many tables costs too much compared with the visit.
constexpr std::size_t kRowsOfPartTable = 32;
constexpr std::size_t kTablesOfPart = 8;

}  // namespace

WorkDivider::WorkDivider(const Matcher& matcher, const Selection& selection, const Division& division,
                         WorkList& list)
    : matcher_(matcher),
      selection_(selection),
      division_(division),
      list_(list),
      cutter_(division.grain, list.pieces_, depth_tasks_),
      parts_(matcher),
      follows_parents_(matcher.has_related() && !matcher.follows_relations()) {}

void WorkDivider::divide() {
  list_depths();
  if (selection_.order != Order::any) {
    group_depths();
  } else if (!depths_.empty()) {
    drafts_.push_back({Kind::tasks, 0, 1});
  }
  write_stages();
}

void WorkDivider::list_depths() {
  std::uint32_t rank = 0;
  for (BlockCursor lists(matcher_, selection_); lists.next_tables();) {
    if (selection_.order != Order::any && lists.rank() != rank) end_depth(rank);
    rank = lists.rank();
    cutter_.add_list(lists.tables(), static_cast<std::uint32_t>(lists.match()), rank);
  }
  end_depth(rank);
}

void WorkDivider::end_depth(std::uint32_t rank) {
  cutter_.end_task();
  const std::size_t first_task = depths_.empty() ? 0 : depths_.back().end_task;
  const std::size_t end_piece = list_.pieces_.size();
  if (first_task != depth_tasks_.size()) {
    depths_.push_back(
        {depth_begin_, end_piece, first_task, depth_tasks_.size(), cutter_.rows() - rows_above_, rank});
  }
  depth_begin_ = end_piece;
  rows_above_ = cutter_.rows();
}

void WorkDivider::group_depths() {
  for (std::size_t at = 0; at < depths_.size();) {
    std::size_t end = at;
    while (end < depths_.size() && is_narrow(depth(end))) ++end;
    group_narrow(at, end);
    if (end < depths_.size()) add_wide(end++);
    at = end;
  }
}

/// Groups the depths from `first` up to `end`, which have few rows each, into stages. A stage is neighbouring depths
/// whose tasks are done before the next stage begins.
void WorkDivider::group_narrow(std::size_t first, std::size_t end) {
  while (first != end) {
    const std::size_t divided = follows_parents_ ? take_parts(first, end) : 0;
    if (divided == 0) add_single(first);
    first += std::max<std::size_t>(divided, 1);
  }
}

/// Makes a stage (neighbouring depths) that begins with depth `first`, counted from the top of the hierarchy. Divides
/// the rows of the stage into parts, so that threads that visit different parts do not wait for each other between the
/// depths (see SubtreeParts). Adds the next depths before `end` to the stage, as long as `goes_on` accepts them and
/// they can be divided.
/// Returns: the number of depths in the stage; 0 if no stage was made, because these depths together have too few rows,
/// or because depth `first` has too many small tables (see has_large_tables) or cannot be divided.
std::size_t WorkDivider::take_parts(std::size_t first, std::size_t end) {
  const std::size_t tasks_before = part_tasks_.size();
  const std::size_t pieces_before = list_.pieces_.size();
  std::size_t rows = 0;
  std::size_t next = first;
  if (has_large_tables(depth(first)) && begin_parts(depth(first), parts_of(depth(first).rows))) {
    do {
      take_pieces(depth(next));
      rows += depth(next).rows;
      ++next;
    } while (next != end && goes_on(depth(next), rows) && parts_.descend(pieces_of(depth(next))));
  }
  if (rows >= 2 * division_.grain) {
    drafts_.push_back({Kind::parts, first, next, parts_.parts()});
    return next - first;
  }
  part_tasks_.resize(tasks_before);
  list_.pieces_.resize(pieces_before);
  return 0;
}

/// Returns: whether the tables of a depth are so large, or so few, that dividing the depth costs little compared with
/// visiting it.
bool WorkDivider::has_large_tables(const Depth& depth) const {
  std::size_t tables = 0;
  for (const TablePiece& piece : pieces_of(depth)) tables += piece.table_end - piece.table;
  return tables <= kTablesOfPart + depth.rows / kRowsOfPartTable;
}

/// Divides the rows of `depth`, the first depth of a stage (neighbouring depths that are divided together), into
/// `parts` parts. If visits write to parents, siblings stay together, so there may be more or fewer parts than `parts`.
/// Returns: false if there would be fewer than two parts, or if SubtreeParts::begin_by_parents cannot divide the rows.
bool WorkDivider::begin_parts(const Depth& depth, std::size_t parts) {
  if (parts < 2) return false;
  if (!division_.writes_parents || depth.rank == 0) {
    parts_.begin(pieces_of(depth), depth.rows, parts);
    return true;
  }
  return parts_.begin_by_parents(pieces_of(depth), depth.rows / parts) && parts_.parts() > 1;
}

/// Returns: whether the depth `next` should be added to the current stage (neighbouring depths that are divided into
/// the same parts), which already has `rows` rows. `next` should not be added in these cases:
/// - It has too many small tables (see has_large_tables).
/// - The stage does not have enough rows to be divided yet (twice the grain), and the rows of `next` are worth at least
///   twice as many parts (see parts_of).
/// - The stage has enough rows, and the rows of `next` are worth at least four times as many parts, or the parts of the
///   stage already differ too much in size.
bool WorkDivider::goes_on(const Depth& next, std::size_t rows) const {
  const std::size_t parts = parts_.parts();
  if (!has_large_tables(next)) return false;
  if (rows < 2 * division_.grain) return parts_of(next.rows) < 2 * parts;
  const std::span<const std::size_t> sizes = parts_.part_rows();
  const std::size_t most = *std::max_element(sizes.begin(), sizes.end());
  return parts_of(next.rows) < 4 * parts && 2 * most * parts <= 3 * rows;
}

/// Makes tasks of the pieces into which `parts_` has divided the rows of a depth. Successive pieces that belong to the
/// same part are one task.
void WorkDivider::take_pieces(Depth& depth) {
  depth.first_part_task = part_tasks_.size();
  for (const PartPiece& piece : parts_.pieces()) {
    const bool follows = part_tasks_.size() > depth.first_part_task && part_tasks_.back().part == piece.part;
    const std::size_t position = list_.pieces_.size();
    if (!follows) part_tasks_.push_back({{position, position}, piece.part});
    list_.pieces_.push_back(piece.piece);
    part_tasks_.back().task.end = position + 1;
  }
  depth.end_part_task = part_tasks_.size();
}

/// Makes a depth a single task. If the depth directly above is a single task, too, puts both depths into one task.
void WorkDivider::add_single(std::size_t depth) {
  if (!drafts_.empty() && drafts_.back().kind == Kind::single) {
    drafts_.back().end = depth + 1;
  } else {
    drafts_.push_back({Kind::single, depth, depth + 1});
  }
}

/// Makes a stage of one depth that has many rows, so that several threads can visit them. If visits write to parents,
/// no two threads may visit siblings. So in this case a depth other than that of the roots is divided into parts (rows
/// for one thread) that keep siblings together. If `begin_by_parents` cannot divide it, or if all rows would be in one
/// part, the depth becomes a single task instead.
void WorkDivider::add_wide(std::size_t position) {
  Depth& wide = depth(position);
  if (!division_.writes_parents || wide.rank == 0) {
    drafts_.push_back({Kind::tasks, position, position + 1});
  } else if (parts_.begin_by_parents(pieces_of(wide), division_.grain) && parts_.parts() > 1) {
    take_pieces(wide);
    drafts_.push_back({Kind::parts, position, position + 1, parts_.parts()});
  } else {
    add_single(position);
  }
}

/// Returns: into how many parts a stage should be divided at most, if its first depth has `rows` rows: a power of two,
/// or 0 if the rows are too few for one part (see kPartsPerGrain).
std::size_t WorkDivider::parts_of(std::size_t rows) const {
  const std::size_t rows_per_part = std::max<std::size_t>(division_.grain / kPartsPerGrain, 1);
  return std::min(std::bit_floor(rows / rows_per_part), kMostParts);
}

void WorkDivider::write_stages() {
  if (selection_.order == Order::up) std::reverse(drafts_.begin(), drafts_.end());
  for (const Draft& draft : drafts_) {
    const std::size_t first_task = list_.tasks_.size();
    const std::size_t first_part = list_.part_begins_.size() - 1;
    if (draft.kind == Kind::single) write_single(draft);
    if (draft.kind == Kind::tasks) write_tasks(draft);
    if (draft.kind == Kind::parts) write_parts(draft);
    list_.stages_.push_back({first_task, list_.tasks_.size(), first_part, list_.part_begins_.size() - 1});
  }
}

void WorkDivider::write_single(const Draft& draft) {
  const bool up = selection_.order == Order::up;
  const Depth& first = depth(up ? draft.end - 1 : draft.first);
  const Depth& last = depth(up ? draft.first : draft.end - 1);
  list_.tasks_.push_back({first.first_piece, last.end_piece});
}

void WorkDivider::write_tasks(const Draft& draft) {
  const Depth& only = depth(draft.first);
  const std::span<const WorkTask> tasks =
      std::span(depth_tasks_).subspan(only.first_task, only.end_task - only.first_task);
  list_.tasks_.insert(list_.tasks_.end(), tasks.begin(), tasks.end());
}

void WorkDivider::write_parts(const Draft& draft) {
  const std::size_t first_task = list_.tasks_.size();
  task_parts_.clear();
  for (std::size_t i = 0; i < draft.end - draft.first; ++i) {
    const Depth& of = depth(selection_.order == Order::up ? draft.end - 1 - i : draft.first + i);
    for (std::size_t task = of.first_part_task; task < of.end_part_task; ++task) {
      list_.tasks_.push_back(part_tasks_[task].task);
      task_parts_.push_back(part_tasks_[task].part);
    }
  }
  sort_by_part(first_task, draft.parts);
}

/// Writes to the WorkList the indices of the tasks from `first_task` on, sorted by part, and where the indices of each
/// of the `parts` parts begin. Task `first_task + i` belongs to part `task_parts_[i]`. The indices of one part are in
/// ascending order. This is a counting sort.
void WorkDivider::sort_by_part(std::size_t first_task, std::size_t parts) {
  std::vector<std::size_t>& begins = list_.part_begins_;
  const std::size_t first_part = begins.size() - 1;
  const std::size_t before = begins.back();
  begins.resize(begins.size() + parts, 0);
  for (const std::uint32_t part : task_parts_) ++begins[first_part + part + 1];
  for (std::size_t part = first_part + 1; part < begins.size(); ++part) begins[part] += begins[part - 1];
  std::vector<std::size_t> places(begins.begin() + static_cast<std::ptrdiff_t>(first_part), begins.end() - 1);
  list_.part_tasks_.resize(before + task_parts_.size());
  for (std::size_t i = 0; i < task_parts_.size(); ++i) {
    list_.part_tasks_[places[task_parts_[i]]++] = static_cast<std::uint32_t>(first_task + i);
  }
}

}  // namespace strata::detail
