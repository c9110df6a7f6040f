// Slots: issues, checks and recycles entity handles, and stores where the row of each entity is.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>

#include "block.hpp"
#include "compiler.hpp"
#include "entity.hpp"
#include "memory_use.hpp"
#include "plain_list.hpp"

namespace strata::detail {

/// The location of an entity's row: a block (see Block) and a row in it. A place goes stale when the row moves. Any
/// structural change of the block's table may move the row.
struct Place {
  Block* block;
  std::uint32_t row;  ///< Counted from the block's first row.
};

/// The array of the slots of a world, indexed by Entity::index. A slot is a record of 16 bytes for one entity. It has
/// the generation of the entity's handle and the place of the entity's row; a free slot has the generation of the
/// handle that it issues next. Slots issues handles, tells whether they are alive, finds their rows, and reuses slots.
/// Free slots form a linked list within the array.
///
/// A handle is issued in one of two ways. `issue` and `append_placed` issue it together with a place. `reserve`,
/// `reserve_at` and `reserve_all` issue it without one; it is not alive until `place` sets its place, and
/// `cancel` takes it back.
///
/// Invariants:
///   S1. A slot is live (it has a place), reserved (issued, no place yet), free or retired, and only a live
///       slot's handle is alive.
///   S2. The free list is doubly linked and contains each free slot exactly once and no other slot.
///   S3. A slot's generation is in the range that the world number selects (see the constructor), and only
///       `reserve_again` makes it lower. A slot that has used all generations of the range is retired. So no handle is
///       issued twice without `reserve_again`.
///   S4. The counts of live, reserved, free and retired slots add up to the number of slots.
///
/// Threads: any number of readers, or one writer.
/// Source: the implicit list of entity versions in "ECS back and forth", part 9 (M. Caini).
class Slots {
 public:
  static constexpr std::uint32_t kNone = 0xFFFF'FFFF;  ///< The index of no slot.
  static constexpr std::uint32_t kDefaultLimit = 1u << 28;

  /// The highest world number. Worlds with different numbers above 0 issue different generations, so no handle of one
  /// world is valid in another world.
  static constexpr std::uint32_t kMostWorldNumber = 255;

  /// `limit` is the greatest number of slots that this object may have. `world_number` selects the generations of the
  /// handles: all generations for 0; for each other number, another range of 2^24 generations.
  /// Contract: `world_number` is at most kMostWorldNumber.
  explicit Slots(std::pmr::memory_resource* memory, std::uint32_t limit = kDefaultLimit,
                 std::uint32_t world_number = 0);

  /// Issues a handle without a row. It is not alive until `place` sets the place of its row.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Contract: fewer than `limit` slots are in use or retired (see `release`).
  /// Complexity: O(1), amortised.
  Entity reserve() {
    if (first_free_ != kNone) return recycle();
    make_room_for_one();
    return append_reserved();
  }

  /// Allocates memory so that the next call of `reserve` or `issue` cannot fail. Issues nothing.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Contract: fewer slots than the `limit` of the constructor are in use or retired (see `release`).
  void make_room_for_one() {
    if (first_free_ == kNone && slots_.full()) [[unlikely]]
      make_room(1);
  }

  /// Issues a handle for the row at `at`, which already exists.
  /// Contract: `make_room_for_one` was called, and no handle was issued since.
  Entity issue(Place at) noexcept {
    const Entity entity = first_free_ != kNone ? recycle() : append_reserved();
    place(entity.index(), at);
    return entity;
  }

  /// Returns: the index of the handle that the next `reserve` or `issue` returns.
  std::uint32_t next_index() const noexcept { return first_free_ != kNone ? first_free_ : size(); }

  /// Issues the given handle, as `reserve` does, for example to restore a saved world.
  /// Returns: whether the handle was issued. It is not issued if it is stale or null, if it was made with another world
  /// number, if its index is not below the `limit` of the constructor, or if its slot is in use or retired (see
  /// `release`).
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Complexity: O(1), or O(index) to append the slots below a new index.
  bool reserve_at(Entity entity);

  /// Returns: whether `reserve_again` can issue this handle. For that, its slot must be free, and the handle must have
  /// been issued and released before, or have a generation that `reserve_at` has skipped.
  bool can_reserve_again(Entity entity) const noexcept;

