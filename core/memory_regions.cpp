#include "memory_regions.hpp"

#include <functional>
#include <map>
#include <utility>

namespace strata::detail {

struct MemoryRegions::Map : std::pmr::map<const std::byte*, std::size_t, std::less<>> {
  using map::map;
};

MemoryRegions::MemoryRegions(std::pmr::memory_resource* memory) : bytes_by_begin_(std::in_place, memory) {}

MemoryRegions::~MemoryRegions() = default;

void MemoryRegions::add(const void* begin, std::size_t bytes) {
  bytes_by_begin_->emplace(static_cast<const std::byte*>(begin), bytes);
}

void MemoryRegions::remove(const void* begin) noexcept {
  bytes_by_begin_->erase(static_cast<const std::byte*>(begin));
}

void MemoryRegions::exchange(const void* own, MemoryRegions& other, const void* others) noexcept {
  // Nodes of the maps are reused, so nothing is allocated.
  auto here = bytes_by_begin_->extract(static_cast<const std::byte*>(own));
  auto there = other.bytes_by_begin_->extract(static_cast<const std::byte*>(others));
  std::swap(here.key(), there.key());
  bytes_by_begin_->insert(std::move(here));
  other.bytes_by_begin_->insert(std::move(there));
}

bool MemoryRegions::contains(const void* address) const noexcept {
  const auto* const byte = static_cast<const std::byte*>(address);
  auto after = bytes_by_begin_->upper_bound(byte);
  if (after == bytes_by_begin_->begin()) return false;
  const auto [begin, bytes] = *--after;
  return static_cast<std::size_t>(byte - begin) < bytes;
}

std::size_t MemoryRegions::size() const noexcept {
  return bytes_by_begin_->size();
}

std::size_t MemoryRegions::bytes() const noexcept {
  std::size_t sum = 0;
  for (const auto& [begin, bytes] : *bytes_by_begin_) sum += bytes;
  return sum;
}

}  // namespace strata::detail
