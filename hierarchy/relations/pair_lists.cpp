#include "pair_lists.hpp"

#include <algorithm>
#include <memory>

#include "../../core/cache_line.hpp"
#include "../../core/try_allocating.hpp"

namespace strata::detail {

PairLists::~PairLists() {
  clear();
  for (std::uint32_t page = 0; page < pages_.size(); ++page) free_page(page);
}

void PairLists::free_page(std::uint32_t page) noexcept {
  if (pages_[page] != nullptr) pages_.memory()->deallocate(pages_[page], page_bytes(), kCacheLine);
  pages_[page] = nullptr;
}

/// Allocates the page of an index.
/// Returns: the list at this index.
PairLists::Head& PairLists::make_page(std::uint32_t index) {
  const std::uint32_t page = index >> kPageBits;
  if (page >= pages_.size()) {
    pages_.resize(std::size_t{page} + 1, nullptr);
    index_limit_ = pages_.size() << kPageBits;
  }
  Head* const heads = static_cast<Head*>(pages_.memory()->allocate(page_bytes(), kCacheLine));
  std::uninitialized_default_construct_n(heads, kPerPage);
  pages_[page] = heads;
  return head(index);
}

/// Moves the entries of an entity to a list with more room.
/// Errors: std::bad_alloc; nothing has changed then.
void PairLists::grow(std::uint32_t index) {
  Head& from = head(index);
  if (from.is_listed())
    return move_to_list(from, 2 * BlockPool::rounded(list_bytes(from.entries_.list->capacity)));
  List* const to = make_list(kFirstBytes);
  to->size = 1;
  ::new (to->entities()) Entity(from.entries_.only);
  *to->twins() = from.twin_;
  if (numbered_) *to->numbers() = only_number(index);
  from.twin_ = Head::kListed;
  from.entries_.list = to;
}

/// Returns: an empty list of this size in bytes.
/// Errors: std::bad_alloc.
PairLists::List* PairLists::make_list(std::size_t bytes) {
  const std::size_t room = bytes - sizeof(List);
  // The compiler replaces a division by a constant with a multiplication.
  const auto capacity =
      static_cast<std::uint32_t>(numbered_ ? room / kNumberedEntryBytes : room / kEntryBytes);
  return ::new (pool_.allocate(list_bytes(capacity))) List{0, capacity};
}

/// Moves the entries of a list to one of this size in bytes.
/// Errors: std::bad_alloc; nothing has changed then.
/// Contract: there is room for the entries.
void PairLists::move_to_list(Head& head, std::size_t bytes) {
  List& from = *head.entries_.list;
  List* const to = make_list(bytes);
  to->size = from.size;
  std::copy_n(from.entities(), from.size, to->entities());
  std::copy_n(from.twins(), from.size, to->twins());
  if (numbered_) std::copy_n(from.numbers(), from.size, to->numbers());
  pool_.deallocate(&from, list_bytes(from.capacity));
  head.entries_.list = to;
}

/// Frees the list of an entity, which has no entries then.
void PairLists::release(Head& head) noexcept {
  pool_.deallocate(head.entries_.list, list_bytes(head.entries_.list->capacity));
  head = {};
}

void PairLists::clear() noexcept {
  for (Head* const page : pages_) {
    for (std::uint32_t i = 0; page != nullptr && i < kPerPage; ++i) {
      if (page[i].is_listed()) release(page[i]);
      page[i] = {};
    }
  }
}

void PairLists::assign(const PairLists& other) {
  other.for_each([&](Entity entity, std::span<const Entity> others) {
    for (std::uint32_t i = 0; i < others.size(); ++i) {
      Head& to = open(entity);
      reserve(to, entity);
      append(to, entity, {others[i], other.get(entity).twin(i), other.number(entity, i)});
    }
  });
}

bool PairLists::equals(const PairLists& other) const noexcept {
  bool equal = true;
  std::size_t entities = 0;
  for_each([&](Entity entity, std::span<const Entity> others) {
    ++entities;
    equal = equal && std::ranges::equal(others, other.of(entity));
    for (std::uint32_t i = 0; equal && i < others.size(); ++i) {
      equal =
          number(entity, i) == other.number(entity, i) && get(entity).twin(i) == other.get(entity).twin(i);
    }
  });
  other.for_each([&](Entity, std::span<const Entity>) { --entities; });
  return equal && entities == 0;
}

/// Moves the entries of a list to a smaller one, or into the paged array, if there is memory for that.
void PairLists::shrink_list(std::uint32_t index) noexcept {
  Head& from = head(index);
  List* const list = from.entries_.list;
  if (list->size == 1) {
    const std::uint32_t twin = list->twins()[0];
    if (numbered_) only_number(index) = list->numbers()[0];
    const Entity only = list->entities()[0];
    pool_.deallocate(list, list_bytes(list->capacity));
    ::new (&from.entries_.only) Entity(only);
    from.twin_ = twin;
    return;
  }
  const std::size_t bytes = BlockPool::rounded(list_bytes(list->size));
  if (bytes >= BlockPool::rounded(list_bytes(list->capacity))) return;
  try_allocating([&] { move_to_list(from, bytes); });
}

void PairLists::shrink() noexcept {
  for (std::uint32_t page = 0; page < pages_.size(); ++page) {
    if (pages_[page] == nullptr) continue;
    bool used = false;
    for (std::uint32_t i = 0; i < kPerPage; ++i) {
      Head& found = pages_[page][i];
      if (found.empty()) {
        if (found.is_listed()) release(found);
        continue;
      }
      used = true;
      if (found.is_listed()) shrink_list(page << kPageBits | i);
    }
    if (!used) free_page(page);
  }
  while (!pages_.empty() && pages_.back() == nullptr) pages_.pop_back();
  index_limit_ = pages_.size() << kPageBits;
  pages_.shrink_to_fit();
}

std::size_t PairLists::reserved() const noexcept {
  const auto made = static_cast<std::size_t>(
      std::count_if(pages_.begin(), pages_.end(), [](const Head* page) { return page != nullptr; }));
  return made * page_bytes() + memory_use_of(pages_).reserved;
}

std::string PairLists::check_invariants() const {
  std::string broken;
  for_each([&](Entity entity, std::span<const Entity> others) {
    const Head& found = head(entity.index());
    const bool is_listed = found.is_listed();
    if (others.empty() || (is_listed && found.entries_.list->size > found.entries_.list->capacity)) {
      broken = "the list of entity " + to_string(entity) + " has a wrong size";
    }
  });
  return broken;
}

}  // namespace strata::detail
