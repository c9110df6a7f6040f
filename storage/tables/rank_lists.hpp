// RankLists: the tables with rows of one archetype, listed by rank.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <utility>

#include "../../core/pointer_list.hpp"
#include "rank_index.hpp"
#include "table.hpp"

namespace strata::detail {

/// A list of tables for each rank that has some, in order of rank. An archetype may have one table at rank 200,000, or one
/// at each rank up to it: lists take memory in proportion to their number, not to the highest rank.
///
/// Lists are kept in pages. A page has the lists of up to 64 neighbouring ranks, packed, so that a list that comes or
/// goes moves at most the others of its page.
///
/// Invariants:
///   A1. The list for a rank holds the first block of exactly the tables with rows of that rank, each at the position
///       that its table knows.
///   A5. Every list has a table or a promise, unless it is the only one, and every page has a list.
///   A6. Pages, and the lists of a page, are in order of rank.
///   A7. The index has the archetype at each rank with a list, once.
///
/// Threads: any number of readers, or one writer.
class RankLists {
 public:
  /// The tables of one rank.
  struct List {
    List(std::uint32_t rank_of_tables, std::pmr::memory_resource* memory)
        : blocks(memory), rank(rank_of_tables) {}

    PointerList<Block> blocks;   // The first one of each table.
    std::uint32_t promised = 0;  // Tables that will enter and must not fail to.
    std::uint32_t rank;
  };

  /// A place among the lists. Goes stale when a table enters or leaves.
  class Cursor {
   public:
    Cursor() = default;

    bool at_end() const { return list_ == nullptr; }
    std::uint32_t rank() const { return list_->rank; }
    std::span<Block* const> tables() const { return list_->blocks; }

    /// Goes to the list of the next higher rank, or the next lower one.
    /// Contract: not at the end.
    void next() noexcept {
      if (++list_ == end_) [[unlikely]]
        enter_next_page();
    }
    void previous() noexcept {
      if (list_-- == begin_) [[unlikely]]
        enter_previous_page();
    }

   private:
    friend class RankLists;
    Cursor(const RankLists& lists, std::uint32_t page) : lists_(&lists) { enter(page); }
    void enter(std::uint32_t page) noexcept {
      const Page& entered = *lists_->pages_[page];
      page_ = page;
      list_ = begin_ = entered.lists();
      end_ = begin_ + entered.count;
    }
    void enter_next_page() noexcept;
    void enter_previous_page() noexcept;

    const List* list_ = nullptr;   // Null at the end.
    const List* begin_ = nullptr;  // Of the page.
    const List* end_ = nullptr;
    const RankLists* lists_ = nullptr;
    std::uint32_t page_ = 0;
  };

  /// `owner` is the archetype whose tables these are.
  RankLists(Archetype& owner, RankIndex& index, std::pmr::memory_resource* memory)
      : owner_(owner), index_(index), pages_(memory) {}
  RankLists(const RankLists&) = delete;
  RankLists& operator=(const RankLists&) = delete;
  ~RankLists();

  /// Returns: how many tables there are in all lists.
  std::uint32_t tables() const { return tables_; }

  /// Returns: the first blocks of the tables of that rank.
  /// Complexity: O(1) where most ranks have a list; otherwise O(log lists).
  std::span<Block* const> at(std::uint32_t rank) const {
    const List* const list = find(rank);
    return list != nullptr ? std::span<Block* const>(list->blocks) : std::span<Block* const>();
  }

  /// Returns: the list of the lowest rank, or the highest; at the end, if there are no tables.
  Cursor first() const { return tables_ == 0 ? Cursor() : Cursor(*this, 0); }
  Cursor last() const {
    if (tables_ == 0) return Cursor();
    Cursor last(*this, pages_.size() - 1);
    last.list_ = last.end_ - 1;
    return last;
  }

