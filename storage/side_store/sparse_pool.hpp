// SparsePool: the side store of one component, a paged sparse set that does not touch tables.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory_resource>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../core/component.hpp"
#include "../../core/entity.hpp"
#include "../../core/memory_use.hpp"
#include "../changes/change_guard.hpp"
#include "../changes/swap_space.hpp"
#include "memberships.hpp"
#include "paged_index.hpp"
#include "sort_progress.hpp"
#include "value_pages.hpp"
#include "value_slots.hpp"

namespace strata::detail {

class SparsePool;

/// The pools of a store that have values waiting to be destroyed.
struct DeadValues {
  const ChangeGuard& guard;
  SparsePool* first = nullptr;
};

/// The entities that have one component, packed, and their values on pages, so a value does not move when the
/// pool grows. A paged array maps an entity's index to its position. Members are in order of insertion as
/// long as none is erased.
///
/// Values are in the order of the members. The last one moves into the hole that an erased one leaves. A
/// component may ask for `Removal::stable`: its values then are in rows of their own and only move when the
/// pool is compacted, not when it is sorted or another member is erased. Members are packed in either case.
///
/// Invariants (beyond those of its parts):
///   B1. No member is null, no two have the same index, and the entry of a member's index is its position.
///       Every other entry is kAbsent.
///   B2. The pages of values cover the members, and at most one more page is kept as a spare. A tag has no
///       pages.
///   B3. The pool can hold as many members as `room` without another page of values or a larger array. The
///       array of entities has the size of its capacity; elements after the members have no meaning.
///   B4. A stable pool has a row for each member and each value that waits to be destroyed; any other pool
///       has none.
///   B5. A pool without members is not arranged.
///
/// Threads: any number of readers, or one writer.
/// Source: "ECS back and forth", parts 2, 5 and 10 (M. Caini).
class SparsePool {
 public:
  static constexpr std::uint32_t kAbsent = PagedIndex::kAbsent;

  /// The pool allocates from `memory`. Insertions are recorded in `joined` for the pool `number`; if `joined`
  /// is null, only after begin_noting. If `dead` is given, removed values wait for `destroy_dead`, and the
  /// pool is listed there. Otherwise they are destroyed at once.
  /// Contract: `component`, `joined` and `dead` outlive the pool, and `number` is reserved in `joined`.
  SparsePool(ComponentId id, const ComponentInfo& component, Memberships* joined, std::uint32_t number,
             std::pmr::memory_resource* memory, DeadValues* dead = nullptr);
  SparsePool(const SparsePool&) = delete;
  SparsePool& operator=(const SparsePool&) = delete;
  ~SparsePool() {
    clear();
    destroy_dead();
  }

  ComponentId id() const { return id_; }
  const ComponentInfo& component() const { return component_; }

  /// Returns: a pool that never has a member, for components without a pool.
  static const SparsePool& none();

  bool is_stable() const { return stable_; }

  std::uint32_t size() const { return size_; }

  /// Returns: the members, in the order of iteration.
  /// Invalidates: the span, by insert, erase, clear and sort.
  std::span<const Entity> entities() const { return {entities_.data(), size_}; }

  /// Returns: whether the entity is a member; false for a stale or forged handle.
  bool contains(Entity entity) const noexcept { return position_of(entity) != kAbsent; }

  /// Returns: the position of `entity` in entities(); kAbsent when it is not a member.
  std::uint32_t position_of(Entity entity) const noexcept {
    const std::uint32_t position = index_.find(entity.index());
    return position != kAbsent && entities_[position] == entity ? position : kAbsent;
  }

  /// Returns: the value of `entity`; null when it is not a member or the component is a tag.
  /// Invalidates: the address, by erase, clear and sort, but not by insert. In a stable pool: by erase of
  /// this entity, clear and compact.
  void* find(Entity entity) const noexcept {
    const std::uint32_t position = position_of(entity);
    return position != kAbsent ? value_at(position) : nullptr;
  }

  /// Returns: the value of the member at that position; null when the component is a tag.
  /// Contract: position < size().
  void* value_at(std::uint32_t position) const noexcept { return values_.at(row_of(position)); }

  /// The same if the type of the values is known and is no tag.
  template <class T>
  T* value_at_as(std::uint32_t position) const noexcept {
    return values_.at_as<T>(row_of(position));
  }

  /// The same as `find` if the type of the values is known.
  template <class T>
  T* find_as(Entity entity) const noexcept {
    const std::uint32_t position = position_of(entity);
    return position != kAbsent ? values_.at_as<T>(row_of(position)) : nullptr;
  }

  /// Returns: the number of adjacent values from that position on, which may exceed the number of members.
  /// Complexity: O(1); in a stable pool, O(adjacent values).
  std::uint32_t values_together(std::uint32_t position) const noexcept;

