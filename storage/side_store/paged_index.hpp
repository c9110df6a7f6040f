// PagedIndex: the sparse array of a sparse set, which maps an entity's index to the entity's position in the
// set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>

#include "../../core/compiler.hpp"
#include "../../core/entity.hpp"
#include "../../core/memory_use.hpp"
#include "../../core/plain_list.hpp"
#include "memberships.hpp"

namespace strata::detail {

/// The sparse array of a sparse set: maps the index of an entity to the entity's position in the dense array. "An index
/// has an entry" means that its entry is not kAbsent: an entity with this index is in the set. A page of the array is
/// allocated for its first member. The page that lost its last member most recently is kept as a spare, and the
/// previous spare page is freed. If a Memberships is given (a record of the sparse sets that each entity has joined),
/// every new entry is also recorded there.
///
/// Invariants:
///   N1. A page has an entry for each of its indices. An index without a page uses the shared entry, which is
///       kAbsent.
///   N2. A page counts its members: its entries that are not kAbsent.
///   N3. The list `made_` contains exactly the allocated pages. An allocated page without members is the spare page, or
///       was kept by the last `clear`. So if that `clear` kept n pages, at most n + 1 allocated pages are without
///       members.
///   N4. If entries are recorded in a Memberships, the bits of all members are set in it, and Memberships::hold is in
///       effect for the indices of the allocated pages.
///
/// Threads: any number of readers, or one writer.
class PagedIndex {
  /// A page of the array: the entries of adjacent indices. `members` is the number of entries that are not kAbsent,
  /// that is, of entities in the sparse set. If the page is not allocated, `entries` points to the shared entry (see
  /// N1), which is never written to.
  struct Page {
    std::uint32_t* entries;
    std::uint32_t mask;  ///< entries[index & mask] is the entry of an index; 0 if the page is not allocated.
    std::uint32_t members;
    std::uint32_t listed;  ///< The page's position in the list of allocated pages.
  };

 public:
  static constexpr std::uint32_t kAbsent = 0xFFFF'FFFF;

  /// `joined` is the record of the sparse sets that each entity has joined. New entries are recorded in it, under the
  /// number `pool` of this sparse set. If `joined` is null, no entries are recorded until `begin_recording`.
  /// Contract: `entries_per_page` is a power of two, at least 2, and `joined` outlives the index.
  PagedIndex(std::uint32_t entries_per_page, Memberships* joined, std::uint32_t pool,
             std::pmr::memory_resource* memory);
  /// Makes an index without entries. The new index records its entries in the same Memberships as `other`, and has
  /// pages of the same size.
  PagedIndex(const PagedIndex& other, std::pmr::memory_resource* memory);
  PagedIndex(const PagedIndex&) = delete;
  PagedIndex& operator=(const PagedIndex&) = delete;
  ~PagedIndex();

  /// Returns: the position of the member with this entity index; kAbsent when there is none.
  std::uint32_t find(std::uint32_t index) const noexcept {
    const std::uint32_t number = index >> page_bits_;
    if (number >= page_count_) return kAbsent;
    const Page& page = pages_[number];
    return page.entries[index & page.mask];
  }

  /// Writes the position of each of the entities to `positions`; kAbsent for entities without an entry.
  /// Returns: the number of entities without an entry.
  /// Contract: `positions` has room for one position per entity.
  std::uint32_t find_many(std::span<const Entity> entities, std::uint32_t* positions) const noexcept {
    return pass_over(entities, [&](auto find) { return find_many(entities, positions, find); });
  }

  /// Finds the entities that have an entry (if `entered` is true) or that have none (if it is false). For each entity
  /// found, writes its number in the span `entities` (0 for the first one) to `numbers`.
  /// Returns: the number of entities found.
  /// Contract: `numbers` has room for one number for each of the entities, found or not.
  template <bool entered>
  std::uint32_t list_many(std::span<const Entity> entities, std::uint32_t* numbers) const noexcept {
    return pass_over(entities, [&](auto find) { return list_many<entered>(entities, numbers, find); });
  }

  /// Returns: whether the page of an index is allocated.
  bool has_page(std::uint32_t index) const noexcept {
    const std::uint32_t number = index >> page_bits_;
    return number < page_count_ && pages_[number].mask != 0;
  }