  /// Calls `visit(std::span<Block* const>)` for the tables of each rank, by rising rank.
  template <class Visit>
  void for_each(Visit visit) const {
    for (Page* const page : std::span<Page* const>(pages_)) {
      const List* const lists = page->lists();
      for (std::uint32_t i = 0; i < page->count; ++i) visit(std::span<Block* const>(lists[i].blocks));
    }
  }

  /// Promises that a later `enter` of a table with that rank has room.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Complexity: O(1) amortised where ranks rise or most have a list; otherwise O(log lists).
  void promise(std::uint32_t rank);
  /// Takes a promise back, or all of them.
  void take_back(std::uint32_t rank) noexcept;
  void take_all_back() noexcept;

  /// Contract: room was promised.
  void enter(Table& table) noexcept;
  /// The last table of the list takes its position.
  void leave(Table& table) noexcept;
  /// As `leave`, and promises the place to the next table of that rank.
  void leave_and_promise(Table& table) noexcept;

  /// Notes that a table has another first block.
  void replace_first_block(const Table& table) noexcept {
    find(table.rank())->blocks[table.rank_position_] = table.first_block_;
  }

  /// Gives back room.
  /// Errors: std::bad_alloc; the lists are unchanged then.
  void shrink();

  MemoryUse memory_use() const;

  /// Returns: how many tables are promised room.
  std::uint32_t promised() const;

  std::string check_invariants() const;

 private:
  static constexpr std::uint32_t kRanksPerPage = 64;

  /// Header of an allocation that goes on with `capacity` lists, of which there are `count`.
  struct Page {
    std::uint32_t number;  // Of the page: its ranks divided by kRanksPerPage.
    std::uint16_t count;
    std::uint16_t capacity;

    List* lists() { return reinterpret_cast<List*>(this + 1); }
    const List* lists() const { return reinterpret_cast<const List*>(this + 1); }
  };
  static_assert(sizeof(Page) % alignof(List) == 0);

  std::uint32_t position_of_page(std::uint32_t number) const;
  static std::uint32_t position_of_list(const Page& page, std::uint32_t rank);
  const List* find(std::uint32_t rank) const {
    if (const List* const only = this->only()) [[likely]]
      return only->rank == rank ? only : nullptr;
    return find_among_all(rank);
  }
  const List* find_among_all(std::uint32_t rank) const;
  List* find(std::uint32_t rank) { return const_cast<List*>(std::as_const(*this).find(rank)); }
  List& find_or_make(std::uint32_t rank) {
    List* const found = find(rank);
    return found != nullptr ? *found : make_indexed(rank);
  }
  List& make_indexed(std::uint32_t rank);
  List& use_again(std::uint32_t rank) noexcept;
  List& make(std::uint32_t rank);
  Page& make_page(std::uint32_t number, std::uint32_t capacity);
  void free_page(Page& page) noexcept;
  void change_capacity(std::uint32_t position, std::uint32_t capacity);
  /// Returns: the list, if there is one alone.
  const List* only() const {
    return pages_.size() == 1 && pages_[0]->count == 1 ? pages_[0]->lists() : nullptr;
  }
  static bool is_unused(const List& list) { return list.blocks.empty() && list.promised == 0; }
  bool has_unused() const { return only() != nullptr && is_unused(*only()); }

  /// Removes a list that has neither tables nor promises. The only one is kept for the next rank if it takes no more memory
  /// than any list: the only row of an archetype may come and go.
  void remove_if_unused(List& list) noexcept {
    if (!is_unused(list)) return;
    if (&list == only() && pages_[0]->capacity == 1 && list.blocks.capacity() == 1) return;
    remove(list);
  }
  void remove(List& list) noexcept;
  std::string check_list(const List& list) const;
  List& take_out(Table& table) noexcept;

  Archetype& owner_;
  RankIndex& index_;
  PointerList<Page> pages_;
  std::uint32_t tables_ = 0;
};

}  // namespace strata::detail