  /// Issues the given handle, whose generation is lower than the next one of its slot, as `reserve` does. The slot goes
  /// back to the generation of the handle. So after this handle is released, the slot may issue handles with the next
  /// higher generations a second time.
  /// Contract: `can_reserve_again` returns true.
  /// Complexity: O(1); never allocates.
  void reserve_again(Entity entity) noexcept;

  /// Return whether a slot is free (`is_free`), or its handle is issued, with or without a row (`is_in_use`).
  /// Both are false for a slot that is retired (see `release`) or does not exist.
  bool is_free(std::uint32_t index) const noexcept { return index < size() && is_free(slots_[index]); }
  bool is_in_use(std::uint32_t index) const noexcept {
    return index < size() && (is_live(index) || slots_[index].word == kReserved);
  }

  /// Writes a newly issued handle to each element of `entities`: the handles that repeated calls of `reserve` would
  /// return.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Contract: including the slots of these handles, at most `limit` slots are in use or retired (see `release`).
  /// Complexity: O(entities).
  void reserve_all(std::span<Entity> entities);

  /// Returns: the number of free slots. `reserve`, `issue` and `reserve_all` reuse them before they append new slots.
  std::uint32_t free_count() const noexcept { return free_count_; }

  /// Allocates memory for `count` new slots, so that a following `append_placed` of `count` slots cannot fail. No
  /// handle may be issued between the two calls. The number of slots does not change.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Contract: size() + count is at most `limit`.
  STRATA_API void make_room(std::uint32_t count);

  /// Returns: the first handle that `append_placed` would issue now. The other handles that it would issue
  /// have the following indices and the same generation.
  Entity next_new() const noexcept { return {size(), first_generation_}; }

  /// Appends `count` new slots, without reusing free ones, and writes their handles to `handles`. Their
  /// places are consecutive rows from `first` on.
  /// Contract: `make_room(count)` was called, and no handle was issued since.
  void append_placed(std::uint32_t count, Place first, Entity* handles) noexcept;

  /// Checks that `count` more handles can be issued. Allocates nothing.
  /// Contract: including the slots of these handles, at most `limit` slots (see the constructor) are in use or retired
  /// (see `release`).
  void require_room(std::size_t count) const;

  /// Calls `visit(index)` for each free slot, in the order in which the slots will issue handles.
  template <class Visit>
  void for_each_free(Visit visit) const {
    for (std::uint32_t index = first_free_; index != kNone; index = slots_[index].row) visit(index);
  }
  /// Calls `visit(index)` for each reserved slot, and then for each free slot, in the order of `for_each_free`. These
  /// are the slots that would be free if the reserved handles were taken back.
  /// Complexity: O(slots).
  template <class Visit>
  void for_each_unplaced(Visit visit) const {
    for (std::uint32_t index = 0; index < size(); ++index) {
      if (is_reserved(index)) visit(index);
    }
    for_each_free(visit);
  }
  bool is_retired(std::uint32_t index) const noexcept { return slots_[index].word == kRetired; }
  /// Returns: the world number, which selects the generations that are issued (see the constructor).
  std::uint32_t world_number() const noexcept {
    return first_generation_ == 1 ? 0 : first_generation_ >> kGenerationBits;
  }
  /// Makes the slots of a saved world: slot i gets generation `generations[i]`. `free` has the indices of the free
  /// slots, in the order in which they are issued, and `retired` those of the retired slots. All other slots are
  /// reserved, that is, issued and without a row.
  /// Returns: false if no world with this world number and limit can have these slots, or if an index is listed twice.
  /// In these cases, there are no slots afterwards.
  /// Errors: std::bad_alloc; there are no slots after it.
  /// Contract: there are no slots yet.
  STRATA_API bool restore(std::span<const std::uint32_t> generations, std::span<const std::uint32_t> free,
                          std::span<const std::uint32_t> retired);

  /// Replaces all slots by copies of the slots of `other`, including the places (the block and row of each entity).
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Contract: `other` has the same limit and world number.
  void assign(const Slots& other);
  /// Exchanges the slots with those of `other`, which has the same limit and world number.
  void swap(Slots& other) noexcept;

  /// A summary of the slots, to detect changes: two summaries differ if slots were issued or released after one summary
  /// and before the other. Exception: they may be equal if all slots that were released are issued again and all that
  /// were issued are free again.
  struct FreeState {
    std::uint32_t size;
    std::uint32_t free_count;
    Entity next;  ///< The handle that is issued next; null if there is no free slot.

