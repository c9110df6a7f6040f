// BlockPool: allocates the memory of a world's tables and of the blocks in which their rows are stored. It gets this
// memory from a std::pmr::memory_resource.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "memory_regions.hpp"
#include "memory_use.hpp"
#include "plain_list.hpp"

namespace strata::detail {

/// The memory allocator of a world's blocks and tables. It rounds requests up to size classes, four for each
/// doubling of the size. Pieces of up to 16 KiB are cut from slabs, which are larger allocations of the
/// upstream allocator, and recycled through a free list for each size. Larger pieces, and those aligned to
/// more than 64 bytes, are allocated upstream one by one.
///
/// If the free list of a size is empty, a larger free piece is cut. If there is none, neighbouring free pieces are
/// merged, provided that at least a sixteenth of the slabs' bytes is free and at least a sixteenth was freed since the
/// last merge. If there still is no piece, another slab is allocated. A merge also runs when the bytes in use fall
/// below a quarter of what they were at the last merge or at the last allocation of a slab. A merge gives wholly
/// free slabs back to the upstream allocator, but keeps one of them, and keeps at least half as much free memory as is
/// in use. All these decisions depend on the sequence of calls alone, never on addresses.
///
/// Invariants:
///   P1. Every piece on a free list has the size of its list (see kRegions for the list of pieces of several sizes) and
///       lies aligned within one slab; no two overlap.
///   P2. The bytes in use in slabs and the bytes on free lists add up to the bytes of all slabs.
///   P3. The slabs are listed in the order in which they were allocated, and none overlaps another.
///   P4. The list of large pieces contains exactly the large pieces in use.
///
/// Threads: one at a time.
class BlockPool {
 public:
  static constexpr std::size_t kAlignment = 64;

  explicit BlockPool(std::pmr::memory_resource* upstream)
      : upstream_(upstream), slabs_(upstream), large_(upstream) {}
  BlockPool(const BlockPool&) = delete;
  BlockPool& operator=(const BlockPool&) = delete;
  ~BlockPool();

  /// Returns: the size of the allocation that a request for `bytes` gets.
  static constexpr std::size_t rounded(std::size_t bytes) {
    const std::size_t last = bytes - (bytes != 0);
    const int shift = step_shift(last);
    return ((last >> shift) + 1) << shift;
  }

  /// Returns: memory of `rounded(bytes)` bytes, aligned to 64 bytes or to `alignment` if that is more. It is a piece of
  /// a slab; if `bytes` > kMaxPooled or `alignment` > kAlignment, it comes from the upstream resource directly.
  /// Errors: std::bad_alloc of the upstream resource; pieces in use are not affected.
  /// Complexity: for pieces from slabs, amortised O(log slabs), because free pieces are merged at times; O(1) for a
  /// call without a merge. For pieces that are allocated upstream, O(log large pieces), plus the call of the upstream
  /// resource.
  void* allocate(std::size_t bytes, std::size_t alignment = kAlignment) {
    const std::size_t size = rounded(bytes);
    if (bytes > kMaxPooled || alignment > kAlignment) [[unlikely]]
      return allocate_upstream(size, alignment);
    FreePiece*& first = free_[class_of(size)];
    if (first == nullptr) [[unlikely]]
      return allocate_by_cutting(size);
    bytes_pooled_ += size;
    return std::exchange(first, first->next);
  }

  /// Frees memory that `allocate` returned.
  /// Contract: `bytes` and `alignment` are the arguments of that call.
  /// Complexity: that of `allocate`.
  void deallocate(void* piece, std::size_t bytes, std::size_t alignment = kAlignment) noexcept {
    const std::size_t size = rounded(bytes);
    if (bytes > kMaxPooled || alignment > kAlignment) [[unlikely]]
      return deallocate_upstream(piece, size, alignment);
    FreePiece*& first = free_[class_of(size)];
    first = ::new (piece) FreePiece{first, size};
    bytes_freed_ += size;
    bytes_pooled_ -= size;
    if (bytes_pooled_ < shrink_below_) [[unlikely]]
      merge();
  }

  /// Returns: whether pieces of `bytes` bytes can be exchanged with those of another pool. They can if `bytes` is
  /// greater than kMaxPooled, so that each piece is an allocation of its own, and the memory resources of the
  /// pools are equal.
  bool can_exchange(const BlockPool& other, std::size_t bytes) const noexcept {
    return bytes > kMaxPooled && upstream_->is_equal(*other.upstream_);
  }
  /// Exchanges two pieces of the same size between two pools: `own`, a piece of this pool, then belongs to `other`, and
  /// `others`, a piece of `other`, then belongs to this pool. Each piece has to be deallocated in the pool to which it
  /// then belongs. In this way, a world hands a block to another world without moving the values in the block.
  /// Contract: `bytes` is the size of both pieces, and `can_exchange(other, bytes)` returns true.
  /// Complexity: O(log large pieces); never allocates.
  void exchange(void* own, BlockPool& other, void* others, std::size_t bytes) noexcept;

