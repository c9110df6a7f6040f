// SparsePool: the sparse set of one component, that is, the entities that have the component, and their values.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "../../core/compiler.hpp"
#include "../../core/component.hpp"
#include "../../core/entity.hpp"
#include "../../core/memory_use.hpp"
#include "../../core/plain_list.hpp"
#include "../changes/change_guard.hpp"
#include "../changes/swap_space.hpp"
#include "dead_values.hpp"
#include "memberships.hpp"
#include "on_erase.hpp"
#include "paged_index.hpp"
#include "sort_progress.hpp"
#include "value_pages.hpp"
#include "value_slots.hpp"

namespace strata::detail {

/// A sparse set: the entities that have one component (its members) in a dense array, and their values. Values are on
/// pages, so they do not move when the pool grows. A paged array (PagedIndex) maps an entity's index to its position in
/// the dense array. Members are in order of insertion as long as none is erased and the pool is not sorted.
///
/// Values are in the order of the members. When a member is erased, the last member and its value move into the free
/// place. In a stable pool (option `Removal::stable`), the values have an order of their own: ValueSlots maps each
/// member to the row (numbered place in memory) of its value. Such a value moves only when the pool is compacted, not
/// when the pool is sorted or another member is erased. In every pool, the array of members has no gaps.
///
/// If values have a destructor, and the pool was made with a list `dead` (see the constructor), removed values are not
/// destroyed at once: they stay behind the values of the members until `destroy_dead`.
///
/// Invariants (beyond those of its parts):
///   B1. No member is null, no two members have the same index, and the index entry of a member is its position. Every
///       other entry is kAbsent.
///   B2. The pages of values have room for all members; a tag has no pages. At most one more page is kept as a spare,
///       unless the pool is stable or removed values wait to be destroyed.
///   B3. `room_` is the number of members that the pool can have without another page of values or a larger array. The
///       array of entities has the size of its capacity; elements after the members have no meaning.
///   B4. In a stable pool, ValueSlots has a row for each member and for each value that waits to be destroyed. In any
///       other pool, ValueSlots is empty.
///   B5. A pool without members is not marked as sorted (`arranged`).
///
/// Threads: any number of readers, or one writer.
/// Source: "ECS back and forth", parts 2, 5 and 10 (M. Caini).
class SparsePool {
 public:
  static constexpr std::uint32_t kAbsent = PagedIndex::kAbsent;
  static constexpr Entity kHidden{kAbsent, 0};  ///< In place of hidden members; no look-up finds this index.

  /// `joined` (the record of the pools that each entity has joined) records which entities join this pool, under the
  /// number `number`; if it is null, nothing is recorded until `begin_recording`. If `dead` is given, values of removed
  /// members are kept until `destroy_dead`; as long as the pool has such values, it is in the list `dead`. Otherwise,
  /// these values are destroyed at once.
  /// Contract: the references outlive the pool; Memberships::reserve_pools was called for more than `number` pools.
  SparsePool(ComponentId id, const ComponentInfo& component, Memberships* joined, std::uint32_t number,
             std::pmr::memory_resource* memory, DeadValues* dead = nullptr);
  /// Makes a pool that has no members, and that can be exchanged with `other` (see `swap`). The new pool destroys
  /// removed values at once.
  SparsePool(const SparsePool& other, std::pmr::memory_resource* memory);
  SparsePool(const SparsePool&) = delete;
  SparsePool& operator=(const SparsePool&) = delete;
  ~SparsePool() {
    clear();
    destroy_dead();
  }

  ComponentId id() const { return id_; }
  const ComponentInfo& component() const { return component_; }

  /// Returns: an empty pool, for readers of components that have no pool yet.
  STRATA_API static const SparsePool& none();

  /// Returns: whether values stay in place when other members are erased or the pool is sorted (Removal::stable).
  bool is_stable() const { return stable_; }

  /// Returns: the number of members.
  std::uint32_t size() const { return size_; }

  /// Returns: the members, in the order of iteration.
  /// Invalidates: the span, by all functions that add, remove, sort or exchange members, by make_room and by shrink.
  std::span<const Entity> entities() const { return {entities_.data(), size_}; }

  /// Returns: whether the entity is a member; false for a handle that is stale or was never issued.
  bool contains(Entity entity) const noexcept { return position_of(entity) != kAbsent; }

  /// Returns: the position of `entity` in entities(); kAbsent when it is not a member.
  std::uint32_t position_of(Entity entity) const noexcept {
    const std::uint32_t position = index_.find(entity.index());
    return position != kAbsent && entities_[position] == entity ? position : kAbsent;
  }

