// PagedIndex: leads from an entity's index to its position in a pool.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <vector>

#include "../../core/entity.hpp"
#include "../../core/memory_use.hpp"
#include "memberships.hpp"

namespace strata::detail {

/// The sparse array of a sparse set, on pages that are made for their first member and given back with their last.
/// Entries are noted in memberships, too, once `begin_noting` was called.
///
/// Invariants:
///   N1. A page has an entry for each of its indices, or is none and has one for all of them, which is kAbsent.
///   N2. A page counts its members, which are its entries that are not kAbsent.
///   N3. A page is listed exactly if it is one. Listed ones without members are at most as many as had some when
///       the index was last cleared, and one more.
///   N4. If it notes entries, the memberships hold the indices of listed pages, and those of members have
///       their bit.
///
/// Threads: any number of readers, or one writer.
class PagedIndex {
  /// The positions of neighbouring indices.
  struct Page {
    std::uint32_t* entries;  ///< May be the shared page of absent entries, which is never written.
    std::uint32_t mask;      ///< Of an index's bits that select its entry; 0 if the page has not been made.
    std::uint32_t members;
    std::uint32_t listed;  ///< Its position in the list of pages that have been made.
  };

 public:
  static constexpr std::uint32_t kAbsent = 0xFFFF'FFFF;

  /// Entries are noted in `joined` as joining that pool; if it is null, only from begin_noting on.
  /// Contract: `entries_per_page` is a power of two, at least 2, and `joined` outlives the index.
  PagedIndex(std::uint32_t entries_per_page, Memberships* joined, std::uint32_t pool,
             std::pmr::memory_resource* memory);
  PagedIndex(const PagedIndex&) = delete;
  PagedIndex& operator=(const PagedIndex&) = delete;
  ~PagedIndex();

  /// Returns: the position entered for an entity's index, kAbsent for none.
  std::uint32_t find(std::uint32_t index) const noexcept {
    const std::uint32_t number = index >> page_bits_;
    if (number >= page_count_) return kAbsent;
    const Page& page = pages_[number];
    return page.entries[index & page.mask];
  }

  /// Finds the positions entered for many.
  /// Returns: for how many there is none.
  std::uint32_t find_many(std::span<const Entity> entities, std::uint32_t* positions) const noexcept {
    return pass_over(entities, [&](auto find) { return find_many(entities, positions, find); });
  }

  /// Lists which of many are entered, or which are not, by their numbers among them.
  /// Returns: how many.
  template <bool entered>
  std::uint32_t list_many(std::span<const Entity> entities, std::uint32_t* numbers) const noexcept {
    return pass_over(entities, [&](auto find) { return list_many<entered>(entities, numbers, find); });
  }

  bool has_page(std::uint32_t index) const noexcept {
    const std::uint32_t number = index >> page_bits_;
    return number < page_count_ && pages_[number].mask != 0;
  }

  /// Makes sure that an index has a page, which stays until another one is made or the index is cleared or
  /// shrunk, even if no entry is made.
  /// Errors: std::bad_alloc; no entry has changed then.
  void reserve(std::uint32_t index);

  /// Enters a position.
  /// Returns: false when the index has no page or an entry already; nothing has changed then.
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

  /// Enters another position for a member.
  void move(std::uint32_t index, std::uint32_t position) noexcept {
    const Page& page = pages_[index >> page_bits_];
    page.entries[index & page.mask] = position;
  }

  /// Where an index is entered.
  class Spot {
   public:
    /// Returns: the position entered there, kAbsent for none.
    std::uint32_t position() const noexcept { return *entry_; }

   private:
    friend class PagedIndex;
    Spot(Page* page, std::uint32_t* entry) : page_(page), entry_(entry) {}

    Page* page_;
    std::uint32_t* entry_;
  };

  /// Invalidates: the spot, by anything that makes or gives back pages.
  Spot locate(std::uint32_t index) noexcept {
    const std::uint32_t number = index >> page_bits_;
    if (number >= page_count_) return {nullptr, const_cast<std::uint32_t*>(&kNobody)};
    Page& page = pages_[number];
    return {&page, page.entries + (index & page.mask)};
  }

  /// Takes out the member whose spot that is.
  void leave(Spot spot) noexcept {
    *spot.entry_ = kAbsent;
    if (--spot.page_->members == 0) [[unlikely]]
      keep_as_spare(static_cast<std::uint32_t>(spot.page_ - pages_));
  }
  void leave(std::uint32_t index) noexcept { leave(locate(index)); }

  /// Takes out the members, which are these. Pages that had some stay until the next time, which gives back those
  /// that have none by then.
  /// Complexity: O(members).
  void clear(std::span<const Entity> members) noexcept;

  /// Gives back the pages without members.
  void shrink() noexcept;

  /// Has `joined` hold what `begin_noting` needs.
  /// Errors: std::bad_alloc; a part is held then.
  void hold_pages(Memberships& joined) const;

  /// Notes these members, which are all, and from here on every entry.
  /// Contract: as of the constructor, and `joined` holds the pages.
  /// Complexity: O(members).
  void begin_noting(Memberships& joined, std::span<const Entity> members) noexcept;
  bool notes() const noexcept { return joined_ != nullptr; }

  /// Units: bytes held in all.
  std::size_t reserved() const noexcept;

  /// Returns: the first invariant that does not hold, as a sentence; empty when all do.
  /// Complexity: O(pages).
  std::string check_invariants(std::span<const Entity> members) const;

 private:
  static constexpr std::uint32_t kNoPage = 0xFFFF'FFFF;

  /// Stands for every page that has not been made, so that a look-up needs no null check.
  alignas(64) static const std::uint32_t kNobody;

  /// Returns: what `pass(find)` does, which finds the entry of each entity's index. It is called again if
  /// what was found was not right, because they do not share a page.
  template <class Pass>
  std::uint32_t pass_over(std::span<const Entity> entities, Pass pass) const noexcept {
    if (entities.empty()) return 0;
    const std::uint32_t first = entities.front().index();
    const bool may_share_a_page = (first ^ entities.back().index()) >> page_bits_ == 0;
    if (may_share_a_page && has_page(first)) {
      // In registers, which a store of a position would not leave them to.
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

  // Kept out of the callers' fast paths.
  [[gnu::noinline]] void keep_as_spare(std::uint32_t number) noexcept;

  void cover(std::uint32_t number);
  void let_go(std::uint32_t number) noexcept;
  std::uint32_t* take_spare() noexcept;
  std::uint32_t* unlist(std::uint32_t number) noexcept;
  void release(std::uint32_t number) noexcept;
  std::string check_page(std::uint32_t number) const;
  std::pmr::memory_resource* memory() const { return made_.get_allocator().resource(); }

  Page* pages_ = nullptr;         // By index >> page_bits_: those of all_pages_,
  std::uint32_t page_count_ = 0;  // and how many there are.
  std::uint32_t page_bits_;
  Memberships* joined_;  // Null: entries are not noted.
  Memberships::Mark mark_;
  std::uint32_t kept_ = 0;         // How many pages had members when the index was last cleared.
  std::uint32_t spare_ = kNoPage;  // The last page that was made or lost its members.
  std::pmr::vector<Page> all_pages_;
  std::pmr::vector<std::uint32_t> made_;  // Numbers of the pages that have been made.
};

}  // namespace strata::detail
