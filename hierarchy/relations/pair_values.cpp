#include "pair_values.hpp"

#include <algorithm>
#include <cstring>

#include "../../core/rollback.hpp"

namespace strata::detail {

std::uint32_t PairValues::take_row() {
  if (free_ != kNone) {
    const std::uint32_t number = free_;
    free_ = std::exchange(next_[number], kInUse);
    return number;
  }
  const auto number = static_cast<std::uint32_t>(next_.size());
  if (pages_.page_of(number) == pages_.size()) pages_.append();
  next_.push_back(kInUse);
  return number;
}

void PairValues::list_dead(std::uint32_t number) noexcept {
  next_[number] = kNone;
  if (first_dead_ == kNone) {
    first_dead_ = number;
  } else {
    next_[last_dead_] = number;
  }
  last_dead_ = number;
}

void PairValues::destroy_dead() noexcept {
  while (first_dead_ != kNone) {
    const std::uint32_t number = first_dead_;
    component_.destroy(at(number), 1);
    first_dead_ = next_[number];
    give_back(number);
  }
}

void PairValues::assign(const PairValues& other) {
  Rollback undo([&] {
    for (std::uint32_t number = 0; number < next_.size(); ++number) {
      if (next_[number] == kInUse) component_.destroy_values(at(number), 1);
    }
    next_.clear();
  });
  next_.reserve(other.next_.size());
  for (std::uint32_t number = 0; number < other.next_.size(); ++number) {
    if (pages_.page_of(number) == pages_.size()) pages_.append();
    if (other.next_[number] == kInUse) component_.copy_values(at(number), other.at(number), 1);
    next_.append(other.next_[number]);
  }
  undo.dismiss();
  free_ = other.free_;
}

bool PairValues::equals(const PairValues& other) const noexcept {
  if (!std::ranges::equal(next_, other.next_)) return false;
  for (std::uint32_t number = 0; number < next_.size(); ++number) {
    if (next_[number] == kInUse && std::memcmp(at(number), other.at(number), component_.size) != 0)
      return false;
  }
  return true;
}

void PairValues::shrink() noexcept {
  if (has_dead()) return;
  while (!next_.empty() && next_.back() != kInUse) next_.pop_back();
  const auto numbers = static_cast<std::uint32_t>(next_.size());
  free_ = kNone;
  for (std::uint32_t number = numbers; number-- > 0;) {
    if (next_[number] != kInUse) give_back(number);
  }
  next_.shrink_to_fit();
  if (!pages_.of_tag()) pages_.truncate((numbers + pages_.rows_per_page() - 1) / pages_.rows_per_page());
  pages_.shrink_to_fit();
}

std::string PairValues::check_invariants(std::size_t values) const {
  if (pages_.of_tag()) return "";
  std::size_t known = values;
  for (const std::uint32_t head : {free_, first_dead_}) {
    for (std::uint32_t number = head; number != kNone; number = next_[number], ++known) {
      if (next_[number] == kInUse || known > next_.size()) return "I13: a value in use is listed as free";
    }
  }
  return known == next_.size() ? "" : "I13: the number of a value is neither in use nor free";
}

}  // namespace strata::detail