  /// Allocates the page of an index, if it has none, so that `try_enter` can add an entry. If no entry is
  /// added, the page is kept until another page is allocated or loses its last entry, or `clear` or `shrink`
  /// is called.
  /// Errors: std::bad_alloc; no entry has changed then.
  void reserve(std::uint32_t index);

  /// Adds an entry that maps an index to a position.
  /// Returns: false when the index has no page or already has an entry; nothing has changed then.
  bool try_enter(std::uint32_t index, std::uint32_t position) noexcept {
    const std::uint32_t number = index >> page_bits_;
    if (number >= page_count_) [[unlikely]]
      return false;
    Page& page = pages_[number];
    std::uint32_t& entry = page.entries[index & page.mask];
    if (entry != kAbsent || page.mask == 0) [[unlikely]]
      return false;
    entry = position;
    ++page.members;
    if (joined_ != nullptr) [[unlikely]]
      joined_->add(index, mark_);
    return true;
  }

  /// Changes the entry of an index to another position.
  /// Contract: the index has an entry.
  void move(std::uint32_t index, std::uint32_t position) noexcept {
    const Page& page = pages_[index >> page_bits_];
    page.entries[index & page.mask] = position;
  }

  /// A reference to the entry of an entity's index, so that reading and then removing the entry takes one look-up. If
  /// the index has no entry, `position` returns kAbsent.
  class Spot {
   public:
    /// Returns: the position in the entry; kAbsent when there is none.
    std::uint32_t position() const noexcept { return *entry_; }

   private:
    friend class PagedIndex;
    Spot(Page* page, std::uint32_t* entry) : page_(page), entry_(entry) {}

    Page* page_;
    std::uint32_t* entry_;
  };

  /// Returns: a reference to the entry of an index. If there is no entry, Spot::position returns kAbsent.
  /// Invalidates: the reference, by calls that allocate or free pages.
  Spot locate(std::uint32_t index) noexcept {
    const std::uint32_t number = index >> page_bits_;
    if (number >= page_count_) return {nullptr, const_cast<std::uint32_t*>(&kAbsentEntry)};
    Page& page = pages_[number];
    return {&page, page.entries + (index & page.mask)};
  }

  /// Removes the entry to which a Spot refers. If its page has no other entry, keeps the page as the spare page, and
  /// frees the one that was the spare before, if that is still empty.
  /// Contract: the entry is not kAbsent.
  void leave(Spot spot) noexcept {
    *spot.entry_ = kAbsent;
    if (--spot.page_->members == 0) [[unlikely]]
      keep_as_spare(static_cast<std::uint32_t>(spot.page_ - pages_));
  }
  /// Removes the entry of an index.
  /// Contract: the index has an entry.
  void leave(std::uint32_t index) noexcept { leave(locate(index)); }

  /// Exchanges the entries of two PagedIndex objects.
  /// Contract: both have pages of the same size. Either neither records its entries in a Memberships, or both record
  /// them in the same one, under the same pool number (see the constructor).
  void swap(PagedIndex& other) noexcept;

  /// Removes all entries; `members` are all entities that have an entry. Frees the pages that had no entry before the
  /// call. Keeps the pages that it empties, for new entries, until `shrink` or the next `clear` finds them still empty.
  /// Complexity: O(members).
  void clear(std::span<const Entity> members) noexcept;

  /// Frees the pages that have no entry, and unused capacity of arrays.
  void shrink() noexcept;

  /// Prepares `begin_recording`: for each entity index that lies on an allocated page of this object, allocates the
  /// bits in `joined` (the record of the sparse sets that each entity has joined), and calls Memberships::hold, so that
  /// they are not freed.
  /// Errors: std::bad_alloc; the memory allocated before the failure is kept.
  void hold_pages(Memberships& joined) const;

  /// Records in `joined` (the record of the sparse sets that each entity has joined) which entities have an entry: now,
  /// and from now on each entity that gets an entry.
  /// Contract: `joined` outlives the index, and `hold_pages` was called.
  /// Complexity: O(entries of all pages).
  void begin_recording(Memberships& joined) noexcept;
  /// Returns: whether new entries are recorded in a Memberships (the record of the sparse sets that each entity has
  /// joined).
  bool records() const noexcept { return joined_ != nullptr; }