    friend bool operator==(const FreeState&, const FreeState&) = default;
  };
  FreeState free_state() const noexcept {
    return {size(), free_count_, first_free_ != kNone ? handle_of(first_free_) : Entity()};
  }

  /// Takes back the handle of slot `index`, which was issued but not returned to the program yet. The slot becomes
  /// free, and the same handle may be issued again.
  void cancel(std::uint32_t index) noexcept;

  /// Takes back handles that `reserve_all` has issued in this order, whether they have places or not. They become the
  /// first ones of the free list, so the next `reserve_all` issues them again first, in the same order.
  void cancel_all(std::span<const Entity> entities) noexcept;

  /// Frees a slot whose handle is issued, whether or not the slot has a place; the handle becomes stale. A slot that
  /// has used all generations is retired: it is never issued again.
  /// Complexity: O(1); never allocates.
  void release(std::uint32_t index) noexcept {
    Slot& slot = slots_[index];
    --in_use_;
    if (slot.generation++ == last_generation_) [[unlikely]] {
      slot.word = kRetired;
    } else {
      link(index);
    }
  }

  /// Sets the place of the row of the entity with this slot index, instead of any place set before. If the slot was
  /// reserved, it becomes live, and its handle is alive from then on.
  void place(std::uint32_t index, Place at) noexcept {
    slots_[index].row = at.row;
    slots_[index].word = reinterpret_cast<std::uintptr_t>(at.block);
  }

  /// Sets the places of entities to consecutive rows of one block, from `first` on.
  void place_all(std::span<const Entity> entities, Place first) noexcept {
    for (const Entity entity : entities) {
      place(entity.index(), first);
      ++first.row;
    }
  }

  /// Makes a live slot reserved (without a row), so that its handle is not alive while the entity's row is
  /// incomplete. Call `place` to make the slot live again.
  void hide(std::uint32_t index) noexcept { slots_[index].word = kReserved; }

  /// Returns: whether the handle is of a live entity.
  STRATA_ALWAYS_INLINE bool alive(Entity entity) const noexcept { return find(entity).block != nullptr; }

  /// Returns: the place of `entity`'s row; a place with a null block when the handle is not alive.
  STRATA_ALWAYS_INLINE Place find(Entity entity) const noexcept {
    // Addresses are compared instead of indices, because the list stores its end as an address: the number of
    // slots would have to be computed first.
    const std::uint64_t offset = std::uint64_t{entity.index()} * sizeof(Slot);
    if (address_of(slots_.begin()) + offset >= address_of(slots_.end())) [[unlikely]]
      return {nullptr, 0};
    const Slot& slot = slots_[entity.index()];
    if (slot.generation != entity.generation() || (slot.word & kNotLive) != 0) [[unlikely]] {
      return {nullptr, 0};
    }
    if (slot.word == 0) STRATA_UNREACHABLE();  // S1: a live slot has a place.
    return {block_of(slot), slot.row};
  }

  /// Returns: the place of a slot's row.
  /// Contract: the slot is live.
  Place place_of(std::uint32_t index) const noexcept { return {block_of(slots_[index]), slots_[index].row}; }

  /// Loads a slot into the cache.
  void prefetch(std::uint32_t index) const noexcept { prefetch_to_read(&slots_[index]); }

  /// Returns: whether the slot with this index is live: it has the place of an entity's row.
  /// Contract: there is such a slot.
  bool is_live(std::uint32_t index) const noexcept { return (slots_[index].word & kNotLive) == 0; }

  /// Returns: the handle of a slot in use; for a free slot, the handle that it issues next. The result has no meaning
  /// for a retired slot.
  Entity handle_of(std::uint32_t index) const noexcept { return {index, slots_[index].generation}; }

  /// Returns: whether the handle is issued but not alive: no place was set for it yet, or `hide` was called.
  bool is_reserved(Entity entity) const noexcept;
  /// Returns: whether a slot is reserved, that is, its handle is issued and has no place; false if there is no such
  /// slot.
  bool is_reserved(std::uint32_t index) const noexcept {
    return index < size() && slots_[index].word == kReserved;
  }

  std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(slots_.size()); }
  std::uint32_t limit() const noexcept { return limit_; }

  /// Returns: the number of slots whose handle is issued: live ones, and reserved ones, which have no row
  /// yet.
  std::uint32_t in_use() const noexcept { return in_use_; }

