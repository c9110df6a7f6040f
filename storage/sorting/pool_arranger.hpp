// PoolArranger: moves the members of a pool (sparse set) to other positions, for all functions that sort
// pools.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>

#include "../../core/compiler.hpp"
#include "../side_store/sparse_pool.hpp"

namespace strata::detail {

/// Reorders the members of one pool, together with their values. In a stable pool (see SparsePool), sorting moves no
/// values: each member has the number of the row in which its value stays, and these numbers are reordered instead. All
/// functions that sort a pool use this class. If a comparison throws, these functions undo their changes by calling
/// noexcept functions of this class.
class PoolArranger {
 public:
  /// Allocates temporary memory for one value, if values have more than kHeldBytes bytes or an alignment above 64. For
  /// other values, an array inside this object is used.
  /// Errors: std::bad_alloc.
  STRATA_API explicit PoolArranger(SparsePool& pool);
  PoolArranger(const PoolArranger&) = delete;
  PoolArranger& operator=(const PoolArranger&) = delete;
  STRATA_API ~PoolArranger();

  const SparsePool& pool() const { return pool_; }
  std::pmr::memory_resource* memory() const { return pool_.memory(); }

  /// Exchanges the members at two positions, with their values.
  /// Contract: `a` and `b` are below pool().size().
  STRATA_API void swap(std::uint32_t a, std::uint32_t b) noexcept;

  /// Returns: the greatest number of members that the shorter of the two ranges of `rotate` may have. `rotate` copies
  /// the shorter range to temporary memory, which has room for this number.
  std::uint32_t room() const { return room_; }

  /// Exchanges the ranges of positions [first, middle) and [middle, last), like std::rotate; values move
  /// along.
  /// Contract: first < middle < last <= pool().size(), and the shorter of the two ranges is not longer than
  /// room().
  /// Complexity: O(last - first); each member and value moves once, the values of the shorter range twice.
  STRATA_API void rotate(std::uint32_t first, std::uint32_t middle, std::uint32_t last) noexcept;

  /// Moves the member at position order[i] to position i, for every i, with its value. Overwrites `order`.
  /// Errors: std::bad_alloc; nothing has moved then.
  /// Contract: `order` contains every position once.
  STRATA_API void arrange(std::span<std::uint32_t> order);

  // To sort in place: permute members() in any way. Then call follow_members, which moves the values to the
  // new order, or restore_members, which undoes the permutation. In between, the pool must not be used for
  // look-ups: its index still has the positions of the old order.

  /// Returns: the dense array of members. The caller may permute it before follow_members or restore_members.
  std::span<Entity> members() noexcept { return {pool_.entities_.data(), pool_.size()}; }
  /// Returns: the value of a member, also after the caller has permuted `members`: the value is still at the member's
  /// old position, and the index of the pool still has that position.
  void* value_before(Entity member) const noexcept {
    return pool_.value_at(pool_.index_.find(member.index()));
  }

  /// Moves each value to the position to which the caller has moved its member in `members`, and updates the
  /// index. Follows the cycles of the permutation: each value moves once, and one value of every cycle twice.
  STRATA_API void follow_members() noexcept;
  /// Undoes the caller's permutation of `members`: moves each member back to its old position, where its
  /// value is.
  STRATA_API void restore_members() noexcept;

 private:
  static constexpr std::size_t kHeldBytes = 1024;
  static constexpr std::uint32_t kMostHeld = kHeldBytes / sizeof(Entity);

  // In the private functions, `value` means the data that move along with a member. This is usually the member's value.
  // In a stable pool (see Removal), values stay where they are, and the number of the value's row moves instead.

  bool has_values() const { return size_ != 0; }
  void* value_at(std::uint32_t position) const noexcept {
    return pool_.stable_ ? pool_.slots_.rows() + position : pool_.value_at(position);
  }
  std::uint32_t together(std::uint32_t position) const noexcept {
    return pool_.stable_ ? SparsePool::kAbsent : pool_.values_together(position);
  }
  std::uint32_t together_up_to(std::uint32_t position) const noexcept {
    return pool_.stable_ ? position + 1 : pool_.values_.row_in_page(position) + 1;
  }
  void relocate(void* to, void* from) noexcept {
    if (is_plain_) return copy_bytes(to, from, size_);
    pool_.component_.relocate_values(to, from, 1);
  }
  std::byte* held(std::uint32_t i) noexcept { return held_ + i * size_; }
  void enter(std::uint32_t first, std::uint32_t last) noexcept;

  bool passes_one(std::uint32_t first, std::uint32_t middle, std::uint32_t last) const noexcept;
  void pass_one_value(std::uint32_t first, std::uint32_t count, bool last_goes_first) noexcept;
  void rotate_values(std::uint32_t first, std::uint32_t middle, std::uint32_t last) noexcept;
  void shift_down(std::uint32_t from, std::uint32_t to, std::uint32_t count) noexcept;
  void shift_up(std::uint32_t from, std::uint32_t to, std::uint32_t count) noexcept;

  bool gathers() const;
  void gather(std::span<const std::uint32_t> order);
  void gather_values(std::span<const std::uint32_t> order, std::byte* to) const noexcept;
  void follow_order(std::span<std::uint32_t> order) noexcept;
  void rotate_members(std::span<const std::uint32_t> order, std::uint32_t start) noexcept;

  // Memory for temporary values. Not initialised, because this would take time in every call of sort_pool_step, which
  // makes a PoolArranger.
  alignas(64) std::array<std::byte, kHeldBytes> near_;
  std::byte* held_ = near_.data();  // For temporary values: `near_`, or allocated if that is too small.
  SparsePool& pool_;
  std::size_t size_;  // The size of a value in bytes; 0 if the pool has no values.
  std::size_t alignment_;
  bool is_plain_;  // Whether a move of values copies their bytes.
  std::uint32_t room_;
};

}  // namespace strata::detail
