#include "listed_rows.hpp"

#include <algorithm>
#include <memory_resource>

namespace strata::detail {

void ListedRows::add(const Matcher& matcher, const Batch& batch) {
  if (by_depth_) {
    const Slots& slots = matcher.store().slots();
    for (std::uint32_t row = 0; row < batch.count; ++row) {
      const std::uint32_t depth = table_of(*slots.place_of(batch.entities[row].index()).block).rank();
      if (stages_.empty() || depth != depth_) stages_.push_back(entities_.size() + row);
      depth_ = depth;
    }
  }
  entities_.insert(entities_.end(), batch.entities, batch.entities + batch.count);
}

void ListedRows::visit(const Matcher& matcher, const PassThreads& threads, BatchVisitor visit) const {
  if (!by_depth_) return visit_stage(matcher, threads, 0, entities_.size(), visit);
  for (std::size_t stage = 0; stage < stages_.size(); ++stage) {
    const std::size_t end = stage + 1 != stages_.size() ? stages_[stage + 1] : entities_.size();
    visit_stage(matcher, threads, stages_[stage], end, visit);
  }
}

void ListedRows::visit_stage(const Matcher& matcher, const PassThreads& threads, std::size_t begin,
                             std::size_t end, BatchVisitor visit) const {
  const std::span<const Entity> all = std::span(entities_).subspan(begin, end - begin);
  auto part = [&](std::size_t, std::size_t first, std::size_t last) {
    Scratch scratch;
    const Borrowed<GatheredRows> rows(scratch, matcher, nullptr, std::pmr::new_delete_resource());
    Batch batch;
    for (; first < last; first += GatheredRows::kRun) {
      rows->take(all.subspan(first, std::min<std::size_t>(GatheredRows::kRun, last - first)));
      while (rows->next(batch)) visit(batch);
    }
  };
  const Registry::Shared no_new_types(matcher.store().registry());
  threads.divide(all.size(), part);
}

}  // namespace strata::detail
