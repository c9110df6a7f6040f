// The part of SparsePool that removes members.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "sparse_pool.hpp"

namespace strata::detail {

/// The size of values in bytes up to which SparsePool::erase_as copies the last member's value to the free position by
/// inline code. For larger values, it calls a function.
inline constexpr std::size_t kCopiedInline = 64;

/// What SparsePool::erase passes as `before` to `erase_by`: a function that does nothing.
inline constexpr auto kNothingBefore = [](std::uint32_t) {};

template <class Before, class Vacate>
STRATA_ALWAYS_INLINE inline bool SparsePool::erase_by(Entity entity, Before before,
                                                      Vacate vacate_value) noexcept {
  const PagedIndex::Spot spot = index_.locate(entity.index());
  const std::uint32_t position = spot.position();
  if (position == kAbsent || entities_[position] != entity) return false;
  before(position);
  if (on_erase_ == OnErase::general) [[unlikely]] {
    erase_object(spot, position);
    return true;
  }
  const std::uint32_t last = size_ - 1;
  if (last == 0) [[unlikely]]
    arranged_ = false;
  vacate_value(position, last);
  if (position != last) place(position, entities_[last]);
  size_ = last;
  ++displacements_;
  index_.leave(spot);
  if (last == too_much_room_at_) [[unlikely]]
    release_last_page();
  return true;
}

inline bool SparsePool::erase(Entity entity) noexcept {
  return erase_by(entity, kNothingBefore, [this](std::uint32_t position, std::uint32_t last) {
    if (on_erase_ != OnErase::nothing && position != last) relocate_hidden(position, last);
  });
}

template <class T, class Before>
STRATA_ALWAYS_INLINE inline bool SparsePool::erase_as(Entity entity, Before before) noexcept {
  return erase_by(entity, before, [&](std::uint32_t position, std::uint32_t last) {
    if constexpr (!is_tag<T>) {
      if (sizeof(T) <= kCopiedInline && on_erase_ == OnErase::copy_last) [[likely]] {
        if (position != last) copy_value<T>(position, last);
      } else if (position != last) {
        relocate_hidden(position, last);
      }
    }
  });
}

template <class T>
STRATA_ALWAYS_INLINE inline bool SparsePool::erase_as(Entity entity) noexcept {
  return erase_as<T>(entity, kNothingBefore);
}

template <class T>
inline void SparsePool::copy_value(std::uint32_t to, std::uint32_t from) noexcept {
  std::memcpy(static_cast<void*>(values_.at_as<T>(to)), values_.at_as<T>(from), sizeof(T));
}

}  // namespace strata::detail
