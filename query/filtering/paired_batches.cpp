#include "paired_batches.hpp"

#include <algorithm>

#include "../matching/pair_conditions.hpp"

namespace strata::detail {

PairedBatches::PairedBatches(const Matcher& matcher, const Selection& selection)
    : matcher_(matcher), by_depth_(selection.order != Order::any) {
  if (!selection.pairs->requires_one()) {
    batches_.emplace(matcher, selection);
    return;
  }
  sources_ = selection.pairs->list(buffer_);
  if (by_depth_) arrange(selection);
  rows_.emplace(matcher, selection.pairs->size() == 1 ? nullptr : selection.pairs);
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

/// `sources_` is the list of the entities that have a required pair, that is, a link to a certain target entity.
/// Removes from the list the stale entities and those at depths that the selection leaves out. Sorts the rest by depth,
/// ascending for Order::down and descending for Order::up; entities of one depth keep their order.
void PairedBatches::arrange(const Selection& selection) {
  struct Placed {
    std::uint32_t key;  // The depth, or its complement in an order from the leaves up.
    std::uint32_t position;
    Entity source;
  };
  std::vector<Placed> placed;
  placed.reserve(sources_.size());
  for (const Entity source : sources_) {
    if (!matcher_.store().alive(source) || !selection.depths.contains(depth_of(source))) continue;
    const std::uint32_t depth = depth_of(source);
    placed.push_back(
        {selection.order == Order::down ? depth : ~depth, static_cast<std::uint32_t>(placed.size()), source});
  }
  std::sort(placed.begin(), placed.end(), [](const Placed& a, const Placed& b) {
    return a.key != b.key ? a.key < b.key : a.position < b.position;
  });
  buffer_.resize(placed.size());
  for (std::size_t i = 0; i < placed.size(); ++i) buffer_[i] = placed[i].source;
  sources_ = buffer_;
}

/// Returns: the next live entities of `sources_` (the entities that have a required pair), at most GatheredRows::kRun.
/// If entities are visited by depth, all returned ones have the same depth. Empty if none are left.
std::span<const Entity> PairedBatches::next_run() {
  std::size_t count = 0;
  for (; next_ < sources_.size() && count < run_.size(); ++next_) {
    const Entity source = sources_[next_];
    if (!matcher_.store().alive(source)) continue;
    if (by_depth_ && count != 0 && depth_of(source) != depth_of(run_[0])) break;
    run_[count++] = source;
  }
  return std::span<const Entity>(run_).first(count);
}

std::uint32_t PairedBatches::depth_of(Entity entity) const {
  return table_of(*matcher_.store().slots().place_of(entity.index()).block).rank();
}

}  // namespace strata::detail
