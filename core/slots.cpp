#include "slots.hpp"

#include <algorithm>
#include <utility>

#include "contract.hpp"
#include "prefetch.hpp"
#include "rollback.hpp"

namespace strata::detail {

Slots::Slots(std::pmr::memory_resource* memory, std::uint32_t limit, std::uint32_t world_number)
    : slots_(memory), limit_(limit) {
  STRATA_EXPECTS(world_number <= kMostWorldNumber, "WorldOptions::world_number is " +
                                                       std::to_string(world_number) + ", and at most " +
                                                       std::to_string(kMostWorldNumber) + " is possible");
  first_generation_ = world_number == 0 ? 1 : world_number << kGenerationBits;
  last_generation_ = world_number == 0 ? 0xFFFF'FFFF : first_generation_ + ((1u << kGenerationBits) - 1);
}

void Slots::reserve_all(std::span<Entity> entities) {
  require_room(entities.size());
  const auto count = static_cast<std::uint32_t>(entities.size());
  const std::uint32_t recycled = std::min(count, free_count_);
  if (recycled < count) make_room(count - recycled);
  for (Entity& entity : entities.first(recycled)) {
    const std::uint32_t index = first_free_;
    first_free_ = slots_[index].row;
    slots_[index].word = kReserved;
    entity = handle_of(index);
  }
  if (recycled != 0 && first_free_ != kNone) slots_[first_free_].word = kFirstFree;
  std::uint32_t next = size();
  slots_.resize(size() + count - recycled, Slot{first_generation_, kNone, kReserved});
  for (Entity& entity : entities.subspan(recycled)) entity = {next++, first_generation_};
  free_count_ -= recycled;
  in_use_ += count;
}

void Slots::append_placed(std::uint32_t count, Place first, Entity* handles) noexcept {
  // Slots are appended in steps of 256 (4 KiB), so that the slots that `resize` has filled are still in the nearest
  // cache when their final values are written.
  constexpr std::uint32_t kStep = 256;
  const auto word = reinterpret_cast<std::uintptr_t>(first.block);
  in_use_ += count;
  while (count != 0) {
    const std::uint32_t step = std::min(count, kStep);
    const std::uint32_t index = size();
    slots_.resize(slots_.size() + step);
    Slot* const slots = slots_.data() + index;
    const std::uint32_t generation = first_generation_;
    for (std::uint32_t i = 0; i < step; ++i) {
      prefetch_write_ahead(slots + i, kStep * sizeof(Slot));
      prefetch_write_ahead(handles + i);
      slots[i].generation = generation;
      slots[i].row = first.row + i;
      slots[i].word = word;
      handles[i] = {index + i, generation};
    }
    first.row += step;
    handles += step;
    count -= step;
  }
}

void Slots::require_room(std::size_t count) const {
  STRATA_EXPECTS(count <= std::size_t{free_count_} + (limit_ - size()),
                 "no slots are left for " + std::to_string(count) +
                     " new entities: destroy entities or raise WorldOptions::max_entities");
}

bool Slots::reserve_at(Entity entity) {
  const std::uint32_t index = entity.index();
  if (!entity || index >= limit_) return false;
  if (entity.generation() < first_generation_ || entity.generation() > last_generation_) return false;
  if (index >= size()) append_free(index - size() + 1);
  const Slot& slot = slots_[index];
  // A handle with a lower generation than the slot's may have been issued before. If it were issued again, copies of it
  // that have gone stale would be valid again.
  if (!is_free(slot) || entity.generation() < slot.generation) return false;
  take(index, entity.generation());
  return true;
}

bool Slots::can_reserve_again(Entity entity) const noexcept {
  const std::uint32_t index = entity.index();
  return is_free(index) && entity.generation() >= first_generation_ &&
         entity.generation() < slots_[index].generation;
}

void Slots::reserve_again(Entity entity) noexcept {
  take(entity.index(), entity.generation());
}

/// Takes a free slot out of the free list and gives it this generation. The slot is reserved from now on: its
/// handle is issued, but has no row yet.
void Slots::take(std::uint32_t index, std::uint32_t generation) noexcept {
  unlink(index);
  slots_[index].generation = generation;
  slots_[index].word = kReserved;
  ++in_use_;
}

bool Slots::restore(std::span<const std::uint32_t> generations, std::span<const std::uint32_t> free,
                    std::span<const std::uint32_t> retired) {
  if (generations.size() > limit_) return false;
  Rollback none([&] { slots_.clear(); });
  slots_.reserve(generations.size());
  std::uint32_t lowest = last_generation_;
  std::uint32_t highest = first_generation_;
  for (const std::uint32_t generation : generations) {
    slots_.append({generation, kNone, kReserved});
    lowest = std::min(lowest, generation);
    highest = std::max(highest, generation);
  }
  const auto take_slot = [&](std::uint32_t index, std::uint64_t word) {
    if (index >= size() || slots_[index].word != kReserved) return false;
    slots_[index].word = word;
    return true;
  };
  for (const std::uint32_t index : retired) {
    if (!take_slot(index, kRetired)) return false;
  }
  for (const std::uint32_t index : free) {
    if (!take_slot(index, kFree)) return false;
  }
  const auto is_beyond = [&](const Slot& slot) {
    return slot.word != kRetired &&
           (slot.generation < first_generation_ || slot.generation > last_generation_);
  };
  const bool may_be_beyond = lowest < first_generation_ || highest > last_generation_;
  if (may_be_beyond && std::any_of(slots_.begin(), slots_.end(), is_beyond)) return false;
  for (std::size_t i = free.size(); i-- > 0;) link(free[i]);
  in_use_ = static_cast<std::uint32_t>(generations.size() - free.size() - retired.size());
  none.dismiss();
  return true;
}

void Slots::assign(const Slots& other) {
  slots_.assign(other.slots_);
  first_free_ = other.first_free_;
  in_use_ = other.in_use_;
  free_count_ = other.free_count_;
}

void Slots::swap(Slots& other) noexcept {
  slots_.swap(other.slots_);
  std::swap(first_free_, other.first_free_);
  std::swap(in_use_, other.in_use_);
  std::swap(free_count_, other.free_count_);
}

void Slots::cancel(std::uint32_t index) noexcept {
  --in_use_;
  link(index);
}

void Slots::cancel_all(std::span<const Entity> entities) noexcept {
  // The free list is last-in, first-out. So the handles are taken back from the last to the first, to be issued
  // in the same order again.
  for (std::size_t i = entities.size(); i-- > 0;) cancel(entities[i].index());
}

bool Slots::is_reserved(Entity entity) const noexcept {
  return entity.index() < size() && slots_[entity.index()].generation == entity.generation() &&
         slots_[entity.index()].word == kReserved;
}

void Slots::make_room(std::uint32_t count) {
  STRATA_EXPECTS(count <= limit_ - size(),
                 "no slot is left for a new entity: destroy entities or raise WorldOptions::max_entities");
  const std::size_t wanted = slots_.size() + count;
  // Doubling makes creation one by one amortised O(1). More than `limit_` slots are never used, so the capacity
  // does not exceed it.
  const std::size_t doubled = std::min<std::size_t>(slots_.capacity() * 2, limit_);
  if (wanted > slots_.capacity()) slots_.reserve(std::max(wanted, doubled));
}

void Slots::shrink() noexcept {
  // A free slot that still has the first generation has never been alive, so no program has a handle of it.
  while (!slots_.empty() && is_free(slots_.back()) && slots_.back().generation == first_generation_) {
    unlink(size() - 1);
    slots_.pop_back();
  }
  slots_.shrink_to_fit();
}

void Slots::append_free(std::uint32_t count) {
  make_room(count);
  const std::uint32_t first = size();
  slots_.resize(slots_.size() + count, Slot{first_generation_, kNone, kFree});
  // `link` puts a slot at the front of the free list. So the slots are linked from the last to the first, and the
  // lowest new index is issued first.
  for (std::uint32_t last = size(); last-- > first;) link(last);
}

void Slots::unlink(std::uint32_t index) noexcept {
  const Slot& slot = slots_[index];
  const std::uint32_t next = slot.row;
  const auto previous = static_cast<std::uint32_t>(slot.word >> 3);
  if (next != kNone) slots_[next].word = std::uint64_t{previous} << 3 | kFree;
  if (previous != kNone) {
    slots_[previous].row = next;
  } else {
    first_free_ = next;
  }
  --free_count_;
}

std::string Slots::check_invariants() const {
  std::uint32_t in_use = 0;
  std::uint32_t free = 0;
  std::uint32_t retired = 0;
  const auto is_own = [&](std::uint32_t generation) {
    return generation >= first_generation_ && generation <= last_generation_;
  };
  for (const Slot& slot : slots_) {
    const bool live = (slot.word & kNotLive) == 0;
    if (live || slot.word == kReserved) {
      ++in_use;
      if (live && slot.word == 0) return "S1: a slot is live without a place";
      if (!is_own(slot.generation)) return "S3: a slot is in use with a generation of another world";
    } else if (is_free(slot)) {
      ++free;
      if (!is_own(slot.generation)) return "S3: a slot is free with a generation of another world";
    } else if (slot.word == kRetired) {
      ++retired;
    } else {
      return "S1: a slot has no valid state";
    }
  }
  if (in_use != in_use_ || free != free_count_ || in_use + free + retired != size()) {
    return "S4: the counts of slots in use and free do not add up";
  }
  std::uint32_t visited = 0;
  std::uint32_t previous = kNone;
  for (std::uint32_t index = first_free_; index != kNone; index = slots_[index].row) {
    if (index >= size() || !is_free(slots_[index])) return "S2: the free list holds a slot that is not free";
    if (static_cast<std::uint32_t>(slots_[index].word >> 3) != previous) {
      return "S2: a free slot's link back is wrong";
    }
    if (++visited > free) return "S2: the free list visits a slot twice";
    previous = index;
  }
  return visited == free ? "" : "S2: the free list misses a free slot";
}

}  // namespace strata::detail
