// RankLists: the tables of one archetype that have rows, in one list for each rank (depth of their entities).
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <utility>

#include "../../core/compiler.hpp"
#include "../../core/pointer_list.hpp"
#include "rank_index.hpp"
#include "table.hpp"

namespace strata::detail {

/// The tables of one archetype that have rows, in one list for each rank (depth of their entities). A list refers to a
/// table by the first block of the table (the first of the allocations that store its rows). If no table of a
/// rank has rows, the rank usually has no list. So the memory is proportional to the number of lists and not to the
/// highest rank: a single table at rank 200,000 takes one list.
///
/// Lists are stored in order of rank, in pages. A page holds the lists of up to 64 adjacent ranks. So adding
/// or removing a list moves at most the other lists of its page.
///
/// A promise is a reserved position in a list. It allows adding a table later without allocating memory.
///
/// Invariants:
///   A1. The list of a rank contains the first block of exactly the tables of that rank that have rows, each
///       at the position that its table stores.
///   A5. Every list has a table or a promise, unless it is the only list of the archetype. Every page has a list.
///   A6. Pages, and the lists of a page, are in order of rank.
///   A7. For each rank with a list, the RankIndex contains the archetype once.
///
/// Threads: any number of readers, or one writer.
class RankLists {
 public:
  /// The tables of one archetype and one rank (depth of their entities) that have rows.
  struct List {
    List(std::uint32_t rank_of_tables, std::pmr::memory_resource* memory)
        : blocks(memory), rank(rank_of_tables) {}

    PointerList<Block> blocks;   // The first block of each table.
    std::uint32_t promised = 0;  // The number of reserved positions; see `promise`.
    std::uint32_t rank;
  };

  /// An iterator over the lists, in order of rank. Lists that have only reserved positions and no table are visited,
  /// too. A cursor becomes invalid when a table is added to a list or removed from one, and when positions are reserved
  /// or released.
  class Cursor {
   public:
    Cursor() = default;

    bool at_end() const { return list_ == nullptr; }
    std::uint32_t rank() const { return list_->rank; }
    std::span<Block* const> tables() const { return list_->blocks; }

    /// Moves to the list of the next higher rank; to the end when there is none.
    /// Contract: the cursor is not at the end.
    void next() noexcept {
      if (++list_ == end_) [[unlikely]]
        enter_next_page();
    }
    /// Moves to the list of the next lower rank; to the end when there is none.
    /// Contract: the cursor is not at the end.
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
    const List* begin_ = nullptr;  // The first list of the page.
    const List* end_ = nullptr;
    const RankLists* lists_ = nullptr;
    std::uint32_t page_ = 0;
  };

  /// `owner` is the archetype that has these tables. `index` maps ranks to the archetypes that have lists for them.
  /// When a RankLists makes a list for a rank, it adds the owner to the archetypes of this rank in the index. When it
  /// removes the list, it removes the owner from them.
  RankLists(Archetype& owner, RankIndex& index, std::pmr::memory_resource* memory)
      : owner_(owner), index_(index), pages_(memory) {}
  RankLists(const RankLists&) = delete;
  RankLists& operator=(const RankLists&) = delete;
  ~RankLists();

  /// Returns: the number of tables in all lists.
  std::uint32_t tables() const { return tables_; }

  /// Returns: the first block of each table that has the rank `rank` (depth of its entities) and at least one row;
  /// empty when there is no such table.
  /// Complexity: O(1) if most ranks have a list; otherwise O(log lists).
  std::span<Block* const> at(std::uint32_t rank) const {
    const List* const list = find(rank);
    return list != nullptr ? std::span<Block* const>(list->blocks) : std::span<Block* const>();
  }

  /// Returns: a cursor at the list of the lowest rank, even if this list has only reserved positions (see `promise`);
  /// at the end if no list has a table.
  Cursor first() const { return tables_ == 0 ? Cursor() : Cursor(*this, 0); }
  /// Returns: a cursor at the list of the highest rank; at the end if no list has a table.
  Cursor last() const {
    if (tables_ == 0) return Cursor();
    Cursor last(*this, pages_.size() - 1);
    last.list_ = last.end_ - 1;
    return last;
  }

  /// Calls `visit(std::span<Block* const>)` once for each rank with a list, in increasing order, with the first block
  /// of each table of that rank. The span is empty if the list has no table.
  template <class Visit>
  void for_each(Visit visit) const {
    for (Page* const page : std::span<Page* const>(pages_)) {
      const List* const lists = page->lists();
      for (std::uint32_t i = 0; i < page->count; ++i) visit(std::span<Block* const>(lists[i].blocks));
    }
  }

  /// Reserves a position in the list of tables of a rank (depth of entities), so that a later `enter` of a table of
  /// this rank cannot fail.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Complexity: amortised O(1) if `rank` is above all ranks that have a list, or if most ranks have one; otherwise
  /// O(log lists).
  void promise(std::uint32_t rank);
  /// Releases one position that `promise` has reserved for this rank. If the list has no tables and no other
  /// reserved positions, also removes the list; see `remove_if_unused`.
  /// Contract: a position is reserved for this rank.
  void take_back(std::uint32_t rank) noexcept;
  /// Releases all positions that `promise` has reserved, for all ranks, and removes the lists that have no
  /// tables; see `remove_if_unused`.
  void take_all_back() noexcept;

  /// Adds a table to the list of tables of its rank, at a position that `promise` has reserved.
  /// Contract: a position is reserved for this rank.
  void enter(Table& table) noexcept;
  /// Removes a table from the list of tables of its rank. The last table of the list moves to the position that becomes
  /// free. If this leaves the list without tables and reserved positions, also removes the list; see
  /// `remove_if_unused`.
  /// Contract: the table is in the list.
  void leave(Table& table) noexcept;
  /// Removes a table from its list as `leave` does, and reserves a position in the list for a later table of
  /// that rank; see `promise`.
  void leave_and_promise(Table& table) noexcept;

  /// Called when `table` has got another first block. A list contains the first block of each table, so this function
  /// replaces the old block in the list.
  /// Contract: the table is in the list.
  void replace_first_block(const Table& table) noexcept {
    find(table.rank())->blocks[table.rank_position_] = table.first_block_;
  }

  /// Frees unused memory of lists and pages. Positions that are reserved stay reserved.
  /// Errors: std::bad_alloc; the contents of the lists are unchanged then.
  void shrink();

  MemoryUse memory_use() const;

  /// Returns: the number of positions that are reserved (see `promise`) in all lists together.
  std::uint32_t promised() const;

  std::string check_invariants() const;

 private:
  static constexpr std::uint32_t kRanksPerPage = 64;

  /// The header of an allocation that stores the lists of up to 64 adjacent ranks. It has room for `capacity`
  /// lists, of which `count` exist.
  struct Page {
    std::uint32_t number;  // Each rank of the page, divided by kRanksPerPage, is this number.
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
  STRATA_API const List* find_among_all(std::uint32_t rank) const;
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
  /// Returns: the only list of the archetype; null if it has several lists or none.
  const List* only() const {
    return pages_.size() == 1 && pages_[0]->count == 1 ? pages_[0]->lists() : nullptr;
  }
  static bool is_unused(const List& list) { return list.blocks.empty() && list.promised == 0; }
  bool has_unused() const { return only() != nullptr && is_unused(*only()); }

  /// Removes a list if it has no tables and no reserved positions. Exception: the archetype's only list stays if it
  /// takes no more memory than a new list. If the only entity of an archetype is destroyed and created repeatedly, this
  /// list is reused each time.
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
