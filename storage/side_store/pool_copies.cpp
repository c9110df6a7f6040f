#include "pool_copies.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "../../core/rollback.hpp"

namespace strata::detail {
namespace {

/// Splits the positions of two pools with the same members, in the same order, into runs. The values of a run are
/// adjacent in memory in both pools. Calls `visit(position, count)` for each run; `visit` returns whether to continue.
/// Does nothing if the component is a tag.
template <class Visit>
void for_each_run(const SparsePool& a, const SparsePool& b, Visit visit) {
  if (a.component().is_tag()) return;
  for (std::uint32_t first = 0; first < a.size();) {
    const std::uint32_t count =
        std::min({a.size() - first, a.values_together(first), b.values_together(first)});
    if (!visit(first, count)) return;
    first += count;
  }
}

}  // namespace

// Besides the functions of pool_copies.hpp, which are at the end, this file contains the functions of SparsePool that
// make, copy and exchange whole pools.

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

void SparsePool::assign(const SparsePool& other) {
  std::uint32_t built = 0;
  Rollback undo([&] {
    for (std::uint32_t position = 0; position < built; ++position)
      component_.destroy_values(value_at(position), 1);
    abandon();
  });
  for (const Entity entity : other.entities()) insert(entity);
  for_each_run(*this, other, [&](std::uint32_t first, std::uint32_t count) {
    component_.copy_values(value_at(first), other.value_at(first), count);
    built = first + count;
    return true;
  });
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
  // `displacements_` is a count that grows whenever positions of members may have changed. Readers compare it with an
  // earlier count to find out whether positions have changed. So this pool gets a count, `next`, that neither pool has
  // had yet.
  // `sort_progress_`, the state of an incremental sort, now comes from `other`. It contains the value that
  // `displacements_` of `other` had after the last step of the sort. The next step compares this noted value with the
  // `displacements_` of this pool, in order to find out whether positions have changed since. `displacements_` of
  // `other` and the noted value both grow by the same amount here, so they stay equal or stay different.
  const std::uint32_t next = std::max(displacements_, other.displacements_) + 1;
  sort_progress_.displacements += next - other.displacements_;
  displacements_ = next;
}

bool have_equal_members(const SparsePool& a, const SparsePool& b) noexcept {
  return std::ranges::equal(a.entities(), b.entities()) && a.arranged() == b.arranged();
}

bool have_equal_values(const SparsePool& a, const SparsePool& b) noexcept {
  bool equal = true;
  const std::size_t size = a.component().size;
  for_each_run(a, b, [&](std::uint32_t first, std::uint32_t count) {
    equal = std::memcmp(a.value_at(first), b.value_at(first), count * size) == 0;
    return equal;
  });
  return equal;
}

void copy_values(const SparsePool& from, SparsePool& to) noexcept {
  const std::size_t size = from.component().size;
  for_each_run(from, to, [&](std::uint32_t first, std::uint32_t count) {
    std::memcpy(to.value_at(first), from.value_at(first), count * size);
    return true;
  });
}

}  // namespace strata::detail