  /// Finds the positions of several entities in entities(); kAbsent for entities that are not members.
  /// Returns: the number of entities that are not members.
  /// Contract: the entities are alive. So are all members, so comparing the index is sufficient.
  std::uint32_t positions_of(std::span<const Entity> entities, std::uint32_t* positions) const noexcept {
    return index_.find_many(entities, positions);
  }

  /// Lists the entities that are members, or those that are not, by their number in `entities`.
  /// Returns: the number of listed entities.
  /// Contract: the entities are alive; there is room for one number per entity.
  template <bool members>
  std::uint32_t list_many(std::span<const Entity> entities, std::uint32_t* numbers) const noexcept {
    return index_.list_many<members>(entities, numbers);
  }

  /// Finds the values of the members at `first` plus each of the positions.
  void values_from(std::uint32_t first, std::span<const std::uint32_t> positions,
                   const void** values) const noexcept {
    if (!stable_) return values_.at_many(first, positions, values);
    for (const std::uint32_t position : positions) *values++ = value_at(first + position);
  }

  /// Returns: whether an address lies in the memory of the values.
  /// Complexity: as ValuePages::holds.
  bool holds_value_at(const void* address) const noexcept { return values_.holds(address); }

  struct Inserted {
    void* value;   ///< Null when the component is a tag.
    bool existed;  ///< If false, the value is uninitialised memory: construct it at once.
  };

  /// Appends `entity` to the members, unless it is one already.
  /// Errors: std::bad_alloc; the members are unchanged then.
  /// Contract: `entity` is not null, and an earlier member with the same index has been erased.
  /// Complexity: O(1), amortised.
  Inserted insert(Entity entity) {
    const std::uint32_t position = size_;
    if (!entity || !try_append(entity)) [[unlikely]]
      return insert_slowly(entity);
    return {stable_ ? take_stable_row() : values_.at(position), false};
  }

  /// The same as `insert` if the type of the values is known.
  /// Contract: `entity` is alive.
  template <class T>
  Inserted insert_as(Entity entity) {
    const std::uint32_t position = size_;
    if (!try_append(entity)) [[unlikely]]
      return insert_slowly(entity);
    void* value = nullptr;
    if constexpr (!is_tag<T>) value = stable_ ? take_stable_row() : values_.at_as<T>(position);
    return {value, false};
  }

  /// Destroys the value of `entity` and moves the last member into the hole.
  /// Returns: false when `entity` is not a member.
  /// Complexity: O(1).
  bool erase(Entity entity) noexcept {
    return erase_by(entity, [this](std::uint32_t position, std::uint32_t last) {
      if (on_erase_ != OnErase::nothing && position != last) relocate_hidden(position, last);
    });
  }

  /// The same as `erase` if the type of the values is known.
  template <class T>
  bool erase_as(Entity entity) noexcept {
    return erase_by(entity, [&](std::uint32_t position, std::uint32_t last) {
      if constexpr (!is_tag<T>) {
        if (sizeof(T) <= kCopiedInline && on_erase_ == OnErase::copy_last) [[likely]] {
          if (position != last) copy_value<T>(position, last);
        } else if (position != last) {
          relocate_hidden(position, last);
        }
      }
    });
  }

  /// Removes all members and destroys their values. Marks are often set and cleared repeatedly, so pages of
  /// entries that had members stay until the next `clear`, which frees those that have none by then.
  /// Complexity: O(members).
  void clear() noexcept;

  /// Destroys the values that wait for it.
  /// Returns: the pool that was listed before this one.
  SparsePool* destroy_dead() noexcept;

  /// Hides a member from look-ups while its value is incomplete, until it is shown again at the same
  /// position.
  /// Returns: its position; kAbsent when it is not a member.
  std::uint32_t hide(Entity entity) noexcept {
    const std::uint32_t position = position_of(entity);
    if (position != kAbsent) entities_[position] = Entity();
    return position;
  }
  void show(std::uint32_t position, Entity entity) noexcept { entities_[position] = entity; }

  void hide_all() noexcept { std::fill_n(entities_.begin(), size_, Entity()); }

  /// Excludes the members after the first `count` from iteration while they are being made. Look-ups find
  /// them.
  /// Returns: the previous number of members.
  std::uint32_t visit_only(std::uint32_t count) noexcept { return std::exchange(size_, count); }

  /// The same as `clear`, without destroying values: they were never built or have been moved away.
  void abandon() noexcept;

  /// Moves values of a stable pool into holes, so that they take as few pages as possible.
  /// Returns: the number of moved values.
  /// Invalidates: the addresses of values.
  /// Complexity: O(members + holes).
  std::size_t compact() noexcept;

  /// Orders the members by `less(Entity, Entity)`; see sort_pool in pool_sorting.hpp, which defines it.
  template <class Less>
  void sort(Less less);

  MemoryUse memory_use() const noexcept;

  /// Makes `joined` hold the pages that `begin_noting` needs.
  /// Errors: std::bad_alloc; some pages are held then.
  void hold_pages(Memberships& joined) const { index_.hold_pages(joined); }

