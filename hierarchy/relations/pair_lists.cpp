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

/// Allocates the page of memory for the lists of a range of slot indices, one of which is `index`.
/// Returns: the list for `index`.
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

/// Moves the entries of the list of the entity with slot index `index` to a larger piece of memory: from the Head,
/// which stores a single entry itself, to a first piece; or from the present piece to one of about twice its size.
/// Errors: std::bad_alloc; nothing has changed then.
/// Contract: the Head stores the only entry of the list, or the list has a piece.
void PairLists::grow(std::uint32_t index) {
  Head& from = head(index);
  if (!from.is_only()) return move_to_list(from, 2 * BlockPool::rounded(list_bytes(from.capacity())));
  Entity* const list = make_list(kFirstBytes);
  const std::uint32_t twin = from.only_twin();
  ::new (list) Entity(from.entries_.only);
  from.entries_ = Head::Entries(list);
  from.size_ = 1;
  *from.twins() = twin;
  if (numbered_) *from.numbers() = only_number(index);
}

/// Allocates memory for a list with room for as many entries as fit into `bytes` bytes, together with a Header.
/// Returns: the address where the first entity of the list is stored in this memory.
/// Errors: std::bad_alloc.
Entity* PairLists::make_list(std::size_t bytes) {
  const std::size_t room = bytes - sizeof(Header);
  // Both divisors are constants, so the compiler replaces the division by a multiplication.
  const auto capacity =
      static_cast<std::uint32_t>(numbered_ ? room / kNumberedEntryBytes : room / kEntryBytes);
  Header* const header = ::new (pool_.allocate(list_bytes(capacity))) Header{capacity};
  return reinterpret_cast<Entity*>(header + 1);
}

/// Frees the memory of a list.
void PairLists::free_list(Entity* list) noexcept {
  Header& header = header_of(list);
  pool_.deallocate(&header, list_bytes(header.capacity));
}

/// Moves the entries of a list to a new piece of memory, with room for as many entries as fit into `bytes` bytes. Frees
/// the old piece.
/// Errors: std::bad_alloc; nothing has changed then.
/// Contract: the entries are in a piece, not in the Head, and they fit into `bytes` bytes.
void PairLists::move_to_list(Head& head, std::size_t bytes) {
  const Head from = head;
  head.entries_ = Head::Entries(make_list(bytes));
  std::copy_n(from.entries_.list, from.size_, head.entries_.list);
  std::copy_n(from.twins(), from.size_, head.twins());
  if (numbered_) std::copy_n(from.numbers(), from.size_, head.numbers());
  free_list(from.entries_.list);
}

/// Frees the memory of a list, and makes the list empty.
void PairLists::release(Head& head) noexcept {
  free_list(head.entries_.list);
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

/// Stores the entries of a list in less memory. A single entry goes into the Head; several entries go to a smaller
/// piece of memory, if one can be allocated.
void PairLists::shrink_list(std::uint32_t index) noexcept {
  Head& from = head(index);
  if (from.size_ == 1) {
    Entity* const list = from.entries_.list;
    const std::uint32_t twin = from.twins()[0];
    if (numbered_) only_number(index) = from.numbers()[0];
    from.entries_ = Head::Entries(*list);
    from.size_ = Head::kOnly | twin;
    free_list(list);
    return;
  }
  const std::size_t bytes = BlockPool::rounded(list_bytes(from.size_));
  if (bytes >= BlockPool::rounded(list_bytes(from.capacity()))) return;
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
  for (const Head* const page : pages_) {
    for (std::uint32_t i = 0; page != nullptr && i < kPerPage; ++i) {
      const Head& found = page[i];
      if (found.empty() != (found.size() == 0)) broken = "a list has entries and no entity, or the reverse";
      if (found.is_listed() && found.size_ > found.capacity()) broken = "a list is larger than its memory";
    }
  }
  return broken;
}

}  // namespace strata::detail