  /// Returns: the value of `entity`; null when it is not a member or the component is a tag.
  /// Invalidates: the address, by erase, clear and sort, but not by insert. In a stable pool (see Removal):
  /// by erase of this entity, clear and compact.
  void* find(Entity entity) const noexcept {
    const std::uint32_t position = position_of(entity);
    return position != kAbsent ? value_at(position) : nullptr;
  }

  /// Returns: the value of the member at `position`; null when the component is a tag.
  /// Contract: position < size().
  void* value_at(std::uint32_t position) const noexcept { return values_.at(row_of(position)); }

  /// Returns: the value of the member at `position`, as a T.
  /// Contract: position < size(), and T is the component's type and not a tag.
  template <class T>
  T* value_at_as(std::uint32_t position) const noexcept {
    return values_.at_as<T>(row_of(position));
  }

  /// Returns: the value of `entity`; null when it is not a member.
  /// Contract: T is the component's type and not a tag.
  template <class T>
  T* find_as(Entity entity) const noexcept {
    const std::uint32_t position = position_of(entity);
    return position != kAbsent ? values_.at_as<T>(row_of(position)) : nullptr;
  }

  /// Returns: how many values are adjacent in memory, beginning with the value of the member at `position`; kAbsent for
  /// a tag. Unused memory behind the last member may be counted, too.
  /// Complexity: O(1); in a stable pool, O(adjacent values).
  STRATA_API std::uint32_t values_together(std::uint32_t position) const noexcept;

  /// For each of the given entities, writes its position among the members (in `entities()`) to `positions`;
  /// kAbsent if it is not a member.
  /// Returns: the number of entities that are not members.
  /// Contract: the entities are alive, and `positions` has room for one position per entity. The look-up compares only
  /// indices, because no two entities that are alive have the same index.
  std::uint32_t positions_of(std::span<const Entity> entities, std::uint32_t* positions) const noexcept {
    return index_.find_many(entities, positions);
  }

  /// Finds the entities that are members (if `members` is true) or that are not (if it is false). For each entity
  /// found, writes its number in the span `entities` (0 for the first one) to `numbers`.
  /// Returns: the number of entities found.
  /// Contract: the entities are alive, and `numbers` has room for one number for each of them, found or not.
  template <bool members>
  std::uint32_t list_many(std::span<const Entity> entities, std::uint32_t* numbers) const noexcept {
    return index_.list_many<members>(entities, numbers);
  }

  /// Writes to `values` the address of the value of the member at `first + p`, for each p in `positions`. All addresses
  /// are null for a tag.
  /// Contract: first + p is below size(), for each p.
  void values_from(std::uint32_t first, std::span<const std::uint32_t> positions,
                   const void** values) const noexcept {
    if (!stable_) return values_.at_many(first, positions, values);
    for (const std::uint32_t position : positions) *values++ = value_at(first + position);
  }

  /// Returns: whether an address lies in the memory of the pool's values.
  /// Complexity: O(1) if the address is below or above all pages that were ever allocated; otherwise O(pages).
  bool holds_value_at(const void* address) const noexcept { return values_.holds(address); }

  /// The result of `insert`.
  struct Inserted {
    void* value;   ///< Null when the component is a tag.
    bool existed;  ///< If false, the value is uninitialised memory: construct it at once.
  };

  /// Appends `entity` to the members, unless it is a member already. Constructs no value.
  /// Errors: std::bad_alloc; the members are unchanged then.
  /// Contract: `entity` is not null, and no other entity with the same index is a member.
  /// Complexity: O(1), amortised.
  Inserted insert(Entity entity) {
    const std::uint32_t position = size_;
    if (!entity || !try_append(entity)) [[unlikely]]
      return insert_slowly(entity);
    return {stable_ ? take_stable_row() : values_.at(position), false};
  }

  /// Allocates memory, so that the next `insert` of this entity cannot fail.
  /// Errors: std::bad_alloc; the members are unchanged then.
  void make_room(Entity entity);

  /// Inserts as `insert` does, for a component type known at compile time.
  /// Contract: `entity` is alive, and T is the component's type.
  template <class T>
  Inserted insert_as(Entity entity) {
    const std::uint32_t position = size_;
    if (!try_append(entity)) [[unlikely]]
      return insert_slowly(entity);
    void* value = nullptr;
    if constexpr (!is_tag<T>) value = stable_ ? take_stable_row() : values_.at_as<T>(position);
    return {value, false};
  }

  /// Removes `entity` from the members. Destroys its value: at once if the pool was made without a list
  /// `dead` (see the constructor), otherwise in `destroy_dead`. The last member moves to the position that
  /// becomes free.
  /// Returns: false when `entity` is not a member; nothing has changed then.
  /// Complexity: O(1).
  inline bool erase(Entity entity) noexcept;  // This and `erase_as` are defined in pool_removal.hpp.

