#include "reserved_handles.hpp"

#include <algorithm>

#include "../core/contract.hpp"
#include "../core/rollback.hpp"

namespace strata::detail {

std::uint32_t ReservedHandles::reserve(Slots& slots, std::uint32_t recorders, std::uint32_t share) {
  const std::uint32_t new_slots = slots.limit() - slots.size();
  least_ = std::min(few_, std::max<std::uint32_t>(kFewTogether / recorders, 1));
  // When the reserved handles are used up, `take` gives out handles of new slots, but not of slots that destroyed
  // entities have left free. If the world is near its limit of slots, `take` would soon find no new slot, although
  // there are free ones. In this case, more handles are reserved now.
  const std::uint32_t near = few_ != 0 ? kNear : std::max(kFew, wanted_);
  const std::uint32_t wanted = new_slots / recorders < kNear ? near : std::max(least_, wanted_);
  reserved_.resize(std::min(wanted, share));
  taken_ = 0;
  if (reserved_.empty()) return 0;
  Rollback forget([&] { reserved_.clear(); });
  slots.reserve_all(reserved_);
  forget.dismiss();
  const auto count = static_cast<std::uint32_t>(reserved_.size());
  slots.add_recorded(count);
  return count;
}

void ReservedHandles::begin(const Slots& slots, std::uint32_t position, std::uint32_t recorders) noexcept {
  next_ = slots.size() + position;
  step_ = recorders;
  generation_ = slots.next_new().generation();
  limit_ = slots.limit();
}

Entity ReservedHandles::take() {
  if (taken_ < reserved_.size()) return reserved_[taken_++];
  STRATA_EXPECTS(next_ < limit_,
                 "no slot is left for a new entity: destroy entities or raise WorldOptions::max_entities");
  const Entity entity(next_, generation_);
  beyond_.push_back(entity);
  next_ += step_;
  return entity;
}

void ReservedHandles::give_back(Slots& slots) noexcept {
  const auto unused = std::span<const Entity>(reserved_).subspan(taken_);
  slots.cancel_all(unused);
  slots.remove_recorded(static_cast<std::uint32_t>(unused.size()));
  const std::uint32_t used = taken_ + static_cast<std::uint32_t>(beyond_.size());
  wanted_ = std::max({least_, used + used / 2, wanted_ - (wanted_ + 7) / 8});
  reserved_.clear();
  taken_ = 0;  // If memory runs out, `give_back` may be called again without `reserve`.
}

void ReservedHandles::issue_taken(Slots& slots) {
  const Rollback forget([&] { beyond_.clear(); });
  for (const Entity entity : beyond_) {
    if (slots.reserve_at(entity)) slots.add_recorded(1);
  }
}

}  // namespace strata::detail
