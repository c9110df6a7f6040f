#include "sparse_pool.hpp"

#include <algorithm>
#include <utility>

#include "../../core/contract.hpp"
#include "../../core/registry.hpp"
#include "../../core/rollback.hpp"

namespace strata::detail {
namespace {

constexpr std::size_t kFirstCapacity = 16;

}  // namespace

const SparsePool& SparsePool::none() {
  static const ComponentInfo component{.name = "none", .size = 1, .storage = Storage::sparse};
  static const SparsePool pool(Registry::kUnknown, component, nullptr, 0, std::pmr::null_memory_resource());
  return pool;
}

SparsePool::SparsePool(ComponentId id, const ComponentInfo& component, Memberships* joined,
                       std::uint32_t number, std::pmr::memory_resource* memory, DeadValues* dead)
    : index_(component.pool.entries_per_page, joined, number, memory),
      entities_(memory),
      stable_(component.pool.removal == Removal::stable && !component.is_tag()),
      on_erase_(on_erase_of(component)),
      values_(component, memory),
      slots_(values_, memory),
      component_(component),
      id_(id),
      dead_(dead),
      swap_space_(memory) {}

SparsePool::Inserted SparsePool::insert_slowly(Entity entity) {
  const std::uint32_t known = index_.find(entity.index());
  if (known != kAbsent) {
    STRATA_EXPECTS(entities_[known] == entity,
                   "the pool of \"" + component_.name + "\" cannot take " + to_string(entity) + ": erase " +
                       to_string(entities_[known]) + " first, which has its index");
    return {value_at(known), true};
  }
  STRATA_EXPECTS(static_cast<bool>(entity),
                 "the pool of \"" + component_.name + "\" cannot take the null handle");
  make_room(entity);
  return insert(entity);
}

void SparsePool::make_room(Entity entity) {
  if (index_.find(entity.index()) != kAbsent) return;
  // If an allocation fails, the memory that was allocated before it is kept for later members.
  index_.reserve(entity.index());
  if (size() == room_) reserve_value();
}

void* SparsePool::take_stable_row() noexcept {
  return values_.at(slots_.push());
}

/// Removes the member at `position` for `erase`. `spot` is the member's entry in the index. Only called if values have
/// a destructor or the pool is stable, that is, its values stay in place when other members are erased. If values have
/// a destructor, `mark_dead` decides whether the removed value is destroyed at once or later.
void SparsePool::erase_object(PagedIndex::Spot spot, std::uint32_t position) noexcept {
  const std::uint32_t last = size_ - 1;
  if (last == 0) arranged_ = false;
  vacate(position, last);
  if (position != last) place(position, entities_[last]);
  size_ = last;
  ++displacements_;
  index_.leave(spot);
  if (component_.destroy == nullptr) return;
  ++dead_count_;
  mark_dead();
}

void SparsePool::erase_moved(Entity entity) noexcept {
  const PagedIndex::Spot spot = index_.locate(entity.index());
  const std::uint32_t position = spot.position();
  const std::uint32_t last = size_ - 1;
  if (last == 0) arranged_ = false;
  if (stable_) {
    const std::uint32_t row = slots_.row_of(position);
    slots_.set(position, slots_.row_of(last));
    slots_.pop(row);
  } else if (position != last && !component_.is_tag()) {
    const ChangeGuard::MovingIf moving(guard(), component_.relocate != nullptr);
    component_.relocate_values(values_.at(position), values_.at(last), 1);
  }
  if (position != last) place(position, entities_[last]);
  size_ = last;
  ++displacements_;
  index_.leave(spot);
  update_room();
  while (too_much_room_at_ != kAbsent && size_ <= too_much_room_at_) release_last_page();
}

/// Called by `erase_object` for the removed member at `position`. Fills `position` with the value of the last member,
/// whose position is `last`. If values have a destructor, the removed value gets the position `last`, where it waits to
/// be destroyed. A stable pool (see Removal) moves no value in memory: it stores for each position the row of memory
/// that contains the value, and only changes these rows. If its values have no destructor, it frees the row of the
/// removed value.
void SparsePool::vacate(std::uint32_t position, std::uint32_t last) noexcept {
  if (!stable_) {
    if (position != last) relocate_hidden(position, last);
    return;
  }
  const std::uint32_t row = slots_.row_of(position);
  slots_.set(position, slots_.row_of(last));
  if (component_.destroy != nullptr) return slots_.set(last, row);
  slots_.pop(row);
  update_room();
}

/// Moves the value of the last member, at the position `last`, to `position`. If values have a destructor, the old
/// value at `position` moves to `last`. Moving a value may run user code, so look-ups do not find the members at these
/// two positions during the moves. If values have no destructor and are moved by copying their bytes, no user code
/// runs, so the members stay visible.
void SparsePool::relocate_hidden(std::uint32_t position, std::uint32_t last) noexcept {
  void* const to = values_.at(position);
  void* const from = values_.at(last);
  if (component_.relocate == nullptr && component_.destroy == nullptr) {
    return copy_bytes(to, from, component_.size);
  }
  const Entity leaving = std::exchange(entities_[position], kHidden);
  const Entity moved = std::exchange(entities_[last], kHidden);
  {
    const ChangeGuard::MovingIf moving(guard(), true);
    if (component_.destroy != nullptr) component_.relocate_values(swap_space_.value(), to, 1);
    component_.relocate_values(to, from, 1);
    if (component_.destroy != nullptr) component_.relocate_values(from, swap_space_.value(), 1);
  }
  entities_[position] = leaving;
  entities_[last] = moved;
}

/// Adds the pool to the list of pools with values of removed members, unless it is in the list already, and notifies
/// the guard (see ChangeGuard::mark_dead). So these values are destroyed at the end of the structural change. If the
/// pool was made without such a list, destroys them at once.
void SparsePool::mark_dead() noexcept {
  if (dead_ == nullptr) return void(destroy_dead());
  if (next_dead_ != nullptr || dead_->first == this) return;
  next_dead_ = dead_->first != nullptr ? dead_->first : this;
  dead_->first = this;
  dead_->guard.mark_dead();
}

SparsePool* SparsePool::destroy_dead() noexcept {
  // The value that was removed first has the highest position, because each value that is removed gets the position in
  // front of those removed before. So this loop destroys the values in the order in which they were removed.
  for (std::uint32_t i = dead_count_; i-- > 0;) component_.destroy(value_at(size_ + i), 1);
  for (; dead_count_ != 0; --dead_count_) {
    if (stable_) slots_.pop(slots_.row_of(size_ + dead_count_ - 1));
  }
  update_room();
  while (too_much_room_at_ != kAbsent && size_ <= too_much_room_at_) release_last_page();
  SparsePool* const before = std::exchange(next_dead_, nullptr);
  return before != this ? before : nullptr;
}

void SparsePool::clear() noexcept {
  if (component_.destroy == nullptr || size_ == 0) return abandon();
  index_.clear(entities());
  dead_count_ += std::exchange(size_, 0);
  arranged_ = false;
  ++displacements_;
  mark_dead();
}

void SparsePool::abandon() noexcept {
  index_.clear(entities());
  if (stable_) {
    slots_.clear();
  } else if (!values_.of_tag()) {
    values_.truncate(1);
  }
  size_ = 0;
  arranged_ = false;
  ++displacements_;
  update_room();
}

std::size_t SparsePool::compact() noexcept {
  if (!stable_) return 0;
  const ChangeGuard::MovingIf moving(guard(), component_.relocate != nullptr);
  const std::size_t moved = slots_.compact([&](std::uint32_t position, std::uint32_t from, std::uint32_t to) {
    // Moving the value may run user code, so the member is hidden from look-ups until the value is complete.
    const Entity entity = std::exchange(entities_[position], kHidden);
    component_.relocate_values(values_.at(to), values_.at(from), 1);
    entities_[position] = entity;
  });
  update_room();
  return moved;
}

void SparsePool::reserve_value() {
  // Calls `update_room` at the end of this function, even if an allocation fails, because the allocations before the
  // failed one may have made room.
  const Rollback note([this] { update_room(); });
  if (size() == entities_.size()) entities_.resize(std::max(kFirstCapacity, entities_.size() * 2));
  if (stable_ && slots_.capacity() < entities_.size()) slots_.reserve(entities_.size());
  if (component_.destroy != nullptr && !stable_) swap_space_.reserve(component_.size, component_.alignment);
  if (size() == values_.rows()) stable_ ? slots_.reserve_page() : values_.append();
}

void SparsePool::release_last_page() noexcept {
  values_.truncate(values_.size() - 1);
  update_room();
}

MemoryUse SparsePool::memory_use() const noexcept {
  const std::size_t row_bytes = stable_ ? sizeof(std::uint32_t) : 0;
  const std::size_t member_bytes = sizeof(Entity) + component_.size + sizeof(std::uint32_t) + row_bytes;
  return {size() * member_bytes,
          index_.reserved() + values_.reserved() + slots_.reserved() + memory_use_of(entities_).reserved};
}

void SparsePool::shrink() noexcept {
  index_.shrink();
  entities_.resize(size());
  entities_.shrink_to_fit();
  if (stable_) {
    slots_.shrink();
  } else if (!values_.of_tag()) {
    values_.truncate(values_.page_of(size() + values_.rows_per_page() - 1));
  }
  values_.shrink_to_fit();
  update_room();
}

std::uint32_t SparsePool::room() const noexcept {
  const std::size_t room = std::min(values_.rows(), entities_.size());
  return static_cast<std::uint32_t>(stable_ ? std::min(room, slots_.capacity()) : room);
}

/// The pool keeps one empty page of values as a spare: it frees its last page as soon as its last two pages are empty.
/// Returns: the greatest number of members for which both pages are empty, which is the number of rows of all pages
/// before them. kAbsent if there are fewer than two pages, and for a stable pool (see Removal), whose pages are freed
/// by ValueSlots.
std::uint32_t SparsePool::too_much_room_at() const noexcept {
  return stable_ || values_.size() < 2 ? kAbsent : values_.first_row(values_.size() - 2);
}

void SparsePool::update_room() noexcept {
  room_ = room();
  too_much_room_at_ = too_much_room_at();
}

std::uint32_t SparsePool::values_together(std::uint32_t position) const noexcept {
  if (values_.of_tag()) return kAbsent;
  const std::uint32_t first = row_of(position);
  const std::uint32_t most = values_.rows_per_page() - values_.row_in_page(first);
  if (!stable_) return most;
  std::uint32_t count = 1;
  while (count < most && position + count < size() && slots_.row_of(position + count) == first + count)
    ++count;
  return count;
}

std::string SparsePool::check_invariants() const {
  const std::string broken = find_broken();
  return broken.empty() ? "" : broken + " (in the pool of \"" + component_.name + "\")";
}

std::string SparsePool::find_broken() const {
  for (const auto& complaint : {check_members(), index_.check_invariants(entities()), check_values()}) {
    if (!complaint.empty()) return complaint;
  }
  if (arranged_ && size() == 0) return "B5: an empty pool is arranged";
  return stable_ ? slots_.check_invariants() : "";
}

std::string SparsePool::check_members() const {
  for (std::uint32_t position = 0; position < size(); ++position) {
    const Entity entity = entities_[position];
    if (!entity) return "B1: a member is null";
    if (index_.find(entity.index()) != position) {
      return "B1: the entry of " + to_string(entity) + " is not its position " + std::to_string(position);
    }
  }
  return "";
}

std::string SparsePool::check_values() const {
  const std::uint32_t needed =
      values_.of_tag() ? 0 : values_.page_of(size() + values_.rows_per_page() - 1) + (stable_ ? 0 : 1);
  if (values_.rows() < size() || (!stable_ && dead_count_ == 0 && values_.made() > needed)) {
    return "B2: there are " + std::to_string(values_.made()) + " pages of values for " +
           std::to_string(size()) + " members";
  }
  if (room_ != room() || too_much_room_at_ != too_much_room_at() || size() > room_) {
    return "B3: there is room for " + std::to_string(room()) + " members, not for " + std::to_string(room_);
  }
  if (slots_.size() != (stable_ ? size() + dead_count_ : 0)) return "B4: rows are not those of the members";
  return "";
}

}  // namespace strata::detail
