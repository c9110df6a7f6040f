// WalkMemo: a cache, kept during one iteration, of the results of searches for the nearest ancestor that has a
// component.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>

#include "../../core/component.hpp"
#include "../../core/plain_list.hpp"

namespace strata::detail {

/// A cache of searches for the nearest ancestor that has a component, or for the nearest entity along another relation
/// (see `relation_key`). It is a hash table. A key consists of the slot index of the entity at which a search started,
/// and of the component's id, or of an id that `membership_key` or `relation_key` returns in its place. The value is a
/// pointer to the component's value that the search found; null if it found none. Memory is allocated by the first
/// insertion.
///
/// Contract: no structural change while the memo is in use.
class WalkMemo {
 public:
  /// A step of a search goes from an entity to its parent. A search of more than kLongWalk steps stores its result for
  /// each kMemoStride-th entity on its way. A search looks for such results only after kFreshSteps steps, because most
  /// searches end earlier.
  static constexpr std::uint32_t kLongWalk = 32;
  static constexpr std::uint32_t kMemoStride = 16;
  static constexpr std::uint32_t kFreshSteps = 8;

  explicit WalkMemo(std::pmr::memory_resource* memory) : entries_(memory) {}

  std::size_t size() const { return size_; }

  /// Returns: the id to pass to `find` and `insert` instead of the component's id, for searches that only test whether
  /// an ancestor has the component. So the memo keeps their results apart from the results of searches for the
  /// component's value.
  static ComponentId membership_key(ComponentId id) { return ComponentId{to_index(id) | 0x8000'0000}; }

  /// Returns: the id to pass to `find` and `insert` instead of the component's id, for the searches of a term that
  /// follows a relation other than the one to the parent. So the memo keeps results of different relations apart.
  /// `term` is the position of the term in the query.
  static ComponentId relation_key(std::size_t term) {
    return ComponentId{0x4000'0000 | static_cast<std::uint32_t>(term)};
  }

  /// Looks up the result of an earlier search for component `id` that started at the entity with slot index
  /// `node`. If there is one, sets `value` to it: a pointer to the component's value, or null if that search
  /// found no ancestor with the component.
  /// Returns: whether there is such a result.
  bool find(std::uint32_t node, ComponentId id, const void*& value) const {
    return size_ != 0 && find_key(key_of(node, id), value);
  }

  /// Stores `value` as the result of the search for component `id` that started at the entity with slot index
  /// `node`, in place of an earlier result. A null `value` means that no ancestor has the component.
  /// Errors: std::bad_alloc; the memo is unchanged if that is thrown.
  void insert(std::uint32_t node, ComponentId id, const void* value);

 private:
  struct Entry {
    std::uint64_t key = kFree;
    const void* value = nullptr;
  };
  // Marks a free entry. No search has this key, because no component has the highest id.
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};

  static std::uint64_t key_of(std::uint32_t node, ComponentId id) {
    return std::uint64_t{to_index(id)} << 32 | node;
  }
  bool find_key(std::uint64_t key, const void*& value) const;
  std::size_t position_of(std::uint64_t key) const;
  void grow();

  PlainList<Entry> entries_;  // The size is a power of two; at most half is in use.
  std::size_t size_ = 0;
};

}  // namespace strata::detail
