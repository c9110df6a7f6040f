#include "rank_lists.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "../../core/rollback.hpp"
#include "archetype.hpp"

namespace strata::detail {

RankLists::~RankLists() {
  for (Page* const page : std::span<Page* const>(pages_)) {
    std::destroy_n(page->lists(), page->count);
    free_page(*page);
  }
}

void RankLists::Cursor::enter_next_page() noexcept {
  list_ = nullptr;
  if (page_ + 1 < lists_->pages_.size()) enter(page_ + 1);
}

void RankLists::Cursor::enter_previous_page() noexcept {
  list_ = nullptr;
  if (page_ == 0) return;
  enter(page_ - 1);
  list_ = end_ - 1;
}

/// Returns: the position in `pages_` of the first page whose number is at least `number`; the count of pages
/// if there is none. The number of a page is the rank of any of its lists, divided by kRanksPerPage.
std::uint32_t RankLists::position_of_page(std::uint32_t number) const {
  const std::span<Page* const> pages = pages_;
  if (pages.empty() || pages.front()->number >= number) return 0;
  // If there is a page for every number from that of the first page to `number`, the position is the difference of
  // these two numbers.
  const std::size_t distance = number - pages.front()->number;
  if (distance < pages.size() && pages[distance]->number == number) {
    return static_cast<std::uint32_t>(distance);
  }
  const auto found =
      std::lower_bound(pages.begin(), pages.end(), number,
                       [](const Page* page, std::uint32_t wanted) { return page->number < wanted; });
  return static_cast<std::uint32_t>(found - pages.begin());
}

/// Returns: the position in a page of the first list whose rank is at least `rank`; the number of lists in
/// the page if there is none.
std::uint32_t RankLists::position_of_list(const Page& page, std::uint32_t rank) {
  const List* const lists = page.lists();
  if (lists[0].rank >= rank) return 0;
  const std::uint32_t distance = rank - lists[0].rank;
  if (distance < page.count && lists[distance].rank == rank) return distance;
  const List* const found =
      std::lower_bound(lists, lists + page.count, rank,
                       [](const List& list, std::uint32_t wanted) { return list.rank < wanted; });
  return static_cast<std::uint32_t>(found - lists);
}

const RankLists::List* RankLists::find_among_all(std::uint32_t rank) const {
  const std::uint32_t number = rank / kRanksPerPage;
  const std::uint32_t position = position_of_page(number);
  if (position == pages_.size() || pages_[position]->number != number) return nullptr;
  const Page& page = *pages_[position];
  const std::uint32_t list = position_of_list(page, rank);
  return list != page.count && page.lists()[list].rank == rank ? &page.lists()[list] : nullptr;
}

RankLists::Page& RankLists::make_page(std::uint32_t number, std::uint32_t capacity) {
  void* const memory = pages_.memory()->allocate(sizeof(Page) + capacity * sizeof(List), alignof(List));
  return *::new (memory) Page{number, 0, static_cast<std::uint16_t>(capacity)};
}

void RankLists::free_page(Page& page) noexcept {
  pages_.memory()->deallocate(&page, sizeof(Page) + page.capacity * sizeof(List), alignof(List));
}

/// Replaces the page at `position` (in `pages_`) by one with room for `capacity` lists, and moves the lists
/// of the old page to the new one.
/// Errors: std::bad_alloc; nothing has changed then.
/// Contract: the page has at most `capacity` lists.
void RankLists::change_capacity(std::uint32_t position, std::uint32_t capacity) {
  Page& old = *pages_[position];
  Page& page = make_page(old.number, capacity);
  std::uninitialized_move_n(old.lists(), old.count, page.lists());
  std::destroy_n(old.lists(), old.count);
  page.count = old.count;
  pages_[position] = &page;
  free_page(old);
}

/// Makes the list of tables for a rank (depth of entities) that has no list, and adds the archetype to the RankIndex
/// for this rank. If the only list of the archetype is unused, reuses that list; otherwise creates a new one.
/// Returns: the list, which is empty and has room for one table.
/// Errors: std::bad_alloc; nothing has changed then.
RankLists::List& RankLists::make_indexed(std::uint32_t rank) {
  index_.add(owner_, rank);
  Rollback remove([&] { index_.remove(owner_, rank); });
  List& made = has_unused() ? use_again(rank) : make(rank);
  remove.dismiss();
  return made;
}

/// Turns the archetype's only list, which contains no table and was made for another rank, into the list for `rank`.
/// Removes the archetype from the RankIndex for the other rank.
/// Returns: the list.
RankLists::List& RankLists::use_again(std::uint32_t rank) noexcept {
  List& list = *pages_[0]->lists();
  index_.remove(owner_, list.rank);
  pages_[0]->number = rank / kRanksPerPage;
  list.rank = rank;
  return list;
}

RankLists::List& RankLists::make(std::uint32_t rank) {
  const std::uint32_t number = rank / kRanksPerPage;
  const std::uint32_t at = position_of_page(number);
  if (at == pages_.size() || pages_[at]->number != number) {
    if (pages_.size() == pages_.capacity()) pages_.reserve(std::size_t{pages_.capacity()} * 2);
    Page& made = make_page(number, 1);
    pages_.insert(at, &made);
    made.count = 1;
    return *std::construct_at(made.lists(), rank, pages_.memory());
  }
  if (pages_[at]->count == pages_[at]->capacity) {
    change_capacity(at, std::min(pages_[at]->capacity * 2u, kRanksPerPage));
  }
  Page& page = *pages_[at];
  List* const lists = page.lists();
  const std::uint32_t position = position_of_list(page, rank);
  for (std::uint32_t i = page.count++; i != position; --i) {
    std::construct_at(&lists[i], std::move(lists[i - 1]));
    std::destroy_at(&lists[i - 1]);
  }
  return *std::construct_at(&lists[position], rank, pages_.memory());
}

/// Removes a list from its page, and frees the page if it has no other list. Also removes the archetype from the
/// RankIndex for the rank of the list.
/// Contract: the list has no tables and no reserved positions.
void RankLists::remove(List& list) noexcept {
  index_.remove(owner_, list.rank);
  const std::uint32_t at = position_of_page(list.rank / kRanksPerPage);
  Page& page = *pages_[at];
  std::destroy_at(&list);
  for (List *last = page.lists() + --page.count, *to = &list; to != last; ++to) {
    std::construct_at(to, std::move(to[1]));
    std::destroy_at(&to[1]);
  }
  if (page.count != 0) return;
  free_page(page);
  pages_.erase(at);
}

void RankLists::promise(std::uint32_t rank) {
  List& list = find_or_make(rank);  // A new list has room for one table.
  const std::size_t wanted = std::size_t{list.blocks.size()} + list.promised + 1;
  if (wanted > list.blocks.capacity()) {
    list.blocks.reserve(std::max(wanted, std::size_t{list.blocks.capacity()} * 2));
  }
  ++list.promised;
}

void RankLists::take_back(std::uint32_t rank) noexcept {
  List& list = *find(rank);
  --list.promised;
  remove_if_unused(list);
}

void RankLists::take_all_back() noexcept {
  for (std::uint32_t at = pages_.size(); at-- > 0;) {
    for (std::uint32_t i = pages_[at]->count; i-- > 0;) {
      List& list = pages_[at]->lists()[i];
      list.promised = 0;
      remove_if_unused(list);  // Frees the page if this was its last list: always the one with i == 0.
    }
  }
}

void RankLists::enter(Table& table) noexcept {
  List& list = *find(table.rank());
  table.rank_position_ = list.blocks.size();
  list.blocks.push_back(table.first_block_);
  --list.promised;
  ++tables_;
}

/// Removes a table from the list of tables of its rank. Does not remove the list, even if the list becomes empty.
/// Returns: the list.
RankLists::List& RankLists::take_out(Table& table) noexcept {
  List& list = *find(table.rank());
  Block* const last = list.blocks.back();
  list.blocks[table.rank_position_] = last;
  table_of(*last).rank_position_ = table.rank_position_;
  list.blocks.pop_back();
  --tables_;
  return list;
}

void RankLists::leave(Table& table) noexcept {
  remove_if_unused(take_out(table));
}

void RankLists::leave_and_promise(Table& table) noexcept {
  ++take_out(table).promised;
}

void RankLists::shrink() {
  if (has_unused()) remove(*pages_[0]->lists());
  for (std::uint32_t at = 0; at < pages_.size(); ++at) {
    if (pages_[at]->count < pages_[at]->capacity) change_capacity(at, pages_[at]->count);
    List* const lists = pages_[at]->lists();
    for (std::uint32_t i = 0; i < pages_[at]->count; ++i) {
      if (lists[i].promised == 0) lists[i].blocks.shrink_to_fit();
    }
  }
  pages_.shrink_to_fit();
}

MemoryUse RankLists::memory_use() const {
  MemoryUse use = pages_.memory_use();
  for (const Page* const page : std::span<Page* const>(pages_)) {
    const std::size_t used = has_unused() ? 0 : sizeof(Page) + page->count * sizeof(List);
    use += {used, sizeof(Page) + page->capacity * sizeof(List)};
    for (std::uint32_t i = 0; i < page->count; ++i) use += page->lists()[i].blocks.memory_use();
  }
  return use;
}

std::uint32_t RankLists::promised() const {
  std::uint32_t promised = 0;
  for (const Page* const page : std::span<Page* const>(pages_)) {
    for (std::uint32_t i = 0; i < page->count; ++i) promised += page->lists()[i].promised;
  }
  return promised;
}

std::string RankLists::check_list(const List& list) const {
  if (is_unused(list) && &list != only()) return "A5: a list has no table and no promise";
  const std::span<Archetype* const> indexed = index_.at(list.rank);
  if (std::count(indexed.begin(), indexed.end(), &owner_) != 1) {
    return "A7: the index does not have the archetype once for rank " + std::to_string(list.rank);
  }
  for (std::uint32_t position = 0; position < list.blocks.size(); ++position) {
    const Table& table = table_of(*list.blocks[position]);
    if (&table.archetype() != &owner_ || table.rank() != list.rank || table.empty()) {
      return "A1: the list of rank " + std::to_string(list.rank) +
             " holds a table that does not belong there";
    }
    if (table.first_block_ != list.blocks[position] || table.rank_position_ != position) {
      return "A1: a table and its position in a rank list do not agree";
    }
  }
  return "";
}

std::string RankLists::check_invariants() const {
  std::uint32_t tables = 0;
  std::uint64_t above = 0;  // The least value that the next rank may have.
  for (const Page* const page : std::span<Page* const>(pages_)) {
    if (page->count == 0) return "A5: a page has no list";
    for (const List& list : std::span(page->lists(), page->count)) {
      if (list.rank < above || list.rank / kRanksPerPage != page->number) {
        return "A6: lists are not in order of rank";
      }
      above = std::uint64_t{list.rank} + 1;
      if (std::string wrong = check_list(list); !wrong.empty()) return wrong;
      tables += list.blocks.size();
    }
  }
  return tables == tables_ ? "" : "A1: tables with rows are miscounted";
}

}  // namespace strata::detail
