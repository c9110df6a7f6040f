// PoolArranger: moves the members of a pool to other positions, for all functions that sort pools.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>

#include "../side_store/sparse_pool.hpp"

namespace strata::detail {

/// The only class that changes the order of a pool's members. It also moves what is kept in this order: the
/// values or, in a stable pool, their rows. Its functions that cannot fail may be used to undo earlier steps.
class PoolArranger {
 public:
  /// Makes room for a value that is moved.
  /// Errors: std::bad_alloc.
  explicit PoolArranger(SparsePool& pool);
  PoolArranger(const PoolArranger&) = delete;
  PoolArranger& operator=(const PoolArranger&) = delete;
  ~PoolArranger();

  const SparsePool& pool() const { return pool_; }
  std::pmr::memory_resource* memory() const { return pool_.memory(); }

  /// Contract: `a` and `b` are below size().
  void swap(std::uint32_t a, std::uint32_t b) noexcept;

  /// Returns: the number of members that `rotate` can hold temporarily.
  std::uint32_t room() const { return room_; }

  /// Moves the members from `middle` to `last` before those from `first` to `middle`.
  /// Contract: first < middle < last <= size(), and the shorter of the two ranges fits into room().
  /// Complexity: O(last - first); each member and value moves once, the values of the shorter range twice.
  void rotate(std::uint32_t first, std::uint32_t middle, std::uint32_t last) noexcept;

  /// Moves the member at order[i] to position i, for every i. Overwrites `order`.
  /// Errors: std::bad_alloc; nothing has moved then.
  /// Contract: `order` contains every position once.
  void arrange(std::span<std::uint32_t> order);

  // In place: permute members() in any way, then either follow the permutation or restore the members. In
  // between, the pool must not be used for look-ups: its entries are those of the old order.

  std::span<Entity> members() noexcept { return {pool_.entities_.data(), pool_.size()}; }
  void* value_before(Entity member) const noexcept {
    return pool_.value_at(pool_.index_.find(member.index()));
  }

  /// Moves each value to the position of its member, cycle by cycle: once, and one value of every cycle
  /// twice.
  void follow_members() noexcept;
  void restore_members() noexcept;

 private:
  static constexpr std::size_t kHeldBytes = 1024;
  static constexpr std::uint32_t kMostHeld = kHeldBytes / sizeof(Entity);

  // The data that move with the members, called values here.

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

  alignas(64) std::array<std::byte, kHeldBytes> near_;  // Not initialised: created for every step.
  std::byte* held_ = near_.data();  // Temporary values; points elsewhere if they are too large.
  SparsePool& pool_;
  std::size_t size_;  // Of a value, in bytes; 0 if there are none.
  std::size_t alignment_;
  bool is_plain_;  // Whether a move of values copies their bytes.
  std::uint32_t room_;
};

}  // namespace strata::detail
