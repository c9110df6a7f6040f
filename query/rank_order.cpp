#include "rank_order.hpp"

#include <algorithm>

namespace strata {

RankOrder::RankOrder(std::span<Archetype* const> archetypes, Order order) : upwards_(order == Order::up) {
  if (order == Order::any) return;
  if (archetypes.size() > kFew) many_.resize(archetypes.size());
  Front* const fronts = this->fronts();
  for (std::size_t i = 0; i < archetypes.size(); ++i) {
    const RankLists& ranks = archetypes[i]->ranks();
    const RankLists::Cursor lists = upwards_ ? ranks.last() : ranks.first();
    if (!lists.at_end()) fronts[size_++] = {key_of(lists.rank(), i), lists};
  }
  for (std::size_t i = size_ / 2; i-- > 0;) sift_down(i);
}

void RankOrder::next() noexcept {
  Front& front = *fronts();
  upwards_ ? front.lists.previous() : front.lists.next();
  if (front.lists.at_end()) {
    front = fronts()[--size_];
  } else {
    front.key = key_of(front.lists.rank(), archetype());
  }
  sift_down(0);
}

void RankOrder::sift_down(std::size_t position) noexcept {
  Front* const fronts = this->fronts();
  const Front moving = fronts[position];
  for (std::size_t child; (child = position * 2 + 1) < size_; position = child) {
    if (child + 1 < size_ && fronts[child + 1].key < fronts[child].key) ++child;
    if (moving.key < fronts[child].key) break;
    fronts[position] = fronts[child];
  }
  fronts[position] = moving;
}

}  // namespace strata
