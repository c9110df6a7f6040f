// ValuePages: the memory of the values of one pool (sparse set), in pages of equal size.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <utility>

#include "../../core/compiler.hpp"
#include "../../core/component.hpp"
#include "../../core/memory_regions.hpp"
#include "../../core/memory_use.hpp"
#include "../../core/plain_list.hpp"

namespace strata::detail {

/// The memory of the values of one pool (sparse set), in pages of equal size. ValuePages neither constructs nor
/// destroys values. A value is identified by its row; rows are numbered from 0 across all pages. A page without values
/// may have no memory: then it only keeps its number, so that the rows of later pages keep theirs. A tag has no pages,
/// and a null address for every row.
class ValuePages {
 public:
  ValuePages(const ComponentInfo& component, std::pmr::memory_resource* memory);
  ValuePages(const ValuePages&) = delete;
  ValuePages& operator=(const ValuePages&) = delete;
  ~ValuePages() { truncate(0); }

  /// Returns: whether the component is a tag.
  bool of_tag() const noexcept { return value_size_ == 0; }
  std::uint32_t rows_per_page() const noexcept { return row_mask_ + 1; }
  /// Returns: the number of the page that contains a row.
  std::uint32_t page_of(std::uint32_t row) const noexcept { return row >> row_bits_; }
  std::uint32_t row_in_page(std::uint32_t row) const noexcept { return row & row_mask_; }
  std::uint32_t first_row(std::uint32_t page) const noexcept { return page << row_bits_; }

  /// Returns: the address of a row's value; null for a tag.
  /// Contract: the row's page has memory.
  void* at(std::uint32_t row) const noexcept {
    if (value_size_ == 0) return nullptr;
    return pages_[row >> row_bits_] + std::size_t{row & row_mask_} * value_size_;
  }

  /// For each element r of `rows`, writes to `values` the address of the value of row `first + r`, and prefetches that
  /// value. All addresses are null for a tag.
  /// Contract: the pages of these rows have memory.
  void at_many(std::uint32_t first, std::span<const std::uint32_t> rows, const void** values) const noexcept {
    if (value_size_ == 0) return void(std::fill_n(values, rows.size(), nullptr));
    // Local copies. Without them, the compiler would read the data members again for each row, because it must assume
    // that the addresses stored to `values` may overwrite them.
    const std::byte* const* const pages = pages_.data();
    const std::uint32_t bits = row_bits_;
    const std::uint32_t mask = row_mask_;
    const std::size_t size = value_size_;
    for (const std::uint32_t behind : rows) {
      const std::uint32_t row = first + behind;
      const std::byte* const value = pages[row >> bits] + (row & mask) * size;
      prefetch_to_read(value);
      *values++ = value;
    }
  }

  /// Returns: the address of a row's value, of type T.
  /// Contract: the row's page has memory, and T is the component's type and not a tag.
  template <class T>
  T* at_as(std::uint32_t row) const noexcept {
    return reinterpret_cast<T*>(pages_[row >> row_bits_]) + (row & row_mask_);
  }

  /// Returns: the number of pages, including those whose memory was freed.
  std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(pages_.size()); }
  bool has_memory(std::uint32_t page) const noexcept { return pages_[page] != nullptr; }

  /// Returns: the number of pages with memory.
  std::uint32_t made() const noexcept { return made_; }

  /// Returns: for how many rows the pages with memory have room; 0xFFFFFFFF for a tag, which needs no memory.
  std::size_t rows() const noexcept {
    return value_size_ == 0 ? std::size_t{0xFFFF'FFFF} : std::size_t{made_} << row_bits_;
  }

  /// Returns: whether an address lies on one of the pages.
  /// Complexity: O(1) if the address is below or above all pages that were ever allocated; otherwise O(pages).
  bool holds(const void* address) const noexcept;

  /// Appends a page with memory.
  /// Errors: std::bad_alloc; nothing has changed then.
  void append();

  /// Allocates the memory of a page that has none.
  /// Errors: std::bad_alloc; nothing has changed then.
  void make(std::uint32_t page);

  /// Frees the memory of a page. The page keeps its number, as a page without memory. Destroys no values.
  void release(std::uint32_t page) noexcept;

  /// Changes the number of a page from `page` to `to`. Afterwards, page number `page` has no memory, unless `page` and
  /// `to` are equal.
  /// Contract: page number `to` has no memory, or is `page` itself.
  void renumber(std::uint32_t page, std::uint32_t to) noexcept;

  /// Frees all pages but the first `keep`.
  void truncate(std::uint32_t keep) noexcept;

  void shrink_to_fit();

  /// Exchanges the pages with those of another object for the same component.
  void swap(ValuePages& other) noexcept {
    pages_.swap(other.pages_);
    std::swap(made_, other.made_);
    std::swap(range_, other.range_);
  }

  /// Returns: the bytes allocated for the pages and for the array of pointers to them.
  std::size_t reserved() const noexcept { return made_ * page_bytes() + memory_use_of(pages_).reserved; }

 private:
  std::size_t page_bytes() const noexcept { return std::size_t{value_size_} << row_bits_; }
  std::pmr::memory_resource* memory() const { return pages_.memory(); }

  PlainList<std::byte*> pages_;  // By page number (row >> row_bits_): the page; null if it has no memory.
  std::uint32_t value_size_;     // The size of a value in bytes; 0 for a tag.
  std::uint32_t row_bits_ = 0;   // The number of low bits of a row number that give the row within its page.
  std::uint32_t row_mask_ = 0;   // The mask of these low bits.
  std::uint32_t made_ = 0;
  AddressRange range_;  // The range of all addresses that pages have had so far.
  std::size_t alignment_;
};

}  // namespace strata::detail
