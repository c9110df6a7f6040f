// MemoryRegions, AddressRange: find out whether an address lies in memory that a world has allocated.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory_resource>

#include "owned.hpp"

namespace strata::detail {

/// A range of addresses that covers every memory region passed to `extend`; the range never shrinks. It serves as a
/// fast first check: an address on the stack usually lies outside of the range, so MemoryRegions need not be searched.
class AddressRange {
 public:
  void extend(const void* begin, std::size_t bytes) noexcept {
    const auto first = reinterpret_cast<std::uintptr_t>(begin);
    first_ = std::min(first_, first);
    end_ = std::max(end_, first + bytes);
  }

  bool contains(const void* address) const noexcept {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    return first_ <= at && at < end_;
  }

 private:
  std::uintptr_t first_ = ~std::uintptr_t{0};
  std::uintptr_t end_ = 0;
};

/// A set of memory regions that do not overlap. It finds out whether an address lies in one of them. A world
/// uses it to refuse values that lie in its own memory, where a structural change could move them.
class MemoryRegions {
 public:
  explicit MemoryRegions(std::pmr::memory_resource* memory);
  MemoryRegions(const MemoryRegions&) = delete;
  MemoryRegions& operator=(const MemoryRegions&) = delete;
  ~MemoryRegions();

  /// Adds a region.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Contract: the region overlaps no region of the set.
  /// Complexity: O(log regions).
  void add(const void* begin, std::size_t bytes);

  /// Removes the region that begins at `begin`.
  /// Contract: the set has such a region.
  /// Complexity: O(log regions).
  void remove(const void* begin) noexcept;

  /// Exchanges two regions of the same size between two sets: the region of this set that begins at `own` moves to
  /// `other`, and the region of `other` that begins at `others` moves to this set.
  /// Contract: each of the two sets has the region that it gives away.
  /// Complexity: O(log regions of both sets); never allocates.
  void exchange(const void* own, MemoryRegions& other, const void* others) noexcept;

  /// Returns: whether the address lies in a region.
  /// Complexity: O(log regions).
  bool contains(const void* address) const noexcept;

  std::size_t size() const noexcept;

  /// Returns: the sum of the sizes of all regions, in bytes.
  /// Complexity: O(regions).
  std::size_t bytes() const noexcept;

  /// Returns: an estimate of the memory that this object has allocated, in bytes: each node of its std::map, which is a
  /// red-black tree, has three links, a colour and a region.
  std::size_t reserved() const noexcept { return size() * (4 * sizeof(void*) + 2 * sizeof(std::size_t)); }

 private:
  struct Map;  // Maps the address of a region's first byte to the size of the region.

  Owned<Map> bytes_by_begin_;
};

}  // namespace strata::detail
