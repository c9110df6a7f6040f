// The part of SparsePool that copies, compares and exchanges the members of whole pools.
#include <algorithm>
#include <cstring>
#include <utility>

#include "../../core/rollback.hpp"
#include "sparse_pool.hpp"

namespace strata::detail {

SparsePool::SparsePool(const SparsePool& other, std::pmr::memory_resource* memory)
    : index_(other.index_, memory),
      entities_(memory),
      stable_(other.stable_),
      on_erase_(other.on_erase_),
      values_(other.component_, memory),
      slots_(values_, memory),
      component_(other.component_),
      id_(other.id_),
      dead_(nullptr),
      swap_space_(memory) {}

/// Calls `visit(position, count)` for runs of positions, from `first` on, whose values are adjacent in this pool and
/// also in `other`, a pool with the same members. `visit` returns whether to continue.
template <class Visit>
void SparsePool::for_each_run(const SparsePool& other, std::uint32_t first, Visit visit) const {
  while (first < size_) {
    const std::uint32_t count =
        std::min({size_ - first, values_together(first), other.values_together(first)});
    if (!visit(first, count)) return;
    first += count;
  }
}

void SparsePool::assign(const SparsePool& other) {
  std::uint32_t built = 0;
  Rollback undo([&] {
    for (std::uint32_t position = 0; position < built; ++position)
      component_.destroy_values(value_at(position), 1);
    abandon();
  });
  for (const Entity entity : other.entities()) insert(entity);
  if (!component_.is_tag()) {
    for_each_run(other, 0, [&](std::uint32_t first, std::uint32_t count) {
      component_.copy_values(value_at(first), other.value_at(first), count);
      built = first + count;
      return true;
    });
  }
  undo.dismiss();
  arranged_ = other.arranged_;
  sort_progress_ = other.sort_progress_;
  displacements_ = other.displacements_;
}

void SparsePool::swap(SparsePool& other) noexcept {
  index_.swap(other.index_);
  entities_.swap(other.entities_);
  std::swap(size_, other.size_);
  std::swap(room_, other.room_);
  std::swap(too_much_room_at_, other.too_much_room_at_);
  std::swap(arranged_, other.arranged_);
  values_.swap(other.values_);
  slots_.swap(other.slots_);
  swap_space_.swap(other.swap_space_);
  std::swap(sort_progress_, other.sort_progress_);
  // `displacements_` counts the calls that may have changed positions of members. Readers compare it with an earlier
  // count to find out whether positions have changed, so it must never return to an earlier value. `sort_progress_`,
  // the state of an incremental sort, has a copy of the count from the last step of the sort. The copy is increased by
  // the same number, so the sort still finds out whether positions have changed since that step.
  const std::uint32_t next = std::max(displacements_, other.displacements_) + 1;
  sort_progress_.displacements += next - other.displacements_;
  displacements_ = next;
}

void SparsePool::copy_values_from(const SparsePool& other) noexcept {
  if (component_.is_tag()) return;
  for_each_run(other, 0, [&](std::uint32_t first, std::uint32_t count) {
    std::memcpy(value_at(first), other.value_at(first), count * component_.size);
    return true;
  });
}

bool SparsePool::has_members_of(const SparsePool& other) const noexcept {
  return std::ranges::equal(entities(), other.entities()) && arranged_ == other.arranged_;
}

bool SparsePool::has_values_of(const SparsePool& other) const noexcept {
  bool equal = true;
  if (component_.is_tag()) return equal;
  for_each_run(other, 0, [&](std::uint32_t first, std::uint32_t count) {
    equal = std::memcmp(value_at(first), other.value_at(first), count * component_.size) == 0;
    return equal;
  });
  return equal;
}

}  // namespace strata::detail
