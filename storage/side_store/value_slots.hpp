// ValueSlots: finds the values of a sparse set in which values stay in place when other members are erased, and assigns
// free memory to new values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <string>
#include <utility>

#include "../../core/compiler.hpp"
#include "../../core/memory_use.hpp"
#include "../../core/plain_list.hpp"
#include "value_pages.hpp"

namespace strata::detail {

/// Assigns rows of memory to the values of a stable pool, that is, a sparse set whose values do not move when other
/// members are erased or sorted. Maps the position of each member to the row of its value (see ValuePages), and knows
/// which rows are free. The row of a value stays the same until `compact`. Each page has a list of freed rows. A new
/// value gets a row of the first open page (a page with both used and free rows), or of the spare page if no page is
/// open. On this page, it gets the row that was freed most recently or, if no row was freed, one that was never used.
///
/// Invariants:
///   V1. Different positions have different rows, and the pages of these rows have memory.
///   V2. Each row of a page is either in use, in the page's list of freed rows, or was never used. The page counts its
///       rows in use.
///   V3. The list of open pages contains exactly the pages with both used and free rows. At most one page without used
///       rows has memory: the spare page.
///   V4. The pages without memory form a linked list.
///
/// Threads: any number of readers, or one writer.
class ValueSlots {
 public:
  ValueSlots(ValuePages& values, std::pmr::memory_resource* memory)
      : values_(values), rows_(memory), pages_(memory), next_free_(memory) {}

  /// Returns: the number of entries in the map from positions to rows. There is one for each member, and one for each
  /// removed value that waits to be destroyed.
  std::size_t size() const noexcept { return rows_.size(); }
  std::uint32_t row_of(std::uint32_t position) const noexcept { return rows_[position]; }

  /// Returns: the number of entries (pairs of a position and its row) for which memory is allocated.
  std::size_t capacity() const noexcept { return rows_.capacity(); }
  void reserve(std::size_t positions) { rows_.reserve(positions); }

  /// Allocates one more page, whose rows are all free. The page becomes the spare page.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Contract: there is no spare page, that is, no page with memory and without used rows.
  void reserve_page();

  /// Adds an entry for a new last member, and assigns a free row to it, for the value of the member.
  /// Returns: the row.
  /// Contract: there is capacity for an entry, and a free row on a page with memory.
  std::uint32_t push() noexcept {
    const std::uint32_t row = take_row();
    rows_.append(row);
    return row;
  }

  /// Returns: the array that maps the position of each member to the row of its value. Sorting a pool permutes this
  /// array, and leaves the values where they are.
  std::uint32_t* rows() noexcept { return rows_.data(); }

  /// Assigns another row to the member at a position. Moves no value, and frees no row.
  void set(std::uint32_t position, std::uint32_t row) noexcept { rows_[position] = row; }

  /// Removes the entry of the last position, and frees `row`, the row that had the value of the removed member. The
  /// pool removes a member by swap-and-pop: it first assigns the row of the last member to the position of the removed
  /// member (see `set`), and then calls `pop`.
  /// Contract: no remaining entry has the row `row`.
  /// Complexity: O(1).
  void pop(std::uint32_t row) noexcept {
    rows_.pop_back();
    free_row(row);
  }

  /// Removes all entries and frees all rows. Frees the memory of all pages except one, which becomes the spare page.
  /// Does not destroy values.
  void clear() noexcept;

  /// Exchanges the entries with those of another object. The caller also exchanges the ValuePages of the two objects.
  void swap(ValueSlots& other) noexcept;

  /// Assigns new rows to values, so that all values (n in number, see `size`) are in the rows below n, and frees the
  /// pages without values. For each value that gets another row, calls `move(position, from, to)`, which has to move
  /// the value from row `from` to row `to`.
  /// Returns: the number of moved values.
  /// Complexity: O(n + pages).
  template <class Move>
  std::size_t compact(Move move) noexcept {
    renumber_pages();
    const auto end = static_cast<std::uint32_t>(rows_.size());
    mark_rows_below(end);
    std::size_t moved = 0;
    std::uint32_t hole = 0;
    for (std::uint32_t position = 0; position < end; ++position) {
      if (rows_[position] < end) continue;
      while (next_free_[hole] == kTaken) ++hole;
      move(position, rows_[position], hole);
      rows_[position] = hole++;
      ++moved;
    }
    fill_pages(end, values_.page_of(end + values_.rows_per_page() - 1));
    return moved;
  }

  /// Frees memory that no value needs: the spare page, unused capacity of arrays, and the elements of `pages_` behind
  /// that of the last page with memory.
  void shrink() noexcept;

  /// Returns: the allocated bytes, without the pages of values.
  std::size_t reserved() const noexcept {
    return memory_use_of(rows_).reserved + memory_use_of(pages_).reserved +
           memory_use_of(next_free_).reserved;
  }

  /// Returns: the first invariant that does not hold, as a sentence; empty when all do.
  std::string check_invariants() const;

 private:
  static constexpr std::uint32_t kNone = 0xFFFF'FFFF;
  static constexpr std::uint32_t kTaken = 0xFFFF'FFFE;

  struct Page {
    std::uint32_t used = 0;
    std::uint32_t fresh = 0;     ///< Rows from this one on were never used.
    std::uint32_t free = kNone;  ///< The most recently freed row of the page; see `next_free_`.
    std::uint32_t previous = kNone;
    std::uint32_t next = kNone;  ///< The next page in the list of open pages, or of those without memory.
  };

  std::uint32_t take_row() noexcept {
    if (open_ == kNone) open_spare();
    Page& page = pages_[open_];
    const std::uint32_t row = page.free != kNone ? page.free : values_.first_row(open_) + page.fresh++;
    if (page.free != kNone) page.free = next_free_[row];
    if (++page.used == values_.rows_per_page()) close(open_);
    return row;
  }

  void free_row(std::uint32_t row) noexcept {
    const std::uint32_t number = values_.page_of(row);
    Page& page = pages_[number];
    next_free_[row] = std::exchange(page.free, row);
    if (page.used-- == values_.rows_per_page()) open(number);
    if (page.used == 0) [[unlikely]]
      keep_as_spare(number);
  }

  void open(std::uint32_t number) noexcept;
  void close(std::uint32_t number) noexcept;
  STRATA_NOINLINE void open_spare() noexcept;
  STRATA_NOINLINE void keep_as_spare(std::uint32_t number) noexcept;
  void release(std::uint32_t number) noexcept;

  void renumber_pages() noexcept;
  void mark_rows_below(std::uint32_t end) noexcept;
  void fill_pages(std::uint32_t used, std::uint32_t count) noexcept;

  std::string check_lists() const;

  ValuePages& values_;
  PlainList<std::uint32_t> rows_;         // By position of a member: the row of its value.
  PlainList<Page> pages_;                 // By page number: the state of a page of values.
  PlainList<std::uint32_t> next_free_;    // By freed row: the row freed before it on the same page.
  std::uint32_t open_ = kNone;            // The first page with both used and free rows.
  std::uint32_t spare_ = kNone;           // The page with memory and without used rows.
  std::uint32_t without_memory_ = kNone;  // The first page without memory.
};

}  // namespace strata::detail
