#include "row_pass.hpp"

#include <algorithm>
#include <utility>

#include "../parallel/matched_rows.hpp"
#include "../parallel/task_cutter.hpp"
#include "../visiting/visits.hpp"
#include "pass_recording.hpp"

namespace strata::detail {
namespace {

/// TablePiece::match has this value in the pieces for a system that does not visit the archetype of the piece. A piece
/// is some tables, or some adjacent rows of a table.
constexpr std::uint32_t kNoMatch = 0xFFFF'FFFF;

/// Returns: whether all values that the system uses are in columns of the visited row, and all rows of its matching
/// archetypes are visited without a test of each row.
bool uses_own_columns(const Matcher& matcher) {
  return matcher.only_columns() && !matcher.filters_rows();
}

/// The rows of several systems, cut into pieces and tasks that are the same for all systems, so that all systems can be
/// called for one piece before the next.
class CommonRows {
 public:
  CommonRows(std::span<const Matcher* const> matchers, std::size_t grain) {
    for (const Matcher* const matcher : matchers)
      archetypes_.insert(archetypes_.end(), matcher->occupied().begin(), matcher->occupied().end());
    std::sort(archetypes_.begin(), archetypes_.end(),
              [](const Archetype* a, const Archetype* b) { return a->id() < b->id(); });
    archetypes_.erase(std::unique(archetypes_.begin(), archetypes_.end()), archetypes_.end());
    TaskCutter cutter(grain, pieces_, tasks_);
    for (std::uint32_t archetype = 0; archetype < archetypes_.size(); ++archetype) {
      for (auto list = archetypes_[archetype]->ranks().first(); !list.at_end(); list.next())
        cutter.add_list(list.tables(), archetype, list.rank());
    }
    cutter.end_task();
  }

  const std::vector<WorkTask>& tasks() const { return tasks_; }
  void limit_tasks(std::size_t most) { detail::limit_tasks(tasks_, most); }

  /// Returns: a copy of the pieces for one system. TablePiece::match becomes the index of the archetype in the matches
  /// of the system's matcher, or kNoMatch if the system does not visit that archetype.
  std::vector<TablePiece> pieces_for(const Matcher& matcher) const {
    std::vector<std::uint32_t> matches;
    matches.reserve(archetypes_.size());
    for (const Archetype* const archetype : archetypes_) {
      const std::ptrdiff_t match = matcher.find_match(*archetype);
      matches.push_back(match < 0 ? kNoMatch : static_cast<std::uint32_t>(match));
    }
    std::vector<TablePiece> pieces = pieces_;
    for (TablePiece& piece : pieces) piece.match = matches[piece.match];
    return pieces;
  }

