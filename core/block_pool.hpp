// BlockPool: where blocks and tables get their memory, per world, over a replaceable allocator.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <string>
#include <vector>

namespace strata {

/// Memory in size classes, four per doubling: small pieces are carved from slabs and recycled through free
/// lists, large ones go to the upstream resource one by one.
///
/// Invariants:
///   P1. Every piece on a free list lies in a slab, aligned, and no two overlap.
///   P2. The bytes in use, on free lists and not carved yet are the bytes taken from upstream.
///
/// Threads: one at a time.
class BlockPool {
 public:
  static constexpr std::size_t kAlignment = 64;

  explicit BlockPool(std::pmr::memory_resource* upstream) : upstream_(upstream), slabs_(upstream) {}
  BlockPool(const BlockPool&) = delete;
  BlockPool& operator=(const BlockPool&) = delete;
  ~BlockPool();

  /// Returns: the size, at least `bytes`, that an allocation of `bytes` really gets.
  static std::size_t rounded(std::size_t bytes);

  /// Returns: memory of `rounded(bytes)` bytes, aligned to 64 bytes or to `alignment` if that is more.
  /// Errors: std::bad_alloc of the upstream resource; nothing has changed then.
  /// Complexity: O(1).
  void* allocate(std::size_t bytes, std::size_t alignment = kAlignment);

  /// Takes back what `allocate` gave for the same arguments.
  void deallocate(void* piece, std::size_t bytes, std::size_t alignment = kAlignment) noexcept;

  std::size_t bytes_in_use() const { return bytes_in_use_; }

  /// Returns: the first invariant that does not hold, as a sentence; empty when all do.
  std::string check_invariants() const;

 private:
  static constexpr std::size_t kFirstSlab = 4 * 1024;
  static constexpr std::size_t kMaxSlab = 256 * 1024;

  struct FreePiece {
    FreePiece* next;
  };
  struct Slab {
    std::byte* begin;
    std::size_t bytes;
  };

  static std::size_t class_of(std::size_t rounded_bytes);
  void* carve(std::size_t bytes);
  void retire_remainder() noexcept;

  std::pmr::memory_resource* upstream_;
  std::pmr::vector<Slab> slabs_;
  std::array<FreePiece*, 40> free_{};
  std::byte* cursor_ = nullptr;  // The part of the newest slab that is not carved yet.
  std::size_t remaining_ = 0;
  std::size_t bytes_in_use_ = 0;
  std::size_t bytes_large_ = 0;
};

}  // namespace strata
