#include "write_stamper.hpp"

#include <algorithm>
#include <array>

namespace strata::detail {

void WriteStamper::stamp(const Batch& batch, std::uint64_t stamp) const noexcept {
  for (std::uint32_t term = 0; term < matcher_->terms().size(); ++term) {
    if ((written_ >> term & 1) == 0) continue;
    const ComponentId id = matcher_->terms()[term].id;
    if (matcher_->terms()[term].role == Role::related) {
      stamp_related(batch, id, stamp);
    } else if (batch.access == Access::gathered || batch.access == Access::columns_picked) {
      const bool gathered = batch.access == Access::gathered;
      stamp_each(batch, id, stamp, gathered ? static_cast<void* const*>(batch.lanes[term]) : nullptr);
    } else if (batch.lanes[term] != nullptr) {  // The component is neither absent nor switched off.
      // With every access but Access::gathered and Access::columns_picked, the batch has successive rows of one block,
      // so it is enough to look up the first row.
      const Place first = matcher_->store().slots().place_of(batch.entities[0].index());
      const std::uint32_t position = first.block->format->find_tracked(id);
      if (position != BlockFormat::kAbsent) stamp_rows(first, batch.count, position, stamp, sharing_);
    }
  }
}

void WriteStamper::stamp_each(const Batch& batch, ComponentId id, std::uint64_t stamp,
                              void* const* values) const noexcept {
  for (std::uint32_t row = 0; row < batch.count; ++row) {
    if (values != nullptr && values[row] == nullptr) continue;  // The component is switched off.
    stamp_value(matcher_->store().slots().place_of(batch.entities[row].index()), id, stamp, sharing_);
  }
}

void WriteStamper::stamp_related(const Batch& batch, ComponentId id, std::uint64_t stamp) const noexcept {
  std::array<Place, 128> places;
  // With Access::columns, either all rows of the batch have the same parent, or none of their parents has a value of
  // the component. In the second case, there is nothing to record, whichever parent is looked up. So one row is enough.
  const std::uint32_t count = batch.access == Access::columns ? 1 : batch.count;
  for (std::uint32_t row = 0; row < count;) {
    const auto run = std::min(count - row, static_cast<std::uint32_t>(places.size()));
    matcher_->relation()->find_places({batch.entities + row, run}, places.data());
    Place recent{nullptr, 0};  // Neighbouring rows often have the same parent.
    for (const Place place : std::span(places).first(run)) {
      if (place.block == recent.block && place.row == recent.row) continue;
      recent = place;
      if (place.block != nullptr) stamp_value(place, id, stamp, sharing_);
    }
    row += run;
  }
}

}  // namespace strata::detail
