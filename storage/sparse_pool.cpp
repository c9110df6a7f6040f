#include "sparse_pool.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "../core/contract.hpp"
#include "../core/reserve.hpp"
#include "../core/rollback.hpp"

namespace strata {
namespace {

constexpr std::size_t kCacheLine = 64;
constexpr std::size_t kValuePageBytes = 16 * 1024;  // Of larger values there is one to a page.
constexpr std::size_t kEntryPageBytes = sizeof(std::uint32_t) * SparsePool::kEntriesPerPage;
constexpr std::size_t kFirstCapacity = 16;

constexpr auto absent_entries() {
  std::array<std::uint32_t, SparsePool::kEntriesPerPage> entries{};
  for (std::uint32_t& entry : entries) entry = SparsePool::kAbsent;
  return entries;
}

/// A page table has one type of pointer; a page without members is replaced before it is written to.
std::uint32_t* writable(const std::array<std::uint32_t, SparsePool::kEntriesPerPage>& page) {
  return const_cast<std::uint32_t*>(page.data());
}

}  // namespace

alignas(kCacheLine) constinit const
    std::array<std::uint32_t, SparsePool::kEntriesPerPage> SparsePool::kEmptyPage = absent_entries();

SparsePool::SparsePool(ComponentId id, const ComponentDescription& component,
                       std::pmr::memory_resource* memory)
    : entry_pages_(memory),
      own_pages_(memory),
      entities_(memory),
      value_pages_(memory),
      value_size_(static_cast<std::uint32_t>(component.size)),
      component_(component),
      id_(id) {
  const std::size_t rows = kValuePageBytes / std::max<std::size_t>(value_size_, 1);
  row_bits_ = static_cast<std::uint32_t>(std::bit_width(std::max<std::size_t>(rows, 1)) - 1);
  row_mask_ = (1u << row_bits_) - 1;
}

SparsePool::~SparsePool() {
  clear();
  release_value_pages(0);
  while (!own_pages_.empty()) release_entry_page(own_pages_.back());
}

SparsePool::Inserted SparsePool::insert_slowly(Entity entity) {
  const std::uint32_t known = entry_of(entity.index());
  if (known != kAbsent) {
    STRATA_EXPECTS(entities_[known] == entity,
                   "the pool of \"" + component_.name + "\" cannot take " + to_string(entity) + ": erase " +
                       to_string(entities_[known]) + " first, which has its index");
    return {value_at(known), true};
  }
  STRATA_EXPECTS(static_cast<bool>(entity),
                 "the pool of \"" + component_.name + "\" cannot take the entity that names nothing");
  // What is made before a step fails is left as a spare.
  if (!has_entry_page(entity.index())) reserve_entry(entity.index());
  if (size() == room_) reserve_value();
  return insert(entity);
}

/// Destroys the value at `position` and moves the last member there.
void SparsePool::vacate(std::uint32_t position, std::uint32_t last) noexcept {
  if (value_size_ != 0) component_.destroy_values(value_at(position), 1);
  if (position != last) put(position, entities_[last], value_at(last));
}

void SparsePool::clear() noexcept {
  for (const Entity entity : entities_) entry_at(entity.index()) = kAbsent;
  for (std::size_t i = own_pages_.size(); i-- != 0;) {
    // Where the last one comes in the place of one that is given back, it has had its turn.
    if (std::exchange(entry_pages_[own_pages_[i]].members, 0) == 0) release_entry_page(own_pages_[i]);
  }
  kept_ = static_cast<std::uint32_t>(own_pages_.size());
  for (std::uint32_t position = 0; value_size_ != 0 && position < size(); position += row_mask_ + 1) {
    component_.destroy_values(value_at(position), std::min(size() - position, row_mask_ + 1));
  }
  entities_.clear();
  release_value_pages(1);
}

/// Fills the hole at `position` with a member and its value, the one place where a member moves.
void SparsePool::put(std::uint32_t position, Entity entity, void* value) noexcept {
  if (value_size_ != 0) component_.relocate_values(value_at(position), value, 1);
  entities_[position] = entity;
  entry_at(entity.index()) = position;
}

/// Puts the member that was at order[i] to position i, for every i, cycle by cycle.
void SparsePool::sort_by(EntityOrder less) {
  std::pmr::vector<std::uint32_t> positions(entities_.size() * 2, entities_.get_allocator());
  const std::span<std::uint32_t> order = std::span(positions).first(entities_.size());
  for (std::uint32_t position = 0; position < size(); ++position) order[position] = position;
  arrange(merge_sort(order, std::span(positions).subspan(order.size()), entities_, less));
}

void SparsePool::arrange(std::span<std::uint32_t> order) {
  void* scratch = value_size_ != 0 ? memory()->allocate(value_size_, component_.alignment) : nullptr;
  const detail::Rollback give_back([&] {
    if (scratch != nullptr) memory()->deallocate(scratch, value_size_, component_.alignment);
  });
  for (std::uint32_t start = 0; start < order.size(); ++start) {
    if (order[start] == start) continue;
    const Entity first = entities_[start];
    if (value_size_ != 0) component_.relocate_values(scratch, value_at(start), 1);
    std::uint32_t hole = start;
    while (order[hole] != start) {
      const std::uint32_t from = std::exchange(order[hole], hole);
      put(hole, entities_[from], value_at(from));
      hole = from;
    }
    order[hole] = hole;
    put(hole, first, scratch);
  }
}

void SparsePool::reserve_entry(std::uint32_t index) {
  const std::uint32_t page = index / kEntriesPerPage;
  if (page >= entry_pages_.size()) entry_pages_.resize(page + 1, {writable(kEmptyPage), 0, 0});
  detail::reserve_one(own_pages_);
  std::uint32_t* entries = take_spare();
  if (entries == nullptr) {
    entries = static_cast<std::uint32_t*>(memory()->allocate(kEntryPageBytes, kCacheLine));
    std::uninitialized_fill_n(entries, kEntriesPerPage, kAbsent);
  }
  entry_pages_[page] = {entries, 0, static_cast<std::uint32_t>(own_pages_.size())};
  own_pages_.push_back(page);
  spare_ = page;  // Until its first member is in.
}

/// Keeps a page that lost its last member where it is: all its entries are absent again, and one member that
/// comes and goes costs no allocation.
void SparsePool::keep_as_spare(std::uint32_t page) noexcept {
  if (std::uint32_t* entries = take_spare()) memory()->deallocate(entries, kEntryPageBytes, kCacheLine);
  spare_ = page;
}

/// Returns: a page of absent entries, if there is one that nobody needs.
std::uint32_t* SparsePool::take_spare() noexcept {
  const std::uint32_t page = std::exchange(spare_, kNoPage);
  return page != kNoPage && entry_pages_[page].members == 0 ? unlist(page) : nullptr;
}

/// Puts the shared page in the place of one without members.
/// Returns: the entries, all absent.
std::uint32_t* SparsePool::unlist(std::uint32_t page) noexcept {
  EntryPage& own = entry_pages_[page];
  own_pages_[own.listed] = own_pages_.back();
  entry_pages_[own_pages_.back()].listed = own.listed;
  own_pages_.pop_back();
  return std::exchange(own.entries, writable(kEmptyPage));
}

void SparsePool::release_entry_page(std::uint32_t page) noexcept {
  if (page == spare_) spare_ = kNoPage;
  memory()->deallocate(unlist(page), kEntryPageBytes, kCacheLine);
}

void SparsePool::reserve_value() {
  if (entities_.size() == entities_.capacity()) {
    entities_.reserve(std::max(kFirstCapacity, entities_.capacity() * 2));
  }
  if (value_size_ != 0 && entities_.size() >> row_bits_ == value_pages_.size()) {
    value_pages_.push_back(nullptr);
    detail::Rollback shorten([&] { value_pages_.pop_back(); });
    value_pages_.back() = static_cast<std::byte*>(memory()->allocate(value_page_bytes(), value_alignment()));
    shorten.dismiss();
  }
  room_ = room();
}

void SparsePool::release_value_pages(std::size_t keep) noexcept {
  while (value_pages_.size() > keep) {
    memory()->deallocate(value_pages_.back(), value_page_bytes(), value_alignment());
    value_pages_.pop_back();
  }
  room_ = room();
}

MemoryUse SparsePool::memory_use() const noexcept {
  const std::size_t member_bytes = sizeof(Entity) + value_size_ + sizeof(std::uint32_t);
  const std::size_t pages = value_pages_.size() * value_page_bytes() + own_pages_.size() * kEntryPageBytes;
  return {size() * member_bytes,
          pages + entities_.capacity() * sizeof(Entity) + entry_pages_.capacity() * sizeof(EntryPage) +
              own_pages_.capacity() * sizeof(std::uint32_t) + value_pages_.capacity() * sizeof(std::byte*)};
}

void SparsePool::shrink() noexcept {
  for (std::size_t i = own_pages_.size(); i-- != 0;) {
    // Where the last one comes in the place of one that is given back, it has had its turn.
    if (entry_pages_[own_pages_[i]].members == 0) release_entry_page(own_pages_[i]);
  }
  kept_ = 0;
  while (!entry_pages_.empty() && entry_pages_.back().entries == kEmptyPage.data()) entry_pages_.pop_back();
  entry_pages_.shrink_to_fit();
  own_pages_.shrink_to_fit();
  entities_.shrink_to_fit();
  release_value_pages(value_pages_in_use());
  value_pages_.shrink_to_fit();
}

std::size_t SparsePool::value_pages_in_use() const noexcept {
  return value_size_ == 0 ? 0 : (entities_.size() + row_mask_) >> row_bits_;
}

std::size_t SparsePool::value_alignment() const noexcept {
  return std::max(component_.alignment, kCacheLine);
}

std::uint32_t SparsePool::room() const noexcept {
  const std::size_t values = value_size_ == 0 ? kAbsent : value_pages_.size() << row_bits_;
  return static_cast<std::uint32_t>(std::min(values, entities_.capacity()));
}

std::string SparsePool::check_invariants() const {
  for (std::uint32_t position = 0; position < size(); ++position) {
    const Entity entity = entities_[position];
    if (!entity) return "B1: the pool of \"" + component_.name + "\" has a member that names nothing";
    if (entry_of(entity.index()) != position) {
      return "B1: the entry of " + to_string(entity) + " in the pool of \"" + component_.name +
             "\" is not its position " + std::to_string(position);
    }
  }
  const std::string complaint = check_entries();
  return complaint.empty() ? check_values() : complaint;
}

std::string SparsePool::check_entries() const {
  std::size_t members = 0;
  std::size_t own_pages = 0;
  std::size_t unused = 0;
  for (std::uint32_t page = 0; page < entry_pages_.size(); ++page) {
    const auto& [entries, count, listed] = entry_pages_[page];
    if (kEntriesPerPage - std::count(entries, entries + kEntriesPerPage, kAbsent) != count) {
      return "B2: a page of the pool of \"" + component_.name + "\" does not have the members it counts";
    }
    const bool own = entries != kEmptyPage.data();
    if (own != (listed < own_pages_.size() && own_pages_[listed] == page)) {
      return "B3: the pool of \"" + component_.name + "\" does not list the pages that are its own";
    }
    own_pages += own ? 1 : 0;
    unused += own && count == 0 ? 1 : 0;
    members += count;
  }
  if (own_pages != own_pages_.size() || unused > kept_ + 1) {
    return "B3: the pool of \"" + component_.name + "\" keeps " + std::to_string(unused) + " of " +
           std::to_string(own_pages_.size()) + " pages without members";
  }
  // With B1, each member has its own entry: equal numbers leave none over for anybody else.
  return members == size() ? "" : "B2: an entry in the pool of \"" + component_.name + "\" has no member";
}

std::string SparsePool::check_values() const {
  const std::size_t needed = value_pages_in_use();
  if (value_pages_.size() < needed || value_pages_.size() > needed + (value_size_ == 0 ? 0 : 1)) {
    return "B4: the pool of \"" + component_.name + "\" has " + std::to_string(value_pages_.size()) +
           " pages of values for " + std::to_string(size()) + " members";
  }
  if (room_ != room() || size() > room_) {
    return "B5: the pool of \"" + component_.name + "\" has room for " + std::to_string(room()) +
           " members, not for " + std::to_string(room_);
  }
  return "";
}

}  // namespace strata
