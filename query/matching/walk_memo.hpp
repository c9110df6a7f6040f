// WalkMemo: results of long walks to ancestors, for one iteration.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <vector>

#include "../../core/component.hpp"

namespace strata::detail {

/// A cache of searches for the nearest ancestor that has a component. It is a hash table: the key is an
/// entity index and a component, the value is a pointer to the component's value that the search found. It
/// allocates at the first insertion.
///
/// Contract: no structural change while it is in use.
class WalkMemo {
 public:
  explicit WalkMemo(std::pmr::memory_resource* memory) : entries_(memory) {}

  std::size_t size() const { return size_; }

  /// Returns: whether an entry exists. If so, `value` is set to it; null means that the walk found nothing.
  bool find(std::uint32_t node, ComponentId id, const void*& value) const {
    return size_ != 0 && find_key(key_of(node, id), value);
  }

  /// Stores the result of a walk from `node`.
  /// Errors: std::bad_alloc; nothing has changed then.
  void insert(std::uint32_t node, ComponentId id, const void* value);

 private:
  struct Entry {
    std::uint64_t key = kFree;
    const void* value = nullptr;
  };
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};  // The highest id is not used by any component.

  static std::uint64_t key_of(std::uint32_t node, ComponentId id) {
    return std::uint64_t{to_index(id)} << 32 | node;
  }
  bool find_key(std::uint64_t key, const void*& value) const;
  std::size_t position_of(std::uint64_t key) const;
  void grow();

  std::pmr::vector<Entry> entries_;  // The size is a power of two; at most half is in use.
  std::size_t size_ = 0;
};

}  // namespace strata::detail
