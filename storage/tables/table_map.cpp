#include "table_map.hpp"

#include <algorithm>
#include <bit>

#include "archetype.hpp"

namespace strata::detail {

std::size_t TableMap::home_of(const Archetype& archetype, const Branch& branch) const noexcept {
  // Addresses are multiples of their alignment, so their low bits are equal. The hash mixes in the higher
  // bits before it selects an entry.
  std::uint64_t hash = reinterpret_cast<std::uintptr_t>(&branch) * 0x9E3779B97F4A7C15u;
  hash = (hash ^ (hash >> 32) ^ archetype.id()) * 0xD6E8FEB86659FD93u;
  return static_cast<std::size_t>(hash >> 32) & (entries_.size() - 1);
}

Table* TableMap::find(const Archetype& archetype, const Branch& branch) const noexcept {
  if (entries_.empty()) return nullptr;
  for (std::size_t i = home_of(archetype, branch);; i = next(i)) {
    Table* table = entries_[i];
    if (table == nullptr || (&table->archetype() == &archetype && &table->branch() == &branch)) return table;
  }
}

void TableMap::reserve(std::size_t additional) {
  if ((size_ + additional) * 4 <= entries_.size() * 3) return;
  const std::size_t wanted = std::max(entries_.size() * 2, std::bit_ceil((size_ + additional) * 2));
  resize(std::max<std::size_t>(16, wanted));
}

void TableMap::shrink() {
  const std::size_t wanted = size_ == 0 ? 0 : std::max<std::size_t>(16, std::bit_ceil(size_ * 2));
  if (wanted < entries_.size()) resize(wanted);
}

void TableMap::resize(std::size_t entries) {
  PlainList<Table*> other(entries_.memory());
  other.resize(entries);
  other.swap(entries_);
  size_ = 0;
  for (Table* table : other) {
    if (table != nullptr) insert(*table);
  }
}

void TableMap::insert(Table& table) noexcept {
  std::size_t i = home_of(table.archetype(), table.branch());
  while (entries_[i] != nullptr) i = next(i);
  entries_[i] = &table;
  ++size_;
}

void TableMap::erase(const Table& table) noexcept {
  std::size_t hole = home_of(table.archetype(), table.branch());
  while (entries_[hole] != &table) hole = next(hole);
  // The hole is the position that has become free. A later entry moves into the hole, unless its home (the position
  // where its probing begins) lies between the hole and the entry, or is the position of the entry itself. The array is
  // a ring: its first position follows the last one.
  for (std::size_t i = next(hole); entries_[i] != nullptr; i = next(i)) {
    const std::size_t home = home_of(entries_[i]->archetype(), entries_[i]->branch());
    const bool home_behind_hole = hole <= i ? (hole < home && home <= i) : (hole < home || home <= i);
    if (home_behind_hole) continue;
    entries_[hole] = entries_[i];
    hole = i;
  }
  entries_[hole] = nullptr;
  --size_;
}

}  // namespace strata::detail
