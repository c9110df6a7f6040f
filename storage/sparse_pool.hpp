// SparsePool: the side store of one component, a paged sparse set that never touches an entity's table.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../core/component.hpp"
#include "../core/entity.hpp"
#include "../core/memory_use.hpp"
#include "entity_order.hpp"

namespace strata {

/// The entities that have one component, packed, and their values in the same order, on pages: a value stays
/// where it is while the pool grows. From an entity's index, a paged array leads to its position.
///
/// Invariants:
///   B1. Every member names something, no two have the same index, and the entry of a member's index is its
///       position.
///   B2. Every other entry is kAbsent; a page of entries counts its members.
///   B3. A page of entries is listed exactly if it is not the shared empty one. Listed ones without members
///       are at most as many as had some when the pool was last cleared, and one more.
///   B4. Pages of values cover the members, and at most one more page is kept as a spare; a tag has none.
///   B5. So many members as room says can be held without another page of values or a larger array.
///
/// Threads: any number of readers, or one writer.
/// Source: "ECS back and forth", parts 2 and 5 (M. Caini).
class SparsePool {
 public:
  static constexpr std::uint32_t kAbsent = 0xFFFF'FFFF;
  static constexpr std::uint32_t kEntriesPerPage = 4096;  ///< Neighbouring entity indices that share a page.

  /// Whatever the pool has to allocate comes from `memory`.
  /// Contract: `component` stays where it is as long as the pool.
  SparsePool(ComponentId id, const ComponentDescription& component, std::pmr::memory_resource* memory);
  SparsePool(const SparsePool&) = delete;
  SparsePool& operator=(const SparsePool&) = delete;
  ~SparsePool();

  ComponentId id() const { return id_; }
  const ComponentDescription& component() const { return component_; }

  std::uint32_t size() const { return static_cast<std::uint32_t>(entities_.size()); }

  /// Returns: the members, in the order in which they are visited.
  /// Invalidates: the span, by insert, erase, clear and sort.
  std::span<const Entity> entities() const { return entities_; }

  /// Returns: false for a stale or forged handle, too.
  bool contains(Entity entity) const noexcept { return position_of(entity) != kAbsent; }

  /// Returns: where `entity` is in entities(); kAbsent when it is not a member.
  std::uint32_t position_of(Entity entity) const noexcept {
    const std::uint32_t position = entry_of(entity.index());
    return position != kAbsent && entities_[position] == entity ? position : kAbsent;
  }

  /// Returns: the value of `entity`; null when it is not a member or the component is a tag.
  /// Invalidates: the address, by erase, clear and sort; not by insert.
  void* find(Entity entity) const noexcept {
    const std::uint32_t position = position_of(entity);
    return position != kAbsent ? value_at(position) : nullptr;
  }

  /// Returns: the value of the member at that position; null when the component is a tag.
  /// Contract: position < size().
  void* value_at(std::uint32_t position) const noexcept {
    if (value_size_ == 0) return nullptr;
    return value_pages_[position >> row_bits_] + std::size_t{position & row_mask_} * value_size_;
  }

  /// As `find`, for whoever knows the type of the values.
  template <class T>
  T* find_as(Entity entity) const noexcept {
    const std::uint32_t position = position_of(entity);
    if (position == kAbsent) return nullptr;
    return reinterpret_cast<T*>(value_pages_[position >> row_bits_]) + (position & row_mask_);
  }

  /// Returns: how many values lie side by side from that position on, if there are so many members.
  std::uint32_t values_together(std::uint32_t position) const noexcept {
    return value_size_ == 0 ? kAbsent : row_mask_ + 1 - (position & row_mask_);
  }

  struct Inserted {
    void* value;   ///< Null when the component is a tag.
    bool existed;  ///< If not, the value is uninitialised memory: construct it at once.
  };

  /// Makes `entity` the last member, unless it is one already.
  /// Errors: std::bad_alloc; the members are unchanged then.
  /// Contract: `entity` names something, and a member that had its index before has been erased.
  /// Complexity: O(1), amortised.
  Inserted insert(Entity entity) {
    const std::uint32_t index = entity.index();
    const std::uint32_t position = size();
    if (!entity || position == room_ || !has_entry_page(index)) [[unlikely]]
      return insert_slowly(entity);
    EntryPage& page = entry_pages_[index / kEntriesPerPage];
    std::uint32_t& entry = page.entries[index % kEntriesPerPage];
    if (entry != kAbsent) [[unlikely]]
      return insert_slowly(entity);
    if (entities_.size() == entities_.capacity()) __builtin_unreachable();  // B5.
    entities_.push_back(entity);
    ++page.members;
    entry = position;
    return {value_at(position), false};
  }

