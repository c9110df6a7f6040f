#include "paired_batches.hpp"

#include <algorithm>

#include "../matching/pair_conditions.hpp"

namespace strata::detail {

PairedBatches::PairedBatches(const Matcher& matcher, const Selection& selection)
    : matcher_(matcher), by_depth_(selection.order != Order::any) {
  if (selection.pairs->list(sources_)) {
    arrange(selection);
    rows_.emplace(matcher, selection.pairs);
  } else {
    batches_.emplace(matcher, selection);
  }
}

bool PairedBatches::next(Batch& batch) {
  if (batches_) return batches_->next(batch);
  while (!rows_->next(batch)) {
    const std::span<const Entity> run = next_run();
    if (run.empty()) return false;
    rows_->take(run);
  }
  return true;
}

/// Leaves out sources that are not visited, and sorts the others by depth, if that is the order.
void PairedBatches::arrange(const Selection& selection) {
  std::erase_if(sources_, [&](Entity source) {
    return !matcher_.store().alive(source) || (by_depth_ && !selection.depths.contains(depth_of(source)));
  });
  if (!by_depth_) return;
  struct Placed {
    std::uint32_t key;  // Falls with the depth if the order does.
    std::uint32_t position;
    Entity source;
  };
  std::vector<Placed> placed;
  placed.reserve(sources_.size());
  for (const Entity source : sources_) {
    const std::uint32_t depth = depth_of(source);
    placed.push_back(
        {selection.order == Order::down ? depth : ~depth, static_cast<std::uint32_t>(placed.size()), source});
  }
  std::sort(placed.begin(), placed.end(), [](const Placed& a, const Placed& b) {
    return a.key != b.key ? a.key < b.key : a.position < b.position;
  });
  for (std::size_t i = 0; i < placed.size(); ++i) sources_[i] = placed[i].source;
}

/// Returns: the next sources, up to the length of a run, of one depth if the order is by depth; none at the end.
std::span<const Entity> PairedBatches::next_run() {
  const std::size_t first = next_;
  const std::size_t most = std::min<std::size_t>(sources_.size(), first + GatheredRows::kRun);
  while (next_ < most && (!by_depth_ || depth_of(sources_[next_]) == depth_of(sources_[first]))) ++next_;
  return std::span(sources_).subspan(first, next_ - first);
}

std::uint32_t PairedBatches::depth_of(Entity entity) const {
  return table_of(*matcher_.store().slots().place_of(entity.index()).block).rank();
}

}  // namespace strata::detail