  /// Returns: the allocated bytes.
  std::size_t reserved() const noexcept;

  /// Checks the invariants, among them that no entities except `members` have entries.
  /// Returns: the first invariant that does not hold, as a sentence; empty when all do.
  /// Contract: each of `members` has an entry.
  /// Complexity: O(entries of all pages).
  std::string check_invariants(std::span<const Entity> members) const;

 private:
  static constexpr std::uint32_t kNoPage = 0xFFFF'FFFF;

  /// The entry of all indices whose page is not allocated, so that a look-up needs no null check.
  alignas(64) static constexpr std::uint32_t kAbsentEntry = kAbsent;

  /// Calls `pass(find)`, which has to call `find(index)` for all of `entities`: `find` returns the entry of an index.
  /// If the first and the last entity are on the same page, most likely all entities are. In this case, `find` is a
  /// faster function that only reads this page. Its result is wrong for an entity on another page. If there was such an
  /// entity, `pass` is called a second time, with a `find` that reads all pages.
  /// Returns: the result of the last call of `pass`; 0 if there are no entities, because `pass` is not called then.
  template <class Pass>
  std::uint32_t pass_over(std::span<const Entity> entities, Pass pass) const noexcept {
    if (entities.empty()) return 0;
    const std::uint32_t first = entities.front().index();
    const bool may_share_a_page = (first ^ entities.back().index()) >> page_bits_ == 0;
    if (may_share_a_page && has_page(first)) {
      // Local copies. Without them, the compiler would read these two members again for each entity, because it must
      // assume that the positions stored by `pass` may overwrite them.
      const std::uint32_t* const entries = pages_[first >> page_bits_].entries;
      const std::uint32_t mask = pages_[first >> page_bits_].mask;
      std::uint32_t differing = 0;
      const std::uint32_t found = pass([&](std::uint32_t index) {
        differing |= index ^ first;
        return entries[index & mask];
      });
      if (differing >> page_bits_ == 0) return found;
    }
    return pass([this](std::uint32_t index) { return find(index); });
  }

  template <class Find>
  static std::uint32_t find_many(std::span<const Entity> entities, std::uint32_t* positions,
                                 Find find) noexcept {
    std::uint32_t absent = 0;
    for (const Entity entity : entities) {
      const std::uint32_t position = find(entity.index());
      absent += position == kAbsent ? 1 : 0;
      *positions++ = position;
    }
    return absent;
  }

  template <bool entered, class Find>
  static std::uint32_t list_many(std::span<const Entity> entities, std::uint32_t* numbers,
                                 Find find) noexcept {
    std::uint32_t count = 0;
    std::uint32_t number = 0;
    for (const Entity entity : entities) {
      numbers[count] = number++;
      count += (find(entity.index()) != kAbsent) == entered ? 1 : 0;
    }
    return count;
  }

  static Page no_page() noexcept;
  std::uint32_t entries_per_page() const noexcept { return 1u << page_bits_; }
  std::size_t page_bytes() const noexcept { return sizeof(std::uint32_t) << page_bits_; }

  // Not inlined, to keep the callers' fast paths short.
  STRATA_NOINLINE STRATA_API void keep_as_spare(std::uint32_t number) noexcept;

  void cover(std::uint32_t number);
  void release_memberships(std::uint32_t number) noexcept;
  std::uint32_t* take_spare() noexcept;
  std::uint32_t* unlist(std::uint32_t number) noexcept;
  void release(std::uint32_t number) noexcept;
  std::string check_page(std::uint32_t number) const;
  std::pmr::memory_resource* memory() const { return made_.memory(); }

  Page* pages_ = nullptr;         // The elements of all_pages_, by index >> page_bits_.
  std::uint32_t page_count_ = 0;  // The number of elements of `pages_`.
  std::uint32_t page_bits_;
  Memberships* joined_;  // Records new entries, unless it is null.
  Memberships::Mark mark_;
  std::uint32_t kept_ = 0;         // The number of pages with members when the index was last cleared.
  std::uint32_t spare_ = kNoPage;  // The page that was allocated last or became empty last.
  PlainList<Page> all_pages_;
  PlainList<std::uint32_t> made_;  // The numbers of the allocated pages.
};

}  // namespace strata::detail