  /// Removes `entity` as `erase` does, for a component type known at compile time. If it is a member, first calls
  /// `before(position)` with its position.
  /// Contract: T is the component's type; `before` does not change the members.
  template <class T, class Before>
  STRATA_ALWAYS_INLINE bool erase_as(Entity entity, Before before) noexcept;
  template <class T>
  STRATA_ALWAYS_INLINE bool erase_as(Entity entity) noexcept;

  /// Removes a member whose value the caller has already moved, for example to another pool. Destroys no value. The
  /// last member moves to the position that becomes free.
  /// Contract: the last member still has its value, unless it is `entity`. `destroy_dead` has no values to destroy.
  void erase_moved(Entity entity) noexcept;

  /// Removes all members. Destroys their values: at once if the pool was made without a list `dead` (see the
  /// constructor), otherwise in `destroy_dead`. The pages of the index that had members stay allocated, because
  /// programs often remove all members of a tag and add others. The next `clear` frees the pages that are still without
  /// members.
  /// Complexity: O(members).
  STRATA_API void clear() noexcept;

  /// Destroys the values that the pool has kept of removed members, and frees the pages of values that are no longer
  /// needed.
  /// Returns: the next pool in the list DeadValues; null if there is none. The caller makes it the first of the list.
  SparsePool* destroy_dead() noexcept;

  /// Hides a member from look-ups while its value is incomplete, until `show` is called.
  /// Returns: the position of the member; kAbsent when `entity` is not a member.
  std::uint32_t hide(Entity entity) noexcept {
    const std::uint32_t position = position_of(entity);
    if (position != kAbsent) entities_[position] = kHidden;
    return position;
  }
  /// Ends the effect of `hide` or `hide_all` for the member at a position; `entity` is that member.
  void show(std::uint32_t position, Entity entity) noexcept { entities_[position] = entity; }

  /// Hides all members from look-ups. `show` has to be called for each of them.
  void hide_all() noexcept { std::fill_n(entities_.begin(), size_, kHidden); }

  /// Sets the number of members to `count`, so that iterations do not visit the members behind the first `count` while
  /// their values are being constructed. Look-ups still find these members. A second call with the returned number
  /// makes iterations visit them again.
  /// Returns: the previous number of members.
  std::uint32_t visit_only(std::uint32_t count) noexcept { return std::exchange(size_, count); }

  /// While a Hold exists, an operation works on the list of members and calls user code. No other code may add or
  /// remove members then, so every function that user code can call has to check `is_held` before it adds or removes
  /// members. Holds may be nested.
  class Hold {
   public:
    explicit Hold(SparsePool& pool) noexcept : pool_(pool) { ++pool_.holds_; }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;
    ~Hold() { --pool_.holds_; }

   private:
    SparsePool& pool_;
  };
  /// Returns: whether a Hold exists for this pool.
  bool is_held() const noexcept { return holds_ != 0; }

  /// Removes all members, without destroying values: for values that were never constructed or were moved away.
  void abandon() noexcept;

  /// Adds to this pool the members of another pool of the same component, in their order, and copies of their values.
  /// Errors: std::bad_alloc, and what copying a value throws; the pool has no members then.
  /// Contract: this pool has no members, and values can be copied.
  void assign(const SparsePool& other);
  /// Exchanges the members and values of two pools.
  /// Contract: one of the two pools was made from the other one, by the constructor SparsePool(const SparsePool&, ...).
  /// Invalidates: the addresses of values.
  void swap(SparsePool& other) noexcept;

  /// Moves values of a stable pool (see Removal) to free memory, so that they take as few pages as possible, and frees
  /// the other pages. Does nothing if the pool is not stable.
  /// Returns: the number of moved values.
  /// Invalidates: the addresses of values.
  /// Complexity: O(members + free rows).
  STRATA_API std::size_t compact() noexcept;

  /// Sorts the members and their values by `less(Entity, Entity)`; see sort_pool. Defined in pool_sorting.hpp.
  template <class Less>
  void sort(Less less);

  MemoryUse memory_use() const noexcept;

  /// Prepares `begin_recording`: allocates and holds the bits that this pool needs in `joined` (the record of the pools
  /// that each entity has joined); see Memberships::hold.
  /// Errors: std::bad_alloc; the memory allocated before the failure is kept.
  void hold_pages(Memberships& joined) const { index_.hold_pages(joined); }

  /// Records all members in `joined` (the record of the pools that each entity has joined), and from then on every
  /// insertion.
  /// Contract: `joined` outlives the pool, has bits for the pool's number, and `hold_pages` was called.
  /// Complexity: O(entries of all pages of the index, also of entries without a member).
  void begin_recording(Memberships& joined) noexcept { index_.begin_recording(joined); }
  /// Returns: whether insertions are recorded in a Memberships (the record of the pools that each entity has joined).
  bool records() const noexcept { return index_.records(); }

