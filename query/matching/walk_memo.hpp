// WalkMemo: what long walks upwards have found, for one iteration.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <vector>

#include "../../core/component.hpp"

namespace strata::detail {

/// A flat hash table from entity indices, and the component that was looked for, to where it was found. Has
/// no memory until something is remembered.
///
/// Contract: used while no structural change happens.
class WalkMemo {
 public:
  explicit WalkMemo(std::pmr::memory_resource* memory) : entries_(memory) {}

  std::size_t size() const { return size_; }

  /// Returns: whether something is remembered; `value` is set then, to null where the walk found none.
  bool find(std::uint32_t node, ComponentId id, const void*& value) const {
    return size_ != 0 && find_key(key_of(node, id), value);
  }

  /// Remembers what a walk from `node` finds.
  /// Errors: std::bad_alloc; nothing has changed then.
  void insert(std::uint32_t node, ComponentId id, const void* value);

 private:
  struct Entry {
    std::uint64_t key = kFree;
    const void* value = nullptr;
  };
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};  // No component has the last id.

  static std::uint64_t key_of(std::uint32_t node, ComponentId id) {
    return std::uint64_t{to_index(id)} << 32 | node;
  }
  bool find_key(std::uint64_t key, const void*& value) const;
  std::size_t position_of(std::uint64_t key) const;
  void grow();

  std::pmr::vector<Entry> entries_;  // A power of two, at most half of them in use.
  std::size_t size_ = 0;
};

}  // namespace strata::detail