  /// Returns: whether an address lies in a slab or a large piece that this pool holds now.
  /// Complexity: O(1) outside of the address range that the pool has used so far; O(slabs + log large pieces)
  /// inside.
  bool holds(const void* address) const noexcept;

  std::size_t bytes_in_use() const { return bytes_pooled_ + bytes_large_; }
  MemoryUse memory_use() const { return {bytes_in_use(), bytes_slabs_ + bytes_large_ + large_.reserved()}; }

  /// Merges neighbouring free pieces, and gives every slab that is wholly free back to the upstream allocator.
  /// Other merges keep some of these slabs as a reserve; this function keeps none.
  /// Complexity: O(free pieces * log slabs).
  void shrink() noexcept;

  /// Returns: the first invariant that does not hold, as a sentence; empty when all do.
  std::string check_invariants() const;

 private:
  static constexpr std::size_t kFirstSlab = 4 * 1024;
  static constexpr std::size_t kMaxSlab = 256 * 1024;
  // The size of the largest pieces that are cut from slabs, in bytes. Larger pieces are allocated upstream one by one.
  static constexpr std::size_t kMaxPooled = 16 * 1024;
  static constexpr std::size_t kClasses = 28;  // Size classes: 8 up to 512 bytes, then 4 for each doubling.
  // The index in `free_` of the list of pieces larger than `kMaxPooled`. Exception: the first piece of this list may
  // have any size, because it may be what is left of a larger piece that was cut.
  static constexpr std::size_t kRegions = kClasses;

  struct FreePiece {
    FreePiece* next;
    std::size_t bytes;
  };
  using Span = std::pair<const std::byte*, std::size_t>;
  struct Slab {
    std::byte* begin;
    std::size_t bytes;
    std::uint64_t number;         // Slabs are numbered in the order in which they were allocated.
    FreePiece* pieces = nullptr;  // During a merge: the free pieces in this slab.
    std::size_t free_bytes = 0;   // During a merge: the bytes of all free pieces in this slab.

    bool holds(const void* piece) const {
      return reinterpret_cast<std::uintptr_t>(piece) - reinterpret_cast<std::uintptr_t>(begin) < bytes;
    }
  };

  /// `rounded` rounds the size of a request up to a multiple of a step. `last` is that size in bytes, minus 1. For
  /// requests of up to 512 bytes and of more than `kMaxPooled` (16 KiB), the step is 64 bytes. For all others, it is a
  /// quarter of the largest power of two that is not greater than `last`.
  /// Returns: log2 of the step.
  static constexpr int step_shift(std::size_t last) {
    return last < kMaxPooled ? static_cast<int>(std::bit_width(last | 511)) - 3 : 6;
  }
  /// Returns: the index in `free_` of the free list for pieces of `size` bytes.
  /// Contract: `size` is a result of `rounded`, at most `kMaxPooled`.
  static constexpr std::size_t class_of(std::size_t size) {
    const int shift = step_shift(size - 1);
    return static_cast<std::size_t>(shift - 6) * 4 + ((size - 1) >> shift);
  }

  void* allocate_upstream(std::size_t size, std::size_t alignment);
  void deallocate_upstream(void* piece, std::size_t size, std::size_t alignment) noexcept;
  void* allocate_by_cutting(std::size_t size);
  void* cut(std::size_t size) noexcept;
  void* cut_region(std::size_t size) noexcept;
  void put(std::byte* begin, std::size_t bytes) noexcept;
  void take_slab(std::size_t least);
  bool merging_pays() const;
  enum class Reserve : bool { given_back, kept };
  void merge(Reserve reserve = Reserve::kept) noexcept;
  void hand_pieces_to_slabs() noexcept;
  Slab& slab_of(const FreePiece* piece) noexcept;
  void put_merged(const Slab& slab) noexcept;
  bool is_spare(const Slab& slab) const;
  std::string check_lists(std::vector<Span>& pieces) const;

  std::pmr::memory_resource* upstream_;
  PlainList<Slab> slabs_;
  MemoryRegions large_;  // The pieces in use that were allocated upstream one by one.
  AddressRange range_;   // Covers all slabs and large pieces that the pool has ever had.
  std::array<FreePiece*, kClasses + 1> free_{};
  std::size_t bytes_pooled_ = 0;  // The bytes in use in slabs.
  std::size_t bytes_large_ = 0;   // The bytes of the pieces in `large_`.
  std::size_t bytes_slabs_ = 0;   // The bytes of all slabs, in use or free.
  std::size_t bytes_freed_ = 0;   // The bytes that were freed in slabs since the last merge.
  std::size_t shrink_below_ = 0;  // A merge runs when fewer bytes than this are in use in slabs.
  std::uint64_t slabs_taken_ = 0;
};

}  // namespace strata::detail
