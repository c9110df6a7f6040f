// SparsePool: the side store of one component, a paged sparse set that never touches an entity's table.
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

/// The pools of a store some of whose values wait to be destroyed.
struct DeadValues {
  const ChangeGuard& guard;
  SparsePool* first = nullptr;
};

/// The entities that have one component, packed, and their values on pages: a value stays where it is while the
/// pool grows. From an entity's index, a paged array leads to its position. Members are in the order in which they
/// were inserted as long as none is erased.
///
/// Values are in the order of the members, so that one of them moves into a hole. In a pool whose component asks for
/// `Removal::stable`, they are in rows of their own and never move while their entity is a member, neither when
/// others are erased nor when the pool is sorted, but only when it is compacted. Members are packed in either case.
///
/// Invariants (beyond those of its parts):
///   B1. Every member names something, no two have the same index, and the entry of a member's index is its
///       position. Every other entry is kAbsent.
///   B2. Pages of values cover the members, and at most one more page is kept as a spare; a tag has none.
///   B3. So many members as room says can be held without another page of values or a larger array. The array of
///       entities is as long as it may become without being larger; those behind the members mean nothing.
///   B4. A stable pool has a row for each member and each value that waits to be destroyed; any other one has none.
///   B5. Without members, it is not arranged.
///
/// Threads: any number of readers, or one writer.
/// Source: "ECS back and forth", parts 2, 5 and 10 (M. Caini).
class SparsePool {
 public:
  static constexpr std::uint32_t kAbsent = PagedIndex::kAbsent;

  /// Whatever the pool has to allocate comes from `memory`. Insertions are noted in `joined` as joining pool
  /// `number`; if it is null, only from begin_noting on.
  /// Values that end wait for `destroy_dead` if the pool is given `dead`, where it is listed then; otherwise, they are
  /// destroyed at once. Contract: `component`, `joined` and `dead` stay where they are as long as the pool, and `number` is
  /// expected there.
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

  /// Returns: whether a value stays where it is as long as its entity is a member.
  /// Returns: a pool that never has a member, for readers of a component without a pool.
  static const SparsePool& none();

  bool is_stable() const { return stable_; }

  std::uint32_t size() const { return size_; }

  /// Returns: the members, in the order in which they are visited.
  /// Invalidates: the span, by insert, erase, clear and sort.
  std::span<const Entity> entities() const { return {entities_.data(), size_}; }

  /// Returns: false for a stale or forged handle, too.
  bool contains(Entity entity) const noexcept { return position_of(entity) != kAbsent; }

  /// Returns: where `entity` is in entities(); kAbsent when it is not a member.
  std::uint32_t position_of(Entity entity) const noexcept {
    const std::uint32_t position = index_.find(entity.index());
    return position != kAbsent && entities_[position] == entity ? position : kAbsent;
  }

  /// Returns: the value of `entity`; null when it is not a member or the component is a tag.
  /// Invalidates: the address, by erase, clear and sort, not by insert; of a stable pool, by the entity's own erase,
  /// clear and compact.
  void* find(Entity entity) const noexcept {
    const std::uint32_t position = position_of(entity);
    return position != kAbsent ? value_at(position) : nullptr;
  }

  /// Returns: the value of the member at that position; null when the component is a tag.
  /// Contract: position < size().
  void* value_at(std::uint32_t position) const noexcept { return values_.at(row_of(position)); }

  /// As `value_at`, where the type of the values is known and is no tag.
  template <class T>
  T* value_at_as(std::uint32_t position) const noexcept {
    return values_.at_as<T>(row_of(position));
  }

  /// As `find`, where the type of the values is known.
  template <class T>
  T* find_as(Entity entity) const noexcept {
    const std::uint32_t position = position_of(entity);
    return position != kAbsent ? values_.at_as<T>(row_of(position)) : nullptr;
  }

  /// Returns: how many values lie side by side from that position on, if there are so many members.
  /// Complexity: O(1); of a stable pool, O(values that lie side by side).
  std::uint32_t values_together(std::uint32_t position) const noexcept;

  /// Finds where each of many is in entities(); kAbsent for those that are no members.
  /// Returns: how many are none.
  /// Contract: they are alive, as all members are: an index alone tells them apart.
  std::uint32_t positions_of(std::span<const Entity> entities, std::uint32_t* positions) const noexcept {
    return index_.find_many(entities, positions);
  }

  /// Lists which of many are members, or which are none, by their numbers among them.
  /// Returns: how many.
  /// Contract: they are alive; there is room for as many numbers as there are entities.
  template <bool members>
  std::uint32_t list_many(std::span<const Entity> entities, std::uint32_t* numbers) const noexcept {
    return index_.list_many<members>(entities, numbers);
  }

