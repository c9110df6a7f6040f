#include "rank_order.hpp"

namespace strata::detail {

RankOrder::RankOrder(std::span<Archetype* const> archetypes, Order order)
    : upwards_(order == Order::up), keys_(few_keys_.data()), lists_(few_lists_.data()) {
  if (order == Order::any) return;
  if (archetypes.size() > kFew) {
    many_keys_.resize(archetypes.size());
    many_lists_.resize(archetypes.size());
    keys_ = many_keys_.data();
    lists_ = many_lists_.data();
  }
  for (std::size_t i = 0; i < archetypes.size(); ++i) {
    const RankLists& ranks = archetypes[i]->ranks();
    lists_[i] = upwards_ ? ranks.last() : ranks.first();
    if (!lists_[i].at_end()) keys_[size_++] = key_of(lists_[i].rank(), i);
  }
  for (std::size_t i = size_ / 2; i-- > 0;) sift_down(i);
}

void RankOrder::sift_down(std::size_t position) noexcept {
  const std::uint64_t moving = keys_[position];
  for (std::size_t child; (child = position * 2 + 1) < size_; position = child) {
    if (child + 1 < size_ && keys_[child + 1] < keys_[child]) ++child;
    if (moving < keys_[child]) break;
    keys_[position] = keys_[child];
  }
  keys_[position] = moving;
}

}  // namespace strata::detail