 private:
  std::vector<const Archetype*> archetypes_;
  std::vector<TablePiece> pieces_;  // TablePiece::match is a position in `archetypes_`.
  std::vector<WorkTask> tasks_;     // Ranges of `pieces_`.
};

}  // namespace

void RowPass::run(Executor* executor, std::size_t grain) {
  if (members_.empty()) return;
  const Registry::Shared no_new_types(members_.front().rows().store().registry());
  InlineExecutor inline_executor;
  Executor& used = executor != nullptr ? *executor : inline_executor;
  FirstError error;
  std::uint32_t last_stage = members_.back().stage;
  // Calls `visit`, which visits rows for one system, `member`, or for several systems of which `member` is the first.
  // If `visit` throws, keeps the exception, and sets `last_stage` to the stage of `member`, so that systems of later
  // stages are not called.
  const auto attempt = [&](const Member& member, auto visit) {
    error.catching(visit);
    if (error.any()) last_stage = std::min(last_stage, member.stage);
  };
  error.catching([&] {
    for (auto first = members_.begin(); first != members_.end() && first->stage <= last_stage;) {
      const auto end = refresh_columns_only(first, last_stage);
      const bool is_large =
          std::any_of(first, end, [grain](const Member& member) { return has_many_rows(member, grain); });
      if (end - first > 1 && is_large) {
        attempt(*first, [&] {
          run_in_turns({first, end}, used, grain);
          for (const Member& member : std::span(first, end)) *member.has_failed = false;
        });
        first = end;
        continue;
      }
      for (const auto alone_end = std::max(end, first + 1); first != alone_end && first->stage <= last_stage;
           ++first) {
        attempt(*first, [&] {
          run_alone(*first, used, grain);
          *first->has_failed = false;
        });
      }
    }
  });
  error.rethrow();
}

/// Updates the matches of the systems from `first` on whose stages are at most `last_stage`. Stops after the first
/// system for which `uses_own_columns` is false.
/// Returns: this system; if there is none, the first system that was not updated, or the end of the list. So
/// `uses_own_columns` is true for each system from `first` up to the result, which is not included.
RowPass::Members::iterator RowPass::refresh_columns_only(Members::iterator first, std::uint32_t last_stage) {
  for (; first != members_.end() && first->stage <= last_stage; ++first) {
    first->rows().refresh();
    if (!uses_own_columns(first->rows())) break;
  }
  return first;
}

/// Returns: whether the system has enough rows to divide them among threads: about twice `grain` or more. The work on
/// fewer rows does not make up for the cost of dividing them.
bool RowPass::has_many_rows(const Member& member, std::size_t grain) {
  return estimate_rows(member.rows(), 2 * grain) >= 2 * grain;
}

/// Visits the rows of one system: on the workers of the executor if there are many rows, otherwise on the calling
/// thread. If the system records commands, many rows are divided into tasks even if there is only one worker: the
/// division determines the handles of new entities, and these must not depend on the number of workers.
void RowPass::run_alone(const Member& member, Executor& executor, std::size_t grain) {
  PartRecorders* const recorders = member.body->part_recorders();
  if ((count_workers(executor) == 1 && recorders == nullptr) || !has_many_rows(member, grain))
    return member.body->run(member.seconds);
  Matcher& matcher = member.rows();
  start(matcher, Order::any, true);
  WorkList work(matcher, Order::any, {grain});
  if (recorders != nullptr) work.limit_tasks(PartRecorders::kMostParts);
  PassRecording recording(slots_, recorders_of({&member, 1}), work.tasks().size());
  auto do_task = [&](std::size_t task, Scratch& scratch) {
    member.body->visit(work, work.tasks()[task], {member.seconds, task}, scratch);
  };
  run_work(work, executor, do_task);
  recording.finish();
}

/// Visits the rows of several systems together: calls all systems for some rows of one block, and then for the next
/// rows. Divides the rows into tasks of about `grain` rows, which the workers of the executor do.
/// Contract: the systems use no component values other than those of the visited row in its table.
void RowPass::run_in_turns(std::span<const Member> members, Executor& executor, std::size_t grain) {
  std::vector<const Matcher*> matchers;
  for (const Member& member : members) matchers.push_back(&member.rows());
  std::vector<PartRecorders*> recorders = recorders_of(members);
  CommonRows rows(matchers, grain);
  if (!recorders.empty()) rows.limit_tasks(PartRecorders::kMostParts);
  std::vector<WorkList> works;
  works.reserve(members.size());
  for (const Matcher* const matcher : matchers) works.emplace_back(rows.pieces_for(*matcher), rows.tasks());
  PassRecording recording(slots_, std::move(recorders), rows.tasks().size());
  auto do_task = [&](std::size_t index, Scratch& scratch) { run_task(members, works, index, scratch); };
  run_work(works.front(), executor, do_task);
  recording.finish();
}

/// Visits the rows of the task with this index. Calls each system for the first piece of the task (some rows of one
/// table), then each system for the next piece, and so on. `members` are the systems. `works` has one WorkList for each
/// of them, all with the same tasks. A system whose query does not match a piece is not called for it.
void RowPass::run_task(std::span<const Member> members, std::span<const WorkList> works, std::size_t index,
                       Scratch& scratch) {
  const WorkTask task = works.front().tasks()[index];
  for (WorkTask piece{task.begin, task.begin + 1}; piece.begin != task.end; ++piece.begin, ++piece.end) {
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (works[i].pieces_of(piece).front().match != kNoMatch)
        members[i].body->visit(works[i], piece, {members[i].seconds, index}, scratch);
    }
  }
}

/// Returns: the PartRecorders of the systems that record commands.
std::vector<PartRecorders*> RowPass::recorders_of(std::span<const Member> members) {
  std::vector<PartRecorders*> recorders;
  for (const Member& member : members) {
    if (PartRecorders* const own = member.body->part_recorders()) recorders.push_back(own);
  }
  return recorders;
}

}  // namespace strata::detail
