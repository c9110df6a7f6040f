#include "value_slots.hpp"

#include <algorithm>

#include "../../core/reserve.hpp"

namespace strata::detail {

void ValueSlots::reserve_page() {
  std::uint32_t number = without_memory_;
  if (number != kNone) {
    values_.make(number);
    without_memory_ = pages_[number].next;
  } else {
    number = values_.size();
    const std::size_t rows = std::size_t{number + 1} * values_.rows_per_page();
    reserve_one(pages_);
    if (rows > next_free_.capacity()) next_free_.reserve(std::max(rows, next_free_.capacity() * 2));
    values_.append();
    pages_.append();
    next_free_.resize(rows, kNone);
  }
  pages_[number] = {};
  spare_ = number;
}

/// Adds a page to the list of open pages: those with both used and free rows.
void ValueSlots::open(std::uint32_t number) noexcept {
  Page& page = pages_[number];
  page.previous = kNone;
  page.next = std::exchange(open_, number);
  if (page.next != kNone) pages_[page.next].previous = number;
}

/// Removes a page from the list of open pages: those with both used and free rows.
void ValueSlots::close(std::uint32_t number) noexcept {
  const Page& page = pages_[number];
  (page.previous != kNone ? pages_[page.previous].next : open_) = page.next;
  if (page.next != kNone) pages_[page.next].previous = page.previous;
}

void ValueSlots::open_spare() noexcept {
  open(std::exchange(spare_, kNone));
}

/// Removes a page that lost its last value from the list of open pages (those with both used and free rows), and keeps
/// it as the spare page, so that adding and removing one value repeatedly does not allocate. If there is a spare page
/// already, frees the one of the two pages that has the higher number.
void ValueSlots::keep_as_spare(std::uint32_t number) noexcept {
  close(number);
  pages_[number] = {};
  if (spare_ != kNone) release(std::max(number, spare_));
  spare_ = spare_ != kNone ? std::min(number, spare_) : number;
}

/// Frees the memory of a page that has no values, and adds the page to the list of pages without memory.
/// Contract: the page is neither the spare page nor in the list of open pages (those with both used and free rows).
void ValueSlots::release(std::uint32_t number) noexcept {
  values_.release(number);
  pages_[number].next = std::exchange(without_memory_, number);
}

void ValueSlots::clear() noexcept {
  rows_.clear();
  next_free_.clear();
  open_ = without_memory_ = spare_ = kNone;
  std::uint32_t kept = 0;
  while (kept < values_.size() && !values_.has_memory(kept)) ++kept;
  if (kept == values_.size()) return pages_.clear();
  values_.renumber(kept, 0);
  fill_pages(0, 1);
}

void ValueSlots::swap(ValueSlots& other) noexcept {
  rows_.swap(other.rows_);
  pages_.swap(other.pages_);
  next_free_.swap(other.next_free_);
  std::swap(open_, other.open_);
  std::swap(spare_, other.spare_);
  std::swap(without_memory_, other.without_memory_);
}

/// Renumbers the pages so that those with memory come first, in the same order as before. Changes the row numbers of
/// all values accordingly. Stores the new number of each page in Page::next, and thereby destroys the lists of pages.
/// The caller has to call `fill_pages` next, which rebuilds these lists.
void ValueSlots::renumber_pages() noexcept {
  std::uint32_t made = 0;
  for (std::uint32_t number = 0; number < values_.size(); ++number) {
    if (!values_.has_memory(number)) continue;
    pages_[number].next = made;
    values_.renumber(number, made++);
  }
  for (std::uint32_t& row : rows_) {
    row = values_.first_row(pages_[values_.page_of(row)].next) + values_.row_in_page(row);
  }
}

void ValueSlots::mark_rows_below(std::uint32_t end) noexcept {
  std::fill_n(next_free_.begin(), end, kNone);
  for (const std::uint32_t row : rows_) {
    if (row < end) next_free_[row] = kTaken;
  }
}

/// Keeps the first `count` pages and frees the others. Of the rows on the kept pages, marks the first `used` ones as
/// used and the rest as never used, and rebuilds the lists of pages.
/// Contract: `used` is at least the number of the first row on the last kept page, and at most the number of all rows
/// on the kept pages.
void ValueSlots::fill_pages(std::uint32_t used, std::uint32_t count) noexcept {
  values_.truncate(count);
  pages_.resize(count);
  next_free_.resize(std::size_t{count} * values_.rows_per_page());
  open_ = without_memory_ = spare_ = kNone;
  for (std::uint32_t number = 0; number < count; ++number) {
    const std::uint32_t here = std::min(used - values_.first_row(number), values_.rows_per_page());
    pages_[number] = {.used = here, .fresh = here};
    if (here == 0) {
      spare_ = number;
    } else if (here != values_.rows_per_page()) {
      open(number);
    }
  }
}

void ValueSlots::shrink() noexcept {
  if (spare_ != kNone) release(std::exchange(spare_, kNone));
  while (!pages_.empty() && !values_.has_memory(values_.size() - 1)) {
    pages_.pop_back();
    values_.truncate(values_.size() - 1);
  }
  next_free_.resize(std::size_t{values_.size()} * values_.rows_per_page());
  without_memory_ = kNone;
  for (std::uint32_t number = values_.size(); number-- != 0;) {
    if (!values_.has_memory(number)) pages_[number].next = std::exchange(without_memory_, number);
  }
  rows_.shrink_to_fit();
  pages_.shrink_to_fit();
  next_free_.shrink_to_fit();
}

std::string ValueSlots::check_invariants() const {
  const std::uint32_t rows_per_page = values_.rows_per_page();
  std::vector<std::uint32_t> used(pages_.size());
  std::vector<bool> taken(next_free_.size());
  if (pages_.size() != values_.size() || taken.size() != pages_.size() * rows_per_page) {
    return "V2: " + std::to_string(values_.size()) + " pages of values are not all accounted for";
  }
  for (const std::uint32_t row : rows_) {
    const std::uint32_t number = values_.page_of(row);
    if (number >= used.size() || !values_.has_memory(number))
      return "V1: a value is on a page without memory";
    if (taken[row]) return "V1: row " + std::to_string(row) + " belongs to two positions";
    taken[row] = true;
    ++used[number];
  }
  for (std::uint32_t number = 0; number < pages_.size(); ++number) {
    const Page& page = pages_[number];
    std::uint32_t rows = used[number] + rows_per_page - page.fresh;
    for (std::uint32_t row = page.free; row != kNone && rows <= rows_per_page;
         row = next_free_[row], ++rows) {
      if (taken[row] || values_.page_of(row) != number)
        return "V2: row " + std::to_string(row) + " is not free";
    }
    if (!values_.has_memory(number)) continue;
    if (page.used != used[number] || rows != rows_per_page) {
      return "V2: page " + std::to_string(number) + " of values miscounts its used or free rows";
    }
  }
  return check_lists();
}

std::string ValueSlots::check_lists() const {
  std::size_t open = 0;
  std::size_t without_memory = 0;
  std::size_t spare = 0;
  for (std::uint32_t number = 0; number < pages_.size(); ++number) {
    const std::uint32_t used = pages_[number].used;
    without_memory += values_.has_memory(number) ? 0 : 1;
    spare += values_.has_memory(number) && used == 0 ? 1 : 0;
    open += used != 0 && used != values_.rows_per_page() ? 1 : 0;
  }
  for (std::uint32_t number = open_; number != kNone && open-- != 0; number = pages_[number].next) {
    const std::uint32_t used = pages_[number].used;
    if (used == 0 || used == values_.rows_per_page()) return "V3: a page that is full or empty is open";
    const std::uint32_t next = pages_[number].next;
    if ((next == kNone) != (open == 0) || (next != kNone && pages_[next].previous != number)) {
      return "V3: the list of open pages is broken";
    }
  }
  if (open != 0 && open_ == kNone) return "V3: a page with free rows is not open";
  if (spare != (spare_ != kNone ? 1u : 0u))
    return "V3: " + std::to_string(spare) + " pages are without values";
  for (std::uint32_t number = without_memory_; number != kNone; number = pages_[number].next) {
    if (values_.has_memory(number) || without_memory-- == 0) return "V4: a page in use is chained as free";
  }
  return without_memory == 0 ? "" : "V4: a page without memory is not chained";
}

}  // namespace strata::detail
