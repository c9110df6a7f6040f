#include "pool_arranger.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "../../core/prefetch.hpp"
#include "../../core/scratch_array.hpp"
#include "array_moves.hpp"

namespace strata::detail {
namespace {

constexpr std::size_t kNearAlignment = 64;

/// If values can be moved by copying bytes and have at most this size in bytes, `arrange` copies them to temporary
/// memory in their new order, and then back. Two copies of each value take less time than moving each value directly to
/// its new position (see `follow_order`): there, the processor cannot begin a move before it has read from `order`
/// which value is next.
constexpr std::size_t kLargestGathered = 64;

/// Up to this number of members, `rotate` moves one member past the others by `pass_one`, a loop that keeps
/// the values in registers. This takes less time than a call of memmove.
constexpr std::uint32_t kFew = 16;

}  // namespace

PoolArranger::PoolArranger(SparsePool& pool)
    : pool_(pool),
      size_(pool.stable_ ? sizeof(std::uint32_t) : pool.component_.size),
      alignment_(pool.stable_ ? alignof(std::uint32_t) : pool.component_.alignment),
      is_plain_(pool.stable_ || pool.component_.relocate == nullptr) {
  const std::size_t size = std::max<std::size_t>(size_, 1);
  room_ = static_cast<std::uint32_t>(std::clamp<std::size_t>(kHeldBytes / size, 1, kMostHeld));
  if (size > kHeldBytes || alignment_ > kNearAlignment) {
    room_ = 1;
    held_ = static_cast<std::byte*>(memory()->allocate(size, alignment_));
  }
}

PoolArranger::~PoolArranger() {
  if (held_ != near_.data()) memory()->deallocate(held_, size_, alignment_);
}

/// Sets the index entries of the members at positions [first, last) to these positions, after the members have moved.
/// Counts this as one change of positions (see SparsePool::displacements).
void PoolArranger::enter(std::uint32_t first, std::uint32_t last) noexcept {
  const Entity* const members = pool_.entities_.data();
  for (std::uint32_t i = first; i < last; ++i) pool_.index_.move(members[i].index(), i);
  ++pool_.displacements_;
}

void PoolArranger::swap(std::uint32_t a, std::uint32_t b) noexcept {
  if (a == b) return;
  // The entities are exchanged before the values and before the index entries. Meanwhile, the index entry of each of
  // the two members leads to the other one, so look-ups of both fail, and do not find a value that is being moved.
  std::swap(pool_.entities_[a], pool_.entities_[b]);
  if (has_values()) {
    const ChangeGuard::MovingIf moving(pool_.guard(), !is_plain_);
    relocate(held_, value_at(a));
    relocate(value_at(a), value_at(b));
    relocate(value_at(b), held_);
  }
  enter(a, a + 1);
  enter(b, b + 1);
}

void PoolArranger::rotate(std::uint32_t first, std::uint32_t middle, std::uint32_t last) noexcept {
  Entity* const members = pool_.entities_.data();
  if (passes_one(first, middle, last)) {
    if (has_values()) pass_one_value(first, last - first, last - middle == 1);
    pass_one<sizeof(Entity)>(reinterpret_cast<std::byte*>(members + first), last - first, last - middle == 1);
    return enter(first, last);
  }
  auto* const held = reinterpret_cast<Entity*>(near_.data());
  rotate_array(members + first, members + middle, members + last, held);  // Before values move, as in `swap`.
  if (has_values()) rotate_values(first, middle, last);
  enter(first, last);
}

/// Returns: whether `pass_one` can do this rotation. The rotation must move one member past others, at most kFew
/// members in all. If the members have values, these must be adjacent in memory, movable by copying bytes, and 4, 8, 12
/// or 16 bytes long.
bool PoolArranger::passes_one(std::uint32_t first, std::uint32_t middle, std::uint32_t last) const noexcept {
  if (last - first > kFew || (middle - first != 1 && last - middle != 1)) return false;
  if (!has_values()) return true;
  return is_plain_ && (size_ == 4 || size_ == 8 || size_ == 12 || size_ == 16) &&
         together(first) >= last - first;
}

void PoolArranger::pass_one_value(std::uint32_t first, std::uint32_t count, bool last_goes_first) noexcept {
  auto* const values = static_cast<std::byte*>(value_at(first));
  switch (size_) {
    case 4:
      return pass_one<4>(values, count, last_goes_first);
    case 8:
      return pass_one<8>(values, count, last_goes_first);
    case 12:
      return pass_one<12>(values, count, last_goes_first);
    default:
      return pass_one<16>(values, count, last_goes_first);
  }
}

void PoolArranger::rotate_values(std::uint32_t first, std::uint32_t middle, std::uint32_t last) noexcept {
  if (is_plain_ && together(first) >= last - first) {
    auto* const values = static_cast<std::byte*>(value_at(first));
    return rotate_array(values, values + (middle - first) * size_, values + (last - first) * size_, held_);
  }
  const ChangeGuard::MovingIf moving(pool_.guard(), !is_plain_);
  const std::uint32_t left = middle - first;
  const std::uint32_t right = last - middle;
  if (left <= right) {
    for (std::uint32_t i = 0; i < left; ++i) relocate(held(i), value_at(first + i));
    shift_down(middle, first, right);
    for (std::uint32_t i = 0; i < left; ++i) relocate(value_at(first + right + i), held(i));
  } else {
    for (std::uint32_t i = 0; i < right; ++i) relocate(held(i), value_at(middle + i));
    shift_up(first, first + right, left);
    for (std::uint32_t i = 0; i < right; ++i) relocate(value_at(first + i), held(i));
  }
}

/// Moves `count` values from position `from` to the lower position `to`, front to back. Copies as many values
/// at once as are adjacent in memory at both positions.
void PoolArranger::shift_down(std::uint32_t from, std::uint32_t to, std::uint32_t count) noexcept {
  while (count != 0) {
    std::uint32_t step = 1;
    if (is_plain_) {
      step = std::min({count, together(from), together(to)});
      std::memmove(value_at(to), value_at(from), std::size_t{step} * size_);
    } else {
      relocate(value_at(to), value_at(from));
    }
    from += step;
    to += step;
    count -= step;
  }
}

/// Moves `count` values from position `from` to the higher position `to`, back to front. Values that are plain bytes
/// are copied in runs that are adjacent in memory at both positions, other values one by one.
void PoolArranger::shift_up(std::uint32_t from, std::uint32_t to, std::uint32_t count) noexcept {
  while (count != 0) {
    std::uint32_t step = 1;
    if (is_plain_) step = std::min({count, together_up_to(from + count - 1), together_up_to(to + count - 1)});
    count -= step;
    if (is_plain_) {
      std::memmove(value_at(to + count), value_at(from + count), std::size_t{step} * size_);
    } else {
      relocate(value_at(to + count), value_at(from + count));
    }
  }
}

void PoolArranger::arrange(std::span<std::uint32_t> order) {
  if (gathers()) {
    gather(order);
  } else {
    follow_order(order);
  }
}

bool PoolArranger::gathers() const {
  return is_plain_ && size_ <= kLargestGathered;
}

void PoolArranger::gather(std::span<const std::uint32_t> order) {
  const std::size_t count = order.size();
  const std::size_t units = std::max<std::size_t>((size_ + 7) / 8, 1);
  const ScratchArray<Entity> spare(count * units, memory());
  Entity* const members = pool_.entities_.data();
  for (std::size_t i = 0; i < count; ++i) spare[i] = members[order[i]];
  std::copy(spare.data(), spare.data() + count, members);
  enter(0, static_cast<std::uint32_t>(count));
  if (!has_values()) return;

  std::byte* values = reinterpret_cast<std::byte*>(spare.data());
  gather_values(order, values);
  for (std::uint32_t i = 0; i < count;) {
    const std::uint32_t step = std::min(static_cast<std::uint32_t>(count) - i, together(i));
    std::memcpy(value_at(i), values, std::size_t{step} * size_);
    values += std::size_t{step} * size_;
    i += step;
  }
}

void PoolArranger::gather_values(std::span<const std::uint32_t> order, std::byte* to) const noexcept {
  const auto value_of = [this](std::uint32_t position) { return value_at(position); };
  switch (size_) {
    case 4:
      return copy_in_order<4>(order, to, value_of);
    case 8:
      return copy_in_order<8>(order, to, value_of);
    case 12:
      return copy_in_order<12>(order, to, value_of);
    case 16:
      return copy_in_order<16>(order, to, value_of);
    default:
      for (const std::uint32_t from : order) {
        copy_bytes(to, value_of(from), size_);
        to += size_;
      }
  }
}

/// Moves the member and value at position order[i] to position i, for every i, overwrites `order`, and
/// updates the index. Follows the cycles of the permutation. One value of each cycle moves twice: to temporary memory,
/// and from there to its new position. Every other value moves once.
void PoolArranger::follow_order(std::span<std::uint32_t> order) noexcept {
  const ChangeGuard::MovingIf moving(pool_.guard(), has_values() && !is_plain_);
  for (std::uint32_t start = 0; start < order.size(); ++start) {
    if (order[start] == start) continue;
    rotate_members(order, start);  // Done before values move, as in `swap`.
    if (has_values()) relocate(held_, value_at(start));
    std::uint32_t hole = start;
    while (order[hole] != start) {
      const std::uint32_t from = std::exchange(order[hole], hole);
      if (has_values()) relocate(value_at(hole), value_at(from));
      hole = from;
    }
    order[hole] = hole;
    if (has_values()) relocate(value_at(hole), held_);
  }
  enter(0, static_cast<std::uint32_t>(order.size()));
}

/// Moves the member at position order[i] to position i, for every i in one cycle of the permutation `order`: the cycle
/// that contains `start`. Values and index entries stay as they are.
void PoolArranger::rotate_members(std::span<const std::uint32_t> order, std::uint32_t start) noexcept {
  const std::span<Entity> members = this->members();
  const Entity first = members[start];
  std::uint32_t hole = start;
  for (; order[hole] != start; hole = order[hole]) members[hole] = members[order[hole]];
  members[hole] = first;
}

void PoolArranger::follow_members() noexcept {
  const ChangeGuard::MovingIf moving(pool_.guard(), has_values() && !is_plain_);
  const std::span<const Entity> members = this->members();
  for (std::uint32_t start = 0; start < members.size(); ++start) {
    std::uint32_t from = pool_.index_.find(members[start].index());
    if (from == start) continue;
    if (has_values()) relocate(held_, value_at(start));
    std::uint32_t hole = start;
    while (from != start) {
      if (has_values()) relocate(value_at(hole), value_at(from));
      pool_.index_.move(members[hole].index(), hole);
      hole = from;
      from = pool_.index_.find(members[hole].index());
    }
    pool_.index_.move(members[hole].index(), hole);
    if (has_values()) relocate(value_at(hole), held_);
  }
  ++pool_.displacements_;
}

void PoolArranger::restore_members() noexcept {
  const std::span<Entity> members = this->members();
  for (std::uint32_t i = 0; i < members.size(); ++i) {
    for (;;) {
      const std::uint32_t home = pool_.index_.find(members[i].index());
      if (home == i || members[home] == members[i]) break;  // A member occurs twice: broken contract.
      std::swap(members[i], members[home]);
    }
  }
}

}  // namespace strata::detail
