#include "filtered_batches.hpp"

#include <algorithm>

#include "iteration_source.hpp"

namespace strata::detail {

FilteredBatches::FilteredBatches(const Matcher& matcher, const Selection& selection)
    : rows_(matcher, selection.pairs) {
  const bool led =
      selection.order == Order::any && choose_iteration_source(matcher, rows_) == IterationSource::pools;
  if (!led) blocks_.emplace(matcher, selection);
}

bool FilteredBatches::next(Batch& batch) {
  while (!rows_.next(batch)) {
    if (rows_.impossible() || !take_next()) return false;
  }
  return true;
}

/// Passes the next members of a leading pool (a sparse set through whose members the iteration goes), at most
/// GatheredRows::kRun of them, to `rows_`, which drops the entities that do not match the query.
/// Returns: false if no member of a leading pool is left.
bool FilteredBatches::take_members() {
  const auto leaders = rows_.leaders();
  while (leader_ != leaders.size() && next_ == leaders[leader_]->size()) {
    ++leader_;
    next_ = 0;
  }
  if (leader_ == leaders.size()) return false;
  const std::uint32_t count = std::min(leaders[leader_]->size() - next_, GatheredRows::kRun);
  rows_.take_led(leader_, next_, count);
  next_ += count;
  return true;
}

bool FilteredBatches::take_rows() {
  if (next_ == 0) {
    do {
      if (!blocks_->next()) return false;
    } while (rows_.excludes(*blocks_->block().format));
  }
  const Block& block = blocks_->block();
  const std::uint32_t count = std::min(block.count - next_, GatheredRows::kRun);
  rows_.take(block, next_, count, blocks_->match());
  next_ += count;
  if (next_ == block.count) next_ = 0;
  return true;
}

}  // namespace strata::detail
