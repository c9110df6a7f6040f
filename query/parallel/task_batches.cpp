#include "task_batches.hpp"

#include <algorithm>
#include <memory_resource>
#include <utility>

namespace strata::detail {

FilteredTask::FilteredTask(const Matcher& matcher, const WorkList& work, const WorkTask& task)
    : work_(work),
      blocks_(matcher,
              work.source() == WorkList::Source::tables ? work.pieces_of(task) : PieceCursor::Where()),
      rows_(matcher, nullptr, std::pmr::new_delete_resource()),
      next_(task.begin),
      end_(task.end),
      slots_(matcher.store().slots()) {}

bool FilteredTask::next(Batch& batch) {
  while (!rows_.next(batch)) {
    if (rows_.impossible() || !take_next()) return false;
  }
  return true;
}

bool FilteredTask::take_next() {
  if (work_.source() == WorkList::Source::tables) return take_rows();
  return next_ != end_ && (work_.source() == WorkList::Source::members ? take_members() : take_entities());
}

/// Takes the next entities of a task that is a range of members of sparse sets, so that they are tested for a match.
/// The sets are those of rows_.leaders(), whose members the visit goes through. Positions such as `next_` are counted
/// as if the members of all these sets were one list.
/// Returns: true, so that `take_next` can return this result.
/// Contract: the task has entities left.
bool FilteredTask::take_members() {
  std::size_t leader = 0;
  std::size_t position = next_;
  while (position >= rows_.leaders()[leader]->size()) position -= rows_.leaders()[leader++]->size();
  const std::size_t left = std::min(end_ - next_, rows_.leaders()[leader]->size() - position);
  const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(left, GatheredRows::kRun));
  rows_.take_led(leader, static_cast<std::uint32_t>(position), count);
  next_ += count;
  return true;
}

/// Takes the next entities of the task from the caller's list (see WorkList::entity), so that they are tested for a
/// match. Leaves out entities that are not alive. If no entity of the task is left that is alive, nothing is tested.
/// Returns: true, so that `take_next` can return this result.
/// Contract: the task has entities left.
bool FilteredTask::take_entities() {
  std::size_t count = 0;
  for (; next_ != end_ && count != alive_entities_.size(); ++next_) {
    const Entity entity = work_.entity(next_);
    alive_entities_[count] = entity;
    count += slots_.alive(entity) ? 1 : 0;
  }
  rows_.take(std::span<const Entity>(alive_entities_).first(count));
  return true;
}

bool FilteredTask::take_rows() {
  if (row_ == rows_end_) {
    do {
      if (!blocks_.next()) return false;
    } while (rows_.excludes(*blocks_.block().format));
    row_ = blocks_.first_row();
    rows_end_ = blocks_.end_row();
  }
  const std::uint32_t count = std::min(rows_end_ - row_, GatheredRows::kRun);
  rows_.take(blocks_.block(), row_, count, blocks_.match());
  row_ += count;
  return true;
}

TaskBatches::TaskBatches(const Matcher& matcher, const WorkList& work, const WorkTask& task, Scratch& scratch)
    : batches_(batches_for(matcher, work, task, scratch)) {}

TaskBatches::Batches TaskBatches::batches_for(const Matcher& matcher, const WorkList& work,
                                              const WorkTask& task, Scratch& scratch) {
  if (work.source() == WorkList::Source::whole)
    return Batches(std::in_place_type<FoundBatches>, matcher, work.selection());
  if (work.source() != WorkList::Source::tables || matcher.filters_rows())
    return Batches(std::in_place_type<Borrowed<FilteredTask>>, scratch, matcher, work, task);
  return Batches(std::in_place_type<PieceBatches>, matcher, work.pieces_of(task), scratch,
                 std::pmr::new_delete_resource());
}

bool TaskBatches::next(Batch& batch) {
  if (auto* const pieces = std::get_if<PieceBatches>(&batches_)) return pieces->next(batch);
  if (auto* const found = std::get_if<FoundBatches>(&batches_)) return found->next(batch);
  return (*std::get_if<Borrowed<FilteredTask>>(&batches_))->next(batch);
}

}  // namespace strata::detail