  /// Returns: the number of reserved slots that belong to recorded commands: slots of entities that the commands are
  /// going to create, and slots that are set aside while commands are being recorded (see ReservedHandles).
  std::uint32_t recorded() const noexcept { return recorded_; }
  /// Change the number that `recorded` returns. `add_recorded` is called when such slots are reserved;
  /// `remove_recorded` is called when their commands are applied or dropped, and when slots that were set aside are
  /// given back unused.
  void add_recorded(std::uint32_t count) noexcept { recorded_ += count; }
  void remove_recorded(std::uint32_t count) noexcept { recorded_ -= count; }

  MemoryUse memory_use() const noexcept {
    return {std::size_t{in_use_} * sizeof(Slot), slots_.capacity() * sizeof(Slot)};
  }

  /// Frees unused memory: unused capacity, and free slots at the end that never were alive. All other slots
  /// keep their generation, so that no handle is issued twice.
  /// Complexity: O(slots).
  void shrink() noexcept;

  /// Returns: the first invariant that does not hold, as a sentence; empty when all do.
  /// Complexity: O(slots).
  std::string check_invariants() const;

 private:
  /// One element of the array. `generation` is that of the slot's handle; in a free slot, of the handle that it issues
  /// next. In a live slot, `word` is the address of the row's block, whose lowest bit is 0. In any other slot, the
  /// lowest bit of `word` is 1: `word` is kReserved, kRetired, or kFree combined with the index of the previous slot of
  /// the free list.
  struct Slot {
    std::uint32_t generation;
    std::uint32_t row;  ///< Of a live slot: the row. Of a free slot: the index of the next free slot.
    std::uint64_t word;
  };
  static_assert(sizeof(Slot) == 16);

  // If the world number is above 0, this number of low bits of a generation are a counter, which grows whenever the
  // slot is reused. The higher bits are the world number.
  static constexpr std::uint32_t kGenerationBits = 24;

  static constexpr std::uint64_t kNotLive = 1;
  static constexpr std::uint64_t kReserved = 3;
  static constexpr std::uint64_t kRetired = 5;
  static constexpr std::uint64_t kFree = 7;
  // The `word` of the first slot of the free list, which has no previous slot.
  static constexpr std::uint64_t kFirstFree = std::uint64_t{kNone} << 3 | kFree;
  static constexpr std::uint64_t kStateMask = 7;

  static std::uint64_t address_of(const Slot* slot) noexcept {
    return reinterpret_cast<std::uintptr_t>(slot);
  }
  static Block* block_of(const Slot& slot) noexcept {
    return reinterpret_cast<Block*>(static_cast<std::uintptr_t>(slot.word));
  }
  static bool is_free(const Slot& slot) noexcept { return (slot.word & kStateMask) == kFree; }

  Entity recycle() noexcept {
    const std::uint32_t index = first_free_;
    Slot& slot = slots_[index];
    first_free_ = slot.row;
    if (first_free_ != kNone) slots_[first_free_].word = kFirstFree;
    slot.word = kReserved;
    --free_count_;
    ++in_use_;
    return {index, slot.generation};
  }
  Entity append_reserved() {
    const auto index = static_cast<std::uint32_t>(slots_.size());
    // The new slot is written field by field in place. Building it on the stack and copying it would be slower:
    // the wide load of the copy would have to wait for the narrow stores of the fields.
    Slot& slot = slots_.append();
    const std::uint32_t generation = first_generation_;
    slot.generation = generation;
    slot.row = kNone;
    slot.word = kReserved;
    ++in_use_;
    return {index, generation};
  }
  void append_free(std::uint32_t count);
  void take(std::uint32_t index, std::uint32_t generation) noexcept;
  void unlink(std::uint32_t index) noexcept;
  void link(std::uint32_t index) noexcept {
    Slot& slot = slots_[index];
    slot.row = first_free_;
    slot.word = kFirstFree;
    if (first_free_ != kNone) slots_[first_free_].word = std::uint64_t{index} << 3 | kFree;
    first_free_ = index;
    ++free_count_;
  }

  PlainList<Slot> slots_;
  std::uint32_t limit_;
  std::uint32_t first_generation_;
  std::uint32_t last_generation_;
  std::uint32_t first_free_ = kNone;
  std::uint32_t in_use_ = 0;    // Number of live and reserved slots.
  std::uint32_t recorded_ = 0;  // Number of reserved slots that belong to recorded commands.
  std::uint32_t free_count_ = 0;
};

}  // namespace strata::detail
