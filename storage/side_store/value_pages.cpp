#include "value_pages.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "../../core/cache_line.hpp"
#include "../../core/reserve.hpp"
#include "../../core/rollback.hpp"

namespace strata::detail {

ValuePages::ValuePages(const ComponentInfo& component, std::pmr::memory_resource* memory)
    : pages_(memory),
      value_size_(static_cast<std::uint32_t>(component.size)),
      alignment_(std::max(component.alignment, kCacheLine)) {
  const std::size_t rows = component.pool.value_page_bytes / std::max<std::size_t>(value_size_, 1);
  row_bits_ = static_cast<std::uint32_t>(std::bit_width(std::max<std::size_t>(rows, 1)) - 1);
  row_mask_ = (1u << row_bits_) - 1;
}

void ValuePages::append() {
  reserve_one(pages_);
  pages_.push_back(nullptr);
  Rollback shorten([&] { pages_.pop_back(); });
  make(size() - 1);
  shorten.dismiss();
}

void ValuePages::make(std::uint32_t page) {
  pages_[page] = static_cast<std::byte*>(memory()->allocate(page_bytes(), alignment_));
  range_.extend(pages_[page], page_bytes());
  ++made_;
}

bool ValuePages::holds(const void* address) const noexcept {
  if (!range_.contains(address)) return false;
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  return std::any_of(pages_.begin(), pages_.end(), [&](const std::byte* page) {
    return page != nullptr && at - reinterpret_cast<std::uintptr_t>(page) < page_bytes();
  });
}

void ValuePages::release(std::uint32_t page) noexcept {
  memory()->deallocate(std::exchange(pages_[page], nullptr), page_bytes(), alignment_);
  --made_;
}

void ValuePages::renumber(std::uint32_t page, std::uint32_t to) noexcept {
  pages_[to] = std::exchange(pages_[page], nullptr);
}

void ValuePages::truncate(std::uint32_t keep) noexcept {
  for (; pages_.size() > keep; pages_.pop_back()) {
    if (pages_.back() != nullptr) release(size() - 1);
  }
}

void ValuePages::shrink_to_fit() {
  pages_.shrink_to_fit();
}

}  // namespace strata::detail
