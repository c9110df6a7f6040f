#include "swap_space.hpp"

#include <algorithm>

namespace strata::detail {

void SwapSpace::reserve(const BlockFormat& format) {
  std::size_t bytes = 0;
  std::size_t alignment = 1;
  for (const Column& column : format.columns()) {
    bytes = std::max<std::size_t>(bytes, column.size);
    alignment = std::max(alignment, column.component->alignment);
  }
  reserve(bytes, alignment);
}

void SwapSpace::reserve(std::size_t bytes, std::size_t alignment) {
  bytes = std::max(bytes, bytes_);
  alignment = std::max(alignment, alignment_);
  if (bytes == bytes_ && alignment == alignment_) return;
  void* const value = memory_->allocate(bytes, alignment);
  free(value_, bytes_, alignment_);
  value_ = value;
  bytes_ = bytes;
  alignment_ = alignment;
}

void SwapSpace::swap_values(Place a, Place b) noexcept {
  for (const Column& column : a.block->format->columns()) {
    std::byte* const first = a.block->value(column.prefix, a.row, column.size);
    std::byte* const second = b.block->value(column.prefix, b.row, column.size);
    column.relocate_values(value_, first, 1);
    column.relocate_values(first, second, 1);
    column.relocate_values(second, value_, 1);
  }
}

}  // namespace strata::detail