  /// Destroys the value of `entity` and moves the last member into the hole.
  /// Returns: false when `entity` is not a member.
  /// Complexity: O(1).
  bool erase(Entity entity) noexcept {
    const std::uint32_t position = position_of(entity);
    if (position == kAbsent) return false;
    const std::uint32_t last = size() - 1;
    if (position != last || component_.destroy != nullptr) vacate(position, last);
    entities_.pop_back();
    forget(entity.index());
    // When the members that are left fill their pages of values, one page less is in use than before.
    const std::uint32_t pages = last >> row_bits_;
    if ((last & row_mask_) == 0 && value_pages_.size() > pages + 1) [[unlikely]]
      release_value_pages(pages + 1);
    return true;
  }

  /// Destroys all values. Marks are set and cleared again and again, so the pages of entries that had members
  /// stay until the next time, which gives back those that have none by then.
  /// Complexity: O(members).
  void clear() noexcept;

  /// Orders the members by `less(Entity, Entity)`; those that compare equal keep their order.
  /// Errors: std::bad_alloc, and what `less` throws; the pool is unchanged then.
  /// Contract: `less` leaves the pool alone.
  /// Complexity: O(n log n) comparisons, O(n) if sorted already; each value moves once, and one of every
  /// cycle of the permutation twice; n members.
  template <class Less>
  void sort(Less less) {
    sort_by(EntityOrder(less));
  }

  MemoryUse memory_use() const noexcept;

  /// Gives back the pages and the room in arrays that no member needs.
  /// Complexity: O(members + pages).
  void shrink() noexcept;

  /// Returns: the first invariant that does not hold, as a sentence; empty when all do.
  /// Complexity: O(members + pages).
  std::string check_invariants() const;

 private:
  static constexpr std::uint32_t kNoPage = 0xFFFF'FFFF;

  /// Stands for every page without members, so that a look-up needs no null check.
  alignas(64) static const std::array<std::uint32_t, kEntriesPerPage> kEmptyPage;

  /// The positions of neighbouring indices.
  struct EntryPage {
    std::uint32_t* entries;  ///< May be the shared empty page, which nobody writes to.
    std::uint32_t members;
    std::uint32_t listed;  ///< Its position in the list of pages that are not shared.
  };

  std::uint32_t entry_of(std::uint32_t index) const noexcept {
    const std::uint32_t page = index / kEntriesPerPage;
    return page < entry_pages_.size() ? entry_pages_[page].entries[index % kEntriesPerPage] : kAbsent;
  }
  /// The entry of a member's index.
  std::uint32_t& entry_at(std::uint32_t index) noexcept {
    return entry_pages_[index / kEntriesPerPage].entries[index % kEntriesPerPage];
  }

  bool has_entry_page(std::uint32_t index) const noexcept {
    const std::uint32_t page = index / kEntriesPerPage;
    return page < entry_pages_.size() && entry_pages_[page].entries != kEmptyPage.data();
  }
  void put(std::uint32_t position, Entity entity, void* value) noexcept;
  /// Takes a former member's index out of its page.
  void forget(std::uint32_t index) noexcept {
    entry_at(index) = kAbsent;
    const std::uint32_t page = index / kEntriesPerPage;
    if (--entry_pages_[page].members == 0 && page != spare_) [[unlikely]]
      keep_as_spare(page);
  }
  void sort_by(EntityOrder less);
  void arrange(std::span<std::uint32_t> order);

  // Kept out of the callers' fast paths.
  [[gnu::noinline]] Inserted insert_slowly(Entity entity);
  [[gnu::noinline]] void vacate(std::uint32_t position, std::uint32_t last) noexcept;
  [[gnu::noinline]] void reserve_entry(std::uint32_t index);
  [[gnu::noinline]] void reserve_value();
  [[gnu::noinline]] void keep_as_spare(std::uint32_t page) noexcept;
  [[gnu::noinline]] void release_value_pages(std::size_t keep) noexcept;

  std::uint32_t* take_spare() noexcept;
  std::uint32_t* unlist(std::uint32_t page) noexcept;
  void release_entry_page(std::uint32_t page) noexcept;
  std::size_t value_pages_in_use() const noexcept;
  std::size_t value_page_bytes() const noexcept { return std::size_t{value_size_} << row_bits_; }
  std::size_t value_alignment() const noexcept;
  std::uint32_t room() const noexcept;
  std::pmr::memory_resource* memory() const { return entities_.get_allocator().resource(); }

  std::string check_entries() const;
  std::string check_values() const;

  std::pmr::vector<EntryPage> entry_pages_;    // By index / kEntriesPerPage.
  std::pmr::vector<std::uint32_t> own_pages_;  // Numbers of the pages of entries that are not shared.
  std::pmr::vector<Entity> entities_;
  std::pmr::vector<std::byte*> value_pages_;  // By position >> row_bits_.
  std::uint32_t value_size_;                  // In bytes; 0: a tag.
  std::uint32_t row_bits_ = 0;                // A position's bits below its page's number,
  std::uint32_t row_mask_ = 0;                // and what selects them.
  std::uint32_t room_ = 0;
  std::uint32_t kept_ = 0;         // How many pages of entries had members when the pool was last cleared.
  std::uint32_t spare_ = kNoPage;  // The last page of entries that was made or lost its members.
  const ComponentDescription& component_;
  ComponentId id_;
};

}  // namespace strata