  /// Finds the values of the members that are so many positions from `first` on.
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
    bool existed;  ///< If not, the value is uninitialised memory: construct it at once.
  };

  /// Makes `entity` the last member, unless it is one already.
  /// Errors: std::bad_alloc; the members are unchanged then.
  /// Contract: `entity` names something, and a member that had its index before has been erased.
  /// Complexity: O(1), amortised.
  Inserted insert(Entity entity) {
    const std::uint32_t position = size_;
    if (!entity || !try_append(entity)) [[unlikely]]
      return insert_slowly(entity);
    return {stable_ ? take_stable_row() : values_.at(position), false};
  }

  /// As `insert`, where the type of the values is known.
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

  /// As `erase`, where the type of the values is known.
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

  /// Destroys all values. Marks are set and cleared again and again, so the pages of entries that had members
  /// stay until the next time, which gives back those that have none by then.
  /// Complexity: O(members).
  void clear() noexcept;

  /// Destroys the values that wait for that.
  /// Returns: the pool that was listed before this one.
  SparsePool* destroy_dead() noexcept;

  /// Lets a member not be found while its value is not whole, until it is shown again at the same position.
  /// Returns: its position; kAbsent when it is not a member.
  std::uint32_t hide(Entity entity) noexcept {
    const std::uint32_t position = position_of(entity);
    if (position != kAbsent) entities_[position] = Entity();
    return position;
  }
  void show(std::uint32_t position, Entity entity) noexcept { entities_[position] = entity; }

  void hide_all() noexcept { std::fill_n(entities_.begin(), size_, Entity()); }

  /// Lets only so many members be visited, while those behind them are being made; they are found by their handles.
  /// Returns: how many there were.
  std::uint32_t visit_only(std::uint32_t count) noexcept { return std::exchange(size_, count); }

  /// As `clear`, for members none of whose values is alive: they were never built, or are somewhere else now.
  void abandon() noexcept;

  /// Moves values of a stable pool into the holes that others left, so that they take as few pages as they can.
  /// Returns: how many values were moved.
  /// Invalidates: the addresses of values.
  /// Complexity: O(members + holes).
  std::size_t compact() noexcept;

  /// Orders the members by `less(Entity, Entity)`, as sort_pool of pool_sorting.hpp, where this is defined.
  template <class Less>
  void sort(Less less);

  MemoryUse memory_use() const noexcept;

  /// Has `joined` hold what `begin_noting` needs.
  /// Errors: std::bad_alloc; a part is held then.
  void hold_pages(Memberships& joined) const { index_.hold_pages(joined); }

  /// Notes the members, and from here on every insertion.
  /// Contract: `joined` is as the constructor wants it, and holds the pages.
  /// Complexity: O(members).
  void begin_noting(Memberships& joined) noexcept { index_.begin_noting(joined, entities()); }
  bool notes() const noexcept { return index_.notes(); }

  /// Gives back the pages and the room in arrays that no member needs.
  /// Complexity: O(members + pages).
  void shrink() noexcept;

  /// Returns: the first invariant that does not hold, as a sentence; empty when all do.
  /// Complexity: O(members + pages).
  std::string check_invariants() const;

  /// Returns: how often a member may have come to another position; an insertion moves none.
  std::uint32_t displacements() const { return displacements_; }

  /// Returns: whether the members have been sorted since the pool was last empty. Queries then keep their order;
  /// members that came or went since do not change that.
  bool arranged() const noexcept { return arranged_; }

  /// Says that the members are being put in order.
  void set_arranged() noexcept { arranged_ = size_ != 0; }

  /// Where sort_pool_step goes on.
  SortProgress& sort_progress() { return sort_progress_; }

 private:
  /// Returns: what guards moves of values; null: nothing does.
  const ChangeGuard* guard() const { return dead_ != nullptr ? &dead_->guard : nullptr; }

  friend class PoolArranger;

  /// When there is something to be done about values: copy_last as unless_last, with nothing but bytes to copy.
  enum class OnErase : std::uint8_t { nothing, copy_last, unless_last, always };

  /// Units: bytes of a value that is not worth a call.
  static constexpr std::size_t kCopiedInline = 64;

  std::uint32_t row_of(std::uint32_t position) const noexcept {
    return stable_ ? slots_.row_of(position) : position;
  }
  /// Makes an entity the last member, if there is room and its index has a page and no entry yet.
  bool try_append(Entity entity) noexcept {
    const std::uint32_t position = size_;
    if (position == room_ || !index_.try_enter(entity.index(), position)) [[unlikely]]
      return false;
    entities_[position] = entity;
    size_ = position + 1;
    return true;
  }
  /// As `erase`; `vacate_value(position, last)` sees to the values.
  template <class Vacate>
  bool erase_by(Entity entity, Vacate vacate_value) noexcept {
    const PagedIndex::Spot spot = index_.locate(entity.index());
    const std::uint32_t position = spot.position();
    if (position == kAbsent || entities_[position] != entity) return false;
    if (on_erase_ == OnErase::always) [[unlikely]] {
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
  /// Makes an entity the member at a position.
  void place(std::uint32_t position, Entity entity) noexcept {
    entities_[position] = entity;
    index_.move(entity.index(), position);
  }

  // Kept out of the callers' fast paths.
  [[gnu::noinline]] Inserted insert_slowly(Entity entity);
  [[gnu::noinline]] void* take_stable_row() noexcept;
  [[gnu::noinline]] void erase_object(PagedIndex::Spot spot, std::uint32_t position) noexcept;
  [[gnu::noinline]] void relocate_hidden(std::uint32_t position, std::uint32_t last) noexcept;
  void vacate(std::uint32_t position, std::uint32_t last) noexcept;
  void note_dead() noexcept;
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
  std::pmr::vector<Entity> entities_;  // The members first.
  std::uint32_t size_ = 0;
  std::uint32_t room_ = 0;
  std::uint32_t too_much_room_at_ = kAbsent;  // With so few members, the last page of values is given back.
  bool stable_;
  bool arranged_ = false;
  OnErase on_erase_ = OnErase::nothing;
  ValuePages values_;
  ValueSlots slots_;  // Of a stable pool.
  const ComponentInfo& component_;
  ComponentId id_;
  std::uint32_t displacements_ = 0;
  std::uint32_t dead_count_ = 0;  // Values behind those of the members that are to be destroyed.
  DeadValues* dead_;
  SparsePool* next_dead_ = nullptr;  // In the list of `dead_`.
  SwapSpace swap_space_;
  SortProgress sort_progress_;
};

}  // namespace strata::detail
