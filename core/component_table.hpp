// ComponentTable: a small hash table from component ids to values.
#pragma once

#include <bit>
#include <cstdint>
#include <memory_resource>
#include <string>
#include <type_traits>
#include <utility>

#include "component.hpp"
#include "memory_use.hpp"

namespace strata::detail {

/// A map from component ids to values: a hash table with open addressing. A world has thousands of these maps, and most
/// of them have few values or none. An array indexed by component id would take more memory, because it would be as
/// long as the highest id. An empty ComponentTable allocates nothing.
///
/// Invariants:
///   E1. The number of entries is a power of two, and at least one entry is free.
///   E2. No entry is free between the position at which the search for a component begins and the component's entry.
///
/// Threads: any number of readers, or one writer.
template <class Value>
class ComponentTable {
  static_assert(std::is_trivially_copyable_v<Value> && std::is_trivially_destructible_v<Value>);

 public:
  explicit ComponentTable(std::pmr::memory_resource* memory) : memory_(memory) {}
  ComponentTable(const ComponentTable&) = delete;
  ComponentTable& operator=(const ComponentTable&) = delete;
  ~ComponentTable() { free_entries(); }

  std::uint32_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  /// Returns: the address of the value that this table has for the component; null when it has none.
  /// Complexity: O(1).
  const Value* find(ComponentId id) const {
    for (std::uint32_t i = first_place(id);; i = (i + 1) & mask_) {
      if (entries_[i].id == kFree) return nullptr;
      if (entries_[i].id == id) return &entries_[i].value;
    }
  }

  /// Allocates room for `count` values in all, those in the table included.
  /// Errors: std::bad_alloc; nothing has changed then.
  void reserve(std::uint32_t count) {
    const std::uint32_t wanted = std::bit_ceil(count + count / 2 + 1);
    if (wanted > mask_ + 1) change_capacity(wanted);
  }

  /// Adds a component and its value.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Contract: the component is not in the table, and is not Registry::kUnknown, which marks free entries.
  /// Complexity: O(1) amortised.
  void insert(ComponentId id, Value value) {
    reserve(size_ + 1);
    place(id, value);
    ++size_;
  }

  MemoryUse memory_use() const {
    const std::size_t capacity = has_memory(mask_ + 1) ? mask_ + 1 : 0;
    return {size_ * sizeof(Entry), capacity * sizeof(Entry)};
  }

  /// Calls `visit(ComponentId, const Value&)` for each value. The order depends only on the calls that have filled the
  /// table, so it is the same on every machine.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::uint32_t i = 0; i <= mask_; ++i) {
      if (entries_[i].id != kFree) visit(entries_[i].id, entries_[i].value);
    }
  }

  /// Returns: the invariant that does not hold; empty when all do.
  std::string check_invariants() const {
    std::uint32_t in_use = 0;
    for (std::uint32_t i = 0; i <= mask_; ++i) {
      if (entries_[i].id == kFree) continue;
      ++in_use;
      for (std::uint32_t k = first_place(entries_[i].id); k != i; k = (k + 1) & mask_) {
        if (entries_[k].id == kFree) return "E2: a free entry precedes an entry on its probe path";
      }
    }
    const bool fits = std::has_single_bit(mask_ + 1) && in_use == size_ && in_use <= mask_;
    return fits ? "" : "E1: a table of components is full, or has lost an entry";
  }

 private:
  static constexpr ComponentId kFree{0xFFFF'FFFF};  // Registry::kUnknown, which is never in the table.

  struct Entry {
    ComponentId id = kFree;
    Value value{};
  };
  static constexpr Entry kNoEntry{};

  /// Returns: whether a table of this capacity has allocated an array. Before a table allocates one, its `entries_`
  /// points to the constant `kNoEntry`, and its capacity is 1. Comparing `entries_` to `&kNoEntry` would not
  /// work, because another copy of the library, with a `kNoEntry` of its own, may have made the table.
  static constexpr bool has_memory(std::uint32_t capacity) { return capacity > 1; }

  /// Returns: the index of the first entry to probe for a component. The components of one archetype may have ids at a
  /// regular distance, such as every 64th id. Without the multiplication, the searches for these ids would all begin at
  /// the same few entries.
  std::uint32_t first_place(ComponentId id) const {
    return static_cast<std::uint32_t>(to_index(id) * 0x9E37'79B9'7F4A'7C15u >> 32) & mask_;
  }

  void place(ComponentId id, Value value) noexcept {
    std::uint32_t i = first_place(id);
    while (entries_[i].id != kFree) i = (i + 1) & mask_;
    entries_[i] = {id, value};
  }

  void change_capacity(std::uint32_t capacity) {
    auto* const entries = static_cast<Entry*>(memory_->allocate(capacity * sizeof(Entry), alignof(Entry)));
    for (std::uint32_t i = 0; i < capacity; ++i) ::new (static_cast<void*>(entries + i)) Entry;
    Entry* const before = std::exchange(entries_, entries);
    const std::uint32_t last = std::exchange(mask_, capacity - 1);
    for (std::uint32_t i = 0; i <= last; ++i) {
      if (before[i].id != kFree) place(before[i].id, before[i].value);
    }
    free_entries(before, last + 1);
  }

  void free_entries() noexcept { free_entries(entries_, mask_ + 1); }
  void free_entries(Entry* entries, std::uint32_t capacity) noexcept {
    if (has_memory(capacity)) memory_->deallocate(entries, capacity * sizeof(Entry), alignof(Entry));
  }

  std::pmr::memory_resource* memory_;
  Entry* entries_ = const_cast<Entry*>(&kNoEntry);  // `insert` allocates before it writes.
  std::uint32_t mask_ = 0;
  std::uint32_t size_ = 0;
};

}  // namespace strata::detail
