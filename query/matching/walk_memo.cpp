#include "walk_memo.hpp"

#include <utility>

namespace strata::detail {
namespace {

constexpr std::size_t kFirstSize = 64;

}  // namespace

void WalkMemo::insert(std::uint32_t node, ComponentId id, const void* value) {
  if ((size_ + 1) * 2 > entries_.size()) grow();
  const std::uint64_t key = key_of(node, id);
  Entry& entry = entries_[position_of(key)];
  if (entry.key == kFree) ++size_;
  entry = {key, value};
}

bool WalkMemo::find_key(std::uint64_t key, const void*& value) const {
  const Entry& entry = entries_[position_of(key)];
  if (entry.key == kFree) return false;
  value = entry.value;
  return true;
}

/// Returns: the position of the entry with this key in the hash table; if there is none, the free position
/// where the key would be inserted.
/// Contract: `entries_` is not empty.
std::size_t WalkMemo::position_of(std::uint64_t key) const {
  const std::size_t mask = entries_.size() - 1;
  std::size_t position = static_cast<std::size_t>(key * 0x9E3779B97F4A7C15u >> 32) & mask;
  while (entries_[position].key != key && entries_[position].key != kFree) position = (position + 1) & mask;
  return position;
}

void WalkMemo::grow() {
  PlainList<Entry> larger(entries_.memory());
  larger.resize(entries_.empty() ? kFirstSize : entries_.size() * 2);
  larger.swap(entries_);
  for (const Entry& entry : larger) {
    if (entry.key != kFree) entries_[position_of(entry.key)] = entry;
  }
}

}  // namespace strata::detail