  /// Frees pages and array capacity that no member needs.
  /// Complexity: O(members + pages).
  void shrink() noexcept;

  /// Returns: the first invariant that does not hold, as a sentence; empty when all do.
  /// Complexity: O(members + pages).
  std::string check_invariants() const;

  /// Returns: a number that grows whenever positions of members may have changed: in erase, clear, swap and sorting,
  /// but not in insert.
  std::uint32_t displacements() const { return displacements_; }

  /// Returns: whether the members have been sorted since the pool was last empty. If they have, a query that can
  /// iterate over this pool or over tables chooses the pool, and so visits the members in their order. This is also
  /// true if members were added or removed after the sort.
  bool arranged() const noexcept { return arranged_; }

  /// Records that the members have been sorted, so that `arranged` returns true; an empty pool stays unsorted (B5).
  void set_arranged() noexcept { arranged_ = size_ != 0; }

  /// Returns: the state of the incremental sort of this pool; see sort_pool_step.
  SortProgress& sort_progress() { return sort_progress_; }

 private:
  /// Returns: the guard of the store, which refuses queries while values move; null if the pool has no list `dead`.
  const ChangeGuard* guard() const { return dead_ != nullptr ? &dead_->guard : nullptr; }

  friend class PoolArranger;

  std::uint32_t row_of(std::uint32_t position) const noexcept {
    return stable_ ? slots_.row_of(position) : position;
  }
  /// Appends a member without constructing its value. Does nothing if `entities_` has no room, or if the entity has no
  /// page or already an entry in `index_`.
  /// Returns: whether the member was appended.
  bool try_append(Entity entity) noexcept {
    const std::uint32_t position = size_;
    if (position == room_ || !index_.try_enter(entity.index(), position)) [[unlikely]]
      return false;
    entities_[position] = entity;
    size_ = position + 1;
    return true;
  }
  /// Removes `entity` as `erase` does. Calls `before(position)` first, with the position of `entity`. To close the gap,
  /// calls `vacate_value(position, last)`, which has to move the value of the last member from `last` to `position`, if
  /// they differ. If `on_erase_` is OnErase::general, `erase_object` does all that follows `before` instead.
  /// Returns: false when `entity` is not a member; nothing was called then.
  template <class Before, class Vacate>
  STRATA_ALWAYS_INLINE bool erase_by(Entity entity, Before before, Vacate vacate_value) noexcept;
  template <class T>
  void copy_value(std::uint32_t to, std::uint32_t from) noexcept;
  /// Stores an entity as the member at a position, and updates its index entry.
  void place(std::uint32_t position, Entity entity) noexcept {
    entities_[position] = entity;
    index_.move(entity.index(), position);
  }

  // STRATA_NOINLINE keeps the fast paths of the callers short.
  STRATA_NOINLINE STRATA_API Inserted insert_slowly(Entity entity);
  STRATA_NOINLINE STRATA_API void* take_stable_row() noexcept;
  STRATA_NOINLINE STRATA_API void erase_object(PagedIndex::Spot spot, std::uint32_t position) noexcept;
  STRATA_NOINLINE STRATA_API void relocate_hidden(std::uint32_t position, std::uint32_t last) noexcept;
  void vacate(std::uint32_t position, std::uint32_t last) noexcept;
  void mark_dead() noexcept;
  STRATA_NOINLINE STRATA_API void release_last_page() noexcept;

  void reserve_value();
  std::uint32_t room() const noexcept;
  std::uint32_t too_much_room_at() const noexcept;
  void update_room() noexcept;
  std::pmr::memory_resource* memory() const { return entities_.memory(); }

  std::string find_broken() const;
  std::string check_members() const;
  std::string check_values() const;

  PagedIndex index_;
  PlainList<Entity> entities_;  // The first `size_` elements are the members.
  std::uint32_t size_ = 0;
  std::uint32_t room_ = 0;
  std::uint32_t too_much_room_at_ = kAbsent;  // The number of members at which the last page is freed.
  bool stable_;
  bool arranged_ = false;
  OnErase on_erase_;
  ValuePages values_;
  ValueSlots slots_;  // Finds the rows of the values; only used in a stable pool.
  const ComponentInfo& component_;
  ComponentId id_;
  std::uint32_t displacements_ = 0;
  std::uint32_t holds_ = 0;
  std::uint32_t dead_count_ = 0;  // How many values of removed members are kept, behind those of members.
  DeadValues* dead_;
  SparsePool* next_dead_ = nullptr;  // The next pool in the list `dead_`; the last one points to itself.
  SwapSpace swap_space_;
  SortProgress sort_progress_;
};

}  // namespace strata::detail