  /// Records the members, and from then on every insertion.
  /// Contract: `joined` meets the contract of the constructor, and holds the pages.
  /// Complexity: O(members).
  void begin_noting(Memberships& joined) noexcept { index_.begin_noting(joined, entities()); }
  bool notes() const noexcept { return index_.notes(); }

  /// Frees pages and array capacity that no member needs.
  /// Complexity: O(members + pages).
  void shrink() noexcept;

  /// Returns: the first invariant that does not hold, as a sentence; empty when all do.
  /// Complexity: O(members + pages).
  std::string check_invariants() const;

  /// Returns: how often members may have changed position; insertions do not count.
  std::uint32_t displacements() const { return displacements_; }

  /// Returns: whether the members have been sorted since the pool was last empty. Queries then keep their
  /// order, even if members have come or gone since.
  bool arranged() const noexcept { return arranged_; }

  /// Declares that the members are being sorted.
  void set_arranged() noexcept { arranged_ = size_ != 0; }

  /// Returns: the state of sort_pool_step.
  SortProgress& sort_progress() { return sort_progress_; }

 private:
  /// Returns: the guard for moves of values; null when there is none.
  const ChangeGuard* guard() const { return dead_ != nullptr ? &dead_->guard : nullptr; }

  friend class PoolArranger;

  /// What `erase` does with values.
  enum class OnErase : std::uint8_t {
    nothing,    ///< There are none: the component is a tag.
    copy_last,  ///< Copies the last value into the hole, byte by byte.
    move_last,  ///< Moves the last value into the hole by its move constructor.
    general,    ///< The pool is stable, or values have a destructor: see erase_object.
  };

  /// The largest value, in bytes, that is copied inline.
  static constexpr std::size_t kCopiedInline = 64;

  std::uint32_t row_of(std::uint32_t position) const noexcept {
    return stable_ ? slots_.row_of(position) : position;
  }
  /// Appends a member, if there is room and its index has a page and no entry yet.
  bool try_append(Entity entity) noexcept {
    const std::uint32_t position = size_;
    if (position == room_ || !index_.try_enter(entity.index(), position)) [[unlikely]]
      return false;
    entities_[position] = entity;
    size_ = position + 1;
    return true;
  }
  /// The same as `erase`; `vacate_value(position, last)` handles the values.
  template <class Vacate>
  bool erase_by(Entity entity, Vacate vacate_value) noexcept {
    const PagedIndex::Spot spot = index_.locate(entity.index());
    const std::uint32_t position = spot.position();
    if (position == kAbsent || entities_[position] != entity) return false;
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
  template <class T>
  void copy_value(std::uint32_t to, std::uint32_t from) noexcept {
    std::memcpy(static_cast<void*>(values_.at_as<T>(to)), values_.at_as<T>(from), sizeof(T));
  }
  /// Stores an entity as the member at a position.
  void place(std::uint32_t position, Entity entity) noexcept {
    entities_[position] = entity;
    index_.move(entity.index(), position);
  }

  // Not inlined, to keep the callers' fast paths short.
  [[gnu::noinline]] Inserted insert_slowly(Entity entity);
  [[gnu::noinline]] void* take_stable_row() noexcept;
  [[gnu::noinline]] void erase_object(PagedIndex::Spot spot, std::uint32_t position) noexcept;
  [[gnu::noinline]] void relocate_hidden(std::uint32_t position, std::uint32_t last) noexcept;
  void vacate(std::uint32_t position, std::uint32_t last) noexcept;
  void mark_dead() noexcept;
  [[gnu::noinline]] void release_last_page() noexcept;

  void reserve_value();
  std::uint32_t room() const noexcept;
  std::uint32_t too_much_room_at() const noexcept;
  void update_room() noexcept;
  std::pmr::memory_resource* memory() const { return entities_.get_allocator().resource(); }

  std::string find_broken() const;
  std::string check_members() const;
  std::string check_values() const;

  PagedIndex index_;
  std::pmr::vector<Entity> entities_;  // The first `size_` elements are the members.
  std::uint32_t size_ = 0;
  std::uint32_t room_ = 0;
  std::uint32_t too_much_room_at_ = kAbsent;  // At this number of members, the last page is freed.
  bool stable_;
  bool arranged_ = false;
  OnErase on_erase_ = OnErase::nothing;
  ValuePages values_;
  ValueSlots slots_;  // Only used in a stable pool.
  const ComponentInfo& component_;
  ComponentId id_;
  std::uint32_t displacements_ = 0;
  std::uint32_t dead_count_ = 0;  // Number of values after those of the members that wait to be destroyed.
  DeadValues* dead_;
  SparsePool* next_dead_ = nullptr;  // In the list of `dead_`.
  SwapSpace swap_space_;
  SortProgress sort_progress_;
};

}  // namespace strata::detail
