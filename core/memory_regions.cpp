#include "memory_regions.hpp"

namespace strata::detail {

void MemoryRegions::add(const void* begin, std::size_t bytes) {
  bytes_by_begin_.emplace(static_cast<const std::byte*>(begin), bytes);
}

void MemoryRegions::remove(const void* begin) noexcept {
  bytes_by_begin_.erase(static_cast<const std::byte*>(begin));
}

bool MemoryRegions::contains(const void* address) const noexcept {
  const auto* const byte = static_cast<const std::byte*>(address);
  auto after = bytes_by_begin_.upper_bound(byte);
  if (after == bytes_by_begin_.begin()) return false;
  const auto [begin, bytes] = *--after;
  return static_cast<std::size_t>(byte - begin) < bytes;
}

std::size_t MemoryRegions::bytes() const noexcept {
  std::size_t sum = 0;
  for (const auto& [begin, bytes] : bytes_by_begin_) sum += bytes;
  return sum;
}

}  // namespace strata::detail
