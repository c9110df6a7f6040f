#include "paged_index.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "../../core/cache_line.hpp"
#include "../../core/reserve.hpp"
#include "../../core/rollback.hpp"

namespace strata::detail {

PagedIndex::PagedIndex(std::uint32_t entries_per_page, Memberships* joined, std::uint32_t pool,
                       std::pmr::memory_resource* memory)
    : page_bits_(static_cast<std::uint32_t>(std::bit_width(entries_per_page) - 1)),
      joined_(joined),
      mark_(pool),
      all_pages_(memory),
      made_(memory) {}

PagedIndex::PagedIndex(const PagedIndex& other, std::pmr::memory_resource* memory)
    : page_bits_(other.page_bits_),
      joined_(other.joined_),
      mark_(other.mark_),
      all_pages_(memory),
      made_(memory) {}

void PagedIndex::swap(PagedIndex& other) noexcept {
  std::swap(pages_, other.pages_);
  std::swap(page_count_, other.page_count_);
  std::swap(kept_, other.kept_);
  std::swap(spare_, other.spare_);
  all_pages_.swap(other.all_pages_);
  made_.swap(other.made_);
}

PagedIndex::~PagedIndex() {
  while (!made_.empty()) release(made_.back());
}

/// Returns: the description of a page that is not allocated. All of its indices use the shared entry kAbsentEntry. The
/// cast away from const is safe, because kAbsentEntry is never written to: a page is allocated before an entry is
/// written to it.
PagedIndex::Page PagedIndex::no_page() noexcept {
  return {const_cast<std::uint32_t*>(&kAbsentEntry), 0, 0, 0};
}

void PagedIndex::reserve(std::uint32_t index) {
  if (has_page(index)) return;
  const std::uint32_t number = index >> page_bits_;
  cover(number);
  reserve_one(made_);
  if (joined_ != nullptr) joined_->hold(number << page_bits_, entries_per_page());
  std::uint32_t* entries = take_spare();
  if (entries == nullptr) {
    Rollback release_again([&] { release_memberships(number); });
    entries = static_cast<std::uint32_t*>(memory()->allocate(page_bytes(), kCacheLine));
    release_again.dismiss();
    std::uninitialized_fill_n(entries, entries_per_page(), kAbsent);
  }
  pages_[number] = {entries, entries_per_page() - 1, 0, static_cast<std::uint32_t>(made_.size())};
  made_.push_back(number);
  spare_ = number;  // The page is the spare page until its first member is entered.
}

/// Extends the array of pages, so that it has an element for page `number`. Allocates no page.
void PagedIndex::cover(std::uint32_t number) {
  if (number < page_count_) return;
  all_pages_.resize(number + 1, no_page());
  pages_ = all_pages_.data();
  page_count_ = number + 1;
}

/// If new entries are recorded in a Memberships (the record of the pools that each entity has joined), calls
/// Memberships::release for the indices of page `number`, so that the Memberships may free the bits of these indices.
void PagedIndex::release_memberships(std::uint32_t number) noexcept {
  if (joined_ != nullptr) joined_->release(number << page_bits_, entries_per_page());
}

void PagedIndex::hold_pages(Memberships& joined) const {
  for (const std::uint32_t number : made_) joined.hold(number << page_bits_, entries_per_page());
}

void PagedIndex::begin_recording(Memberships& joined) noexcept {
  // Finds the members by the entries of this PagedIndex, and not by the pool's array of members: in that array, the
  // null handle replaces a member whose value is being moved (see SparsePool::hide).
  for (std::uint32_t number = 0; number < page_count_; ++number) {
    const Page& page = pages_[number];
    if (page.mask == 0) continue;
    for (std::uint32_t entry = 0; entry <= page.mask; ++entry) {
      if (page.entries[entry] != kAbsent) joined.add((number << page_bits_) | entry, mark_);
    }
  }
  joined_ = &joined;
}

/// Keeps a page that lost its last entry as the spare page, so that repeatedly adding and removing one member does not
/// allocate. The page replaces the previous spare page, which is freed unless it has got entries again.
void PagedIndex::keep_as_spare(std::uint32_t number) noexcept {
  if (spare_ == number) return;
  if (spare_ != kNoPage && pages_[spare_].members == 0) release(spare_);
  spare_ = number;
}

/// Takes the memory away from the spare page (the one that lost its last entry most recently), so that another page can
/// use the memory. If that page has got entries again, it keeps its memory, and there is no spare page afterwards.
/// Returns: the memory, whose entries are all kAbsent; null if none was taken.
std::uint32_t* PagedIndex::take_spare() noexcept {
  const std::uint32_t number = std::exchange(spare_, kNoPage);
  return number != kNoPage && pages_[number].members == 0 ? unlist(number) : nullptr;
}

/// Takes the memory away from page `number`, which has no members. Afterwards, all indices of the page use the shared
/// entry kAbsentEntry.
/// Returns: the memory, whose entries are all kAbsent.
std::uint32_t* PagedIndex::unlist(std::uint32_t number) noexcept {
  const Page page = std::exchange(pages_[number], no_page());
  made_[page.listed] = made_.back();
  if (made_.back() != number) pages_[made_.back()].listed = page.listed;
  made_.pop_back();
  release_memberships(number);
  return page.entries;
}

void PagedIndex::release(std::uint32_t number) noexcept {
  if (number == spare_) spare_ = kNoPage;
  memory()->deallocate(unlist(number), page_bytes(), kCacheLine);
}

void PagedIndex::clear(std::span<const Entity> members) noexcept {
  for (const Entity entity : members) move(entity.index(), kAbsent);
  for (std::size_t i = made_.size(); i-- != 0;) {
    // `release` removes the page from `made_` by moving the last element to its position. The loop goes backwards, so
    // that element has already been processed.
    if (std::exchange(pages_[made_[i]].members, 0) == 0) release(made_[i]);
  }
  kept_ = static_cast<std::uint32_t>(made_.size());
}

void PagedIndex::shrink() noexcept {
  for (std::size_t i = made_.size(); i-- != 0;) {
    if (pages_[made_[i]].members == 0) release(made_[i]);
  }
  kept_ = 0;
  while (!all_pages_.empty() && all_pages_.back().mask == 0) all_pages_.pop_back();
  all_pages_.shrink_to_fit();
  made_.shrink_to_fit();
  pages_ = all_pages_.data();
  page_count_ = static_cast<std::uint32_t>(all_pages_.size());
}

std::size_t PagedIndex::reserved() const noexcept {
  return made_.size() * page_bytes() + memory_use_of(all_pages_).reserved + memory_use_of(made_).reserved;
}

std::string PagedIndex::check_invariants(std::span<const Entity> members) const {
  std::size_t made = 0;
  std::size_t unused = 0;
  std::size_t entered = 0;
  for (std::uint32_t number = 0; number < page_count_; ++number) {
    if (std::string complaint = check_page(number); !complaint.empty()) return complaint;
    const Page& page = all_pages_[number];
    const bool own = page.mask != 0;
    if (own != (page.listed < made_.size() && made_[page.listed] == number)) {
      return "N3: the pages that have been made are not those that are listed";
    }
    made += own ? 1 : 0;
    unused += own && page.members == 0 ? 1 : 0;
    entered += page.members;
  }
  if (made != made_.size() || unused > kept_ + 1) {
    return "N3: " + std::to_string(unused) + " of " + std::to_string(made_.size()) +
           " pages are kept without members";
  }
  // Each member has an entry of its own (the contract of this function). So if there are as many entries as members,
  // no entry is without a member.
  return entered == members.size() ? "" : "N2: an entry has no member";
}

std::string PagedIndex::check_page(std::uint32_t number) const {
  const Page& page = all_pages_[number];
  if (page.mask != (page.entries != &kAbsentEntry ? entries_per_page() - 1 : 0)) {
    return "N1: a page selects its entries by the wrong bits";
  }
  std::uint32_t members = 0;
  for (std::uint32_t place = 0; place <= page.mask; ++place) {
    const std::uint32_t index = (number << page_bits_) + place;
    if (page.entries[place] == kAbsent) continue;
    ++members;
    if (joined_ != nullptr && !joined_->contains(index, mark_))
      return "N4: index " + std::to_string(index) + " is a member without its membership bit";
  }
  if (page.members != members) {
    return "N2: a page counts " + std::to_string(page.members) + " members and has " +
           std::to_string(members);
  }
  return "";
}

}  // namespace strata::detail
