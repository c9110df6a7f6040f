#include "system_access.hpp"

#include <algorithm>

namespace strata::detail {

Accessed AccessNames::number_of(std::string_view name) {
  const auto found = std::find(names_.begin(), names_.end(), name);
  const auto number = static_cast<Accessed>(found - names_.begin());
  if (found == names_.end()) names_.emplace_back(name);
  return number;
}

void SystemAccess::add_read(Accessed accessed) {
  set(reads_, accessed);
}

void SystemAccess::add_write(Accessed accessed) {
  set(writes_, accessed);
}

bool SystemAccess::conflicts_with(const SystemAccess& other) const {
  if (writes_all_ || other.writes_all_) return true;
  if ((reads_all_ && other.writes_anything()) || (other.reads_all_ && writes_anything())) return true;
  return intersect(writes_, other.writes_) || intersect(writes_, other.reads_) ||
         intersect(reads_, other.writes_);
}

std::optional<AccessConflict> SystemAccess::find_conflict(const SystemAccess& other) const {
  if (!conflicts_with(other)) return std::nullopt;
  if (writes_all_ || other.writes_all_ || reads_all_ || other.reads_all_)
    return AccessConflict{std::nullopt, writes_all_, other.writes_all_};
  const auto words = std::max({reads_.size(), writes_.size(), other.reads_.size(), other.writes_.size()});
  for (std::uint32_t i = 0; i < words * 64; ++i) {
    const auto accessed = static_cast<Accessed>(i);
    const bool first = writes(accessed);
    const bool second = other.writes(accessed);
    if ((first && (second || other.reads(accessed))) || (second && reads(accessed)))
      return AccessConflict{accessed, first, second};
  }
  return std::nullopt;
}

void SystemAccess::set(Bits& bits, Accessed accessed) {
  const auto number = static_cast<std::size_t>(accessed);
  if (number / 64 >= bits.size()) bits.resize(number / 64 + 1);
  bits[number / 64] |= std::uint64_t{1} << number % 64;
}

bool SystemAccess::contains(const Bits& bits, Accessed accessed) {
  const auto number = static_cast<std::size_t>(accessed);
  return number / 64 < bits.size() && (bits[number / 64] >> number % 64 & 1) != 0;
}

bool SystemAccess::intersect(const Bits& a, const Bits& b) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if ((a[i] & b[i]) != 0) return true;
  }
  return false;
}

}  // namespace strata::detail
